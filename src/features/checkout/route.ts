import Type, { type Static } from 'typebox'
import { stripHash } from '../../domain/checkout.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { parsePhone } from '../../domain/phone.ts'
import { halalas, jsonText, optionalHalalas, productLine } from '../../http/amounts.ts'
import {
  metadata,
  money,
  object,
  optional,
  phoneNumber,
  productLines,
  refine,
  shippingAddress,
  text,
  url,
} from '../../http/fields.ts'
import type { RouteRequest } from '../../http/route.ts'
import { exampleMetadata, exampleProducts } from '../orders/example.ts'
import type { CheckoutAsked, OpenCheckout, OpenedCheckout } from './story.ts'

export interface CheckoutServices {
  readonly openCheckout: OpenCheckout
}

const max_order_number = 255

/** Bounds count what is left after the `#`. */
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
  return refine(filled, 'max_string', (value) => [...stripped(value)].length <= max_order_number, max_order_number)
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
      description: 'Where the customer is sent after the checkout, with the order in the query.',
      examples: ['https://shop.example.com/thank-you'],
    }),
  ),
})

const opened = Type.Object(
  {
    checkout_url: Type.String({ description: 'Send the customer there.' }),
    order_uuid: Type.String({ format: 'uuid', description: 'To authorize, complete or cancel the order.' }),
    reference_number: Type.String({ examples: ['VQ8K8ZPPCF'] }),
    expires_at: Type.String({ format: 'date-time', description: 'Until then the link can be used.' }),
  },
  { title: 'Checkout' },
)

/** Spec, "POST /v1/orders/checkout/{publicKey}"; decisions §6. */
export const openOneCheckout = {
  tag: 'Checkout',
  summary: 'Start a hosted checkout',
  description:
    'To be called from the browser, with the public key in the path. The answer has the same shape whether or not the ' +
    'customer is known. The order starts as `new`.',
  body: checkout,
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
  async handle(
    { merchant, body, once }: RouteRequest<Static<typeof checkout>, 'publicKey'>,
    { openCheckout }: CheckoutServices,
  ) {
    return view(await openCheckout(asked(merchant, body, once.uuid), once.keeping(view)))
  },
} as const

function view({ checkout_url, order_uuid, reference_number, expires_at }: OpenedCheckout): Static<typeof opened> {
  return { checkout_url, order_uuid, reference_number, expires_at: expires_at.toISOString() }
}

function asked(merchant: Merchant, body: Static<typeof checkout>, order_uuid: Uuid): CheckoutAsked {
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
    items: jsonText(body.products?.map(productLine)),
    metadata: jsonText(body.metadata),
    phone: body.phone_number === undefined ? null : parsePhone(body.phone_number),
    name: body.name ?? null,
    callback_url: body.callback_url ?? null,
  }
}
