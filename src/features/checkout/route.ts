import Type, { type Static } from 'typebox'
import { stripHash } from '../../domain/checkout.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { parsePhone } from '../../domain/phone.ts'
import {
  halalas,
  instant,
  integer,
  jsonText,
  metadata,
  money,
  object,
  optional,
  optionalHalalas,
  phoneNumber,
  productLines,
  refine,
  roundPrice,
  shippingAddress,
  text,
  url,
  uuid,
} from '../../http/api/fields.ts'
import { statedLocale } from '../../http/api/locale.ts'
import type { RouteRequest } from '../../http/api/route.ts'
import { findMembers, textOf } from '../../lib/json-scan.ts'
import { exampleMetadata, exampleProducts } from '../orders/view.ts'
import type {
  CheckoutRequest,
  CheckRequest,
  LimitCheckouts,
  NewCheckout,
  OpenCheckout,
  OpenedCheckout,
} from './open.ts'

export interface CheckoutServices {
  readonly checkRequest: CheckRequest
  readonly limitCheckouts: LimitCheckouts
  readonly openCheckout: OpenCheckout
}

const max_order_number = 255

/** The end of the year 9999, in Unix seconds. */
const max_expiry = 253_402_300_799

/** Counts characters, each of one or two units, and no more of them than can be within the bound. */
const isShort = (text: string): boolean => text.length <= 2 * max_order_number && [...text].length <= max_order_number

/** The bounds apply to what follows the leading `#`. */
function orderNumber() {
  const schema = text({
    description: `Your reference, up to ${max_order_number} characters; one leading \`#\` is stripped. It may be sent again.`,
    examples: ['#1001'],
  })
  const stripped = (value: unknown): string => (typeof value === 'string' ? stripHash(value) : 'x')
  const filled = refine(
    schema,
    'required',
    (value) => typeof value !== 'string' || value === '' || stripped(value) !== '',
  )
  return refine(filled, 'max_string', (value) => isShort(stripped(value)), max_order_number)
}

const checkout = object({
  total_price: money({ description: 'SAR.', examples: [250] }),
  order_number: orderNumber(),
  phone_number: optional(phoneNumber({ description: 'The customer, when you know the number.' })),
  name: optional(text({ max: 255, description: "The customer's name.", examples: ['Sara'] })),
  shipping_amount: optional(money()),
  tax_amount: optional(money()),
  discount_amount: optional(money()),
  shipping_address: optional(shippingAddress()),
  products: optional(productLines()),
  metadata: optional(metadata()),
  callback_url: optional(
    url({
      description:
        'Where the customer is sent after the checkout, with the order in the query. Without user and password; in ' +
        'production https alone, and no address inside a network. It may lead only to the hosts that the merchant has ' +
        'named, if it has named any.',
      examples: ['https://shop.example.com/thank-you'],
    }),
  ),
  signature_expires_at: optional(
    integer({
      min: 0,
      max: max_expiry,
      description: 'Until when the signature can be used, in Unix seconds; at most 24 hours ahead.',
      examples: [1_795_255_200],
    }),
  ),
  signature: optional(
    text({
      max: 255,
      description:
        "Lower-case hex HMAC-SHA256 under the merchant's checkout secret, made by the shop's server: the guide " +
        '`docs/checkout.md` says of what. Required, with `signature_expires_at`, once the merchant requires signed checkouts; ' +
        'checked wherever it is sent and the merchant has a secret.',
      examples: ['06e5cf82b4e00eef8f782abacc2a3fb7f9eb53c31bcbfdfc88ad2759be913f99'],
    }),
  ),
})

const opened = Type.Object(
  {
    checkout_url: Type.String({ format: 'uri', description: 'Send the customer there.' }),
    order_uuid: uuid({
      description:
        'To authorize, complete or cancel the order, and to know its webhooks by. It proves nothing from a browser.',
    }),
    reference_number: Type.String({ examples: ['VQ8K8ZPPCF'] }),
    expires_at: instant({ description: 'Until then the link can be used.' }),
  },
  { title: 'Checkout' },
)

/** docs/spec/checkout.md#open */
export const openOneCheckout = {
  tag: 'Checkout',
  summary: 'Start a hosted checkout',
  description:
    'To be called from the browser, with the public key in the path. The answer has the same shape whether or not the ' +
    'customer is known. The order starts as `new`. `lang` is the language in which the pages begin. Anyone can call this ' +
    'with the public key of a shop, so a `callback_url` that the merchant does not allow is a 422, and where the merchant ' +
    'requires signed checkouts, so is a `signature` that is missing, wrong or expired. Compare an `approved` order with ' +
    'your own before you act on it: `order.id` with the `order_uuid` of this answer, stored by your server, and the total; ' +
    'or, where your page opens checkouts, sign them and compare `order_number` and `total_price`. ' +
    'One address may open 600 unsigned checkouts of a merchant within an hour, and one signature may be used for 20; a ' +
    'server that sends its private key in `x-api-key` besides is not limited. An order that nobody takes up is deleted 30 days after its checkout has expired.',
  body: checkout,
  keeps_bytes: true,
  data: opened,
  example: {
    request: {
      total_price: 151,
      order_number: '#1001',
      phone_number: '0512345678',
      name: 'Sara',
      shipping_amount: 15,
      tax_amount: 19.7,
      discount_amount: 0,
      shipping_address: { city: 'Riyadh', line1: 'Olaya St 1' },
      products: exampleProducts,
      metadata: exampleMetadata,
      callback_url: 'https://shop.example.com/thank-you',
    },
    data: {
      checkout_url: 'https://localhost:8443/checkout/b9kb8bzs7dtdz9mn23hjb24n3p',
      order_uuid: '019c137b-fb40-7c3a-9d52-3f6b1a2c4d5e',
      reference_number: 'VQ8K8ZPPCF',
      expires_at: '2026-01-31T10:00:00.000Z',
    },
  },
  failures: ['too_many_checkouts'],
  async handle(
    request: RouteRequest<Static<typeof checkout>, 'publicKey'>,
    { checkRequest, limitCheckouts, openCheckout }: CheckoutServices,
  ) {
    const { merchant, body, query, headers, client_address, once } = request
    const { signed } = await checkRequest(checkoutRequest(request))
    const signature = signed ? body.signature : undefined
    const takeBack = await limitCheckouts({ merchant, client_address, private_key: headers['x-api-key'], signature })
    const locale = statedLocale(query['lang'], acceptLanguageOf(headers)) ?? null
    try {
      return view(await openCheckout({ ...newCheckout(merchant, body, once.uuid), locale }, once.keeping(view)))
    } catch (error) {
      await takeBack().catch(() => undefined)
      throw error
    }
  },
} as const

function view({ checkout_url, order_uuid, reference_number, expires_at }: OpenedCheckout): Static<typeof opened> {
  return { checkout_url, order_uuid, reference_number, expires_at: expires_at.toISOString() }
}

function acceptLanguageOf(headers: RouteRequest['headers']): string | undefined {
  const value = headers['accept-language']
  return value === undefined ? undefined : String(value)
}

function checkoutRequest(request: RouteRequest<Static<typeof checkout>, 'publicKey'>): CheckoutRequest {
  const { merchant, body, params, body_bytes } = request
  const { signature, signature_expires_at, callback_url } = body
  return {
    ...{ merchant, callback_url, signature, signature_expires_at },
    signedFields() {
      const sent = findMembers(body_bytes, ['phone_number', 'callback_url', 'metadata'])
      const textSent = (name: 'phone_number' | 'callback_url'): string => {
        const value = sent.get(name)
        return body[name] === undefined || value === undefined ? '' : textOf(value)
      }
      return {
        public_key: params.publicKey,
        order_number: stripHash(body.order_number),
        total_halalas: halalas(body.total_price),
        phone_number: textSent('phone_number'),
        callback_url: textSent('callback_url'),
        metadata: body.metadata === undefined ? null : (sent.get('metadata') ?? null),
      }
    },
  }
}

function newCheckout(merchant: Merchant, body: Static<typeof checkout>, order_uuid: Uuid): NewCheckout {
  return {
    program_id: merchant.program_id,
    merchant_id: merchant.merchant_id,
    order_uuid,
    order_number: stripHash(body.order_number),
    total_halalas: halalas(body.total_price),
    shipping_halalas: optionalHalalas(body.shipping_amount),
    tax_halalas: optionalHalalas(body.tax_amount),
    discount_halalas: optionalHalalas(body.discount_amount),
    shipping_address: jsonText(body.shipping_address),
    items: jsonText(body.products?.map(roundPrice)),
    metadata: jsonText(body.metadata),
    phone: body.phone_number === undefined ? null : parsePhone(body.phone_number),
    name: body.name ?? null,
    callback_url: body.callback_url ?? null,
  }
}
