import { type Halalas, NO_MONEY, toSar } from '../../domain/money.ts'
import { isSameSecret } from '../../lib/secrets.ts'
import { type Answer, valueAt } from '../exchange.ts'
import { askForNone } from './check-account.ts'
import { beginningOf, call, cleanMessage, failure, hmac, pageUrl, refusal, textField } from './http.ts'
import { readRecord, readTransaction, refundable, refundDescription, type Transaction } from './paytabs-records.ts'
import type { PaymentDone, PaymentError, PaymentProvider, PaymentRecord, PaymentRef, PaymentRequest } from './port.ts'

export interface PayTabsSettings {
  readonly profile_id: string
  readonly server_key: string
  /** For another region or tests; undefined for Saudi Arabia. */
  readonly url?: string | undefined
  readonly timeout_ms?: number | undefined
}

const saudi_url = 'https://secure.paytabs.sa'
const page_minutes = 20
const max_description = 128
const unknown_cart = 'PayTabs knows no payment of this cart'

/**
 * PayTabs, by its public documentation of the PT2 API (docs/payments.md): one hosted page, sales and authorisations.
 * `cart_id` is the payment's uuid in all its transactions, so a query by `cart_id` finds them all.
 */
export function createPayTabs(settings: PayTabsSettings): PaymentProvider {
  const api = createApi(settings)
  return {
    name: 'paytabs',
    page_origins: [api.origin],
    async create(request) {
      const answer = await api.ask('payment/request', pageBody(request))
      return answer.kind === 'answer' ? readPage(answer, api.explain) : answer
    },
    async capture(request) {
      const cart = await api.readCart(request)
      const reference = recordOf(cart)?.provider_reference
      return followUp(api, { ...request, type: 'capture', cart, reference, description: 'Capture' })
    },
    async void(request) {
      const cart = await api.readCart(request)
      const record = recordOf(cart)
      if (record?.state === 'pending') return failure('unsupported', 'a payment page ends by itself')
      const of = {
        ...request,
        amount_halalas: record?.amount_halalas ?? NO_MONEY,
        reference: record?.provider_reference,
      }
      return followUp(api, { ...of, type: 'void', cart, description: 'Void' })
    },
    async refund(request) {
      const cart = await api.readCart(request)
      const record = recordOf(cart)
      if (record?.refund_uuids?.includes(request.refund_uuid) === true) return { kind: 'done', reference: null }
      if (record !== undefined && record.state !== 'paid') return failure('refused', `the payment is ${record.state}`)
      const reference = cart.kind === 'cart' ? refundable(cart.transactions) : undefined
      const description = refundDescription(request.refund_uuid)
      return followUp(api, { ...request, type: 'refund', cart, reference, description })
    },
    async query(ref) {
      const cart = await api.readCart(ref)
      if (cart.kind !== 'cart') return cart
      if (cart.transactions.some(({ currency }) => currency !== 'SAR'))
        return failure('unknown', 'the record is in another currency')
      return recordOf(cart) ?? failure('not_found', unknown_cart)
    },
    checkAccount: () => askForNone(api.readCart),
    isGenuine: ({ body, headers }) =>
      headers['signature'] === undefined
        ? isSignedReturn(body, settings.server_key)
        : isSameSecret(headers['signature'], hmac(settings.server_key, body)),
  }
}

/**
 * Whether the form that the customer's browser posts on return has a valid signature. It covers all fields but
 * `signature` and empty ones, sorted by name and encoded as a query.
 */
export function isSignedReturn(body: Buffer, server_key: string): boolean {
  const fields = [...new URLSearchParams(body.toString('utf8'))]
  const signature = fields.find(([name]) => name === 'signature')?.[1]
  const signed = fields.filter(([name, value]) => name !== 'signature' && value !== '')
  signed.sort(([left], [right]) => (left < right ? -1 : 1))
  const canonical = new URLSearchParams(signed).toString().replaceAll('*', '%2A')
  return signed.length > 0 && isSameSecret(signature, hmac(server_key, canonical))
}

interface Cart {
  readonly kind: 'cart'
  /** Never empty; the newest first. */
  readonly transactions: readonly Transaction[]
}

function recordOf(cart: Cart | PaymentError): PaymentRecord | undefined {
  return cart.kind === 'cart' ? readRecord(cart.transactions) : undefined
}

interface Api {
  readonly origin: string
  readonly ask: (path: 'payment/request' | 'payment/query', body: object) => Promise<Answer | PaymentError>
  /** Every transaction of a payment. */
  readonly readCart: (ref: PaymentRef) => Promise<Cart | PaymentError>
  readonly explain: (answer: Answer, what: string) => PaymentError
}

function createApi({ profile_id, server_key, url, timeout_ms }: PayTabsSettings): Api {
  const base = `${(url ?? saudi_url).replace(/\/+$/, '')}/`
  const profile = /^\d{1,15}$/.test(profile_id) ? Number(profile_id) : profile_id
  const ask: Api['ask'] = (path, body) =>
    call({
      method: 'POST',
      url: new URL(path, base),
      authorization: server_key,
      json: { profile_id: profile, ...body },
      timeout_ms,
    })
  const explain: Api['explain'] = (answer, what) => {
    const byStatus = refusal(answer, what)
    const code = valueAt(answer.body, 'code')
    // PayTabs also sends errors, objects with a code, with HTTP 200.
    if (code === undefined || answer.status === 429 || answer.status >= 500) return byStatus
    const detail = `${what}: ${cleanMessage(valueAt(answer.body, 'message'), [server_key])}`
    if (code === 1) return failure('credentials', detail)
    if (code === 4) return failure('unknown', `${what}: the same request was made less than two minutes ago`)
    // Other things, like a profile or a currency, may be what was not found.
    if (/\b(?:transaction|cart|payment)\b.{0,40}\bnot found\b/i.test(String(valueAt(answer.body, 'message'))))
      return failure('not_found', detail)
    return failure(answer.status === 200 ? 'refused' : byStatus.kind, detail)
  }
  async function readCart({ payment_uuid, provider_reference }: PaymentRef): Promise<Cart | PaymentError> {
    const answer = await ask('payment/query', { cart_id: payment_uuid })
    if (answer.kind !== 'answer') return answer
    const listed = readList(answer, payment_uuid)
    if (listed !== undefined && readRecord(listed) !== undefined) return { kind: 'cart', transactions: listed }
    const why = listed === undefined ? explain(answer, 'PayTabs query') : missing(listed)
    // Only the list says what was refunded, so without it the payment alone is not enough.
    if (provider_reference === null || (listed === undefined && why.kind !== 'not_found')) return why
    // The list has only the newest transactions. After many refunds the payment is queried by itself.
    const single = await ask('payment/query', { tran_ref: provider_reference })
    if (single.kind !== 'answer') return single
    const one = readTransaction(single.body)
    if (one === undefined || one.cart_id !== payment_uuid) return explain(single, 'PayTabs query')
    return { kind: 'cart', transactions: [...(listed ?? []), one] }
  }
  return { origin: new URL(base).origin, ask, readCart, explain }
}

/** `not_found` only when the cart has no transaction at all. */
function missing(listed: readonly Transaction[]): PaymentError {
  return listed.length > 0 ? failure('unknown', 'the cart has no payment') : failure('not_found', unknown_cart)
}

/** The transactions of an answer; undefined unless all are readable and belong to this cart. */
function readList({ status, body }: Answer, cart_id: string): readonly Transaction[] | undefined {
  if (status !== 200 || !Array.isArray(body)) return undefined
  const read = body.map(readTransaction).filter((one) => one !== undefined && one.cart_id === cart_id)
  return read.length === body.length ? (read as readonly Transaction[]) : undefined
}

function pageBody(request: PaymentRequest): object {
  return {
    tran_type: request.kind,
    tran_class: 'ecom',
    cart_id: request.payment_uuid,
    cart_description: beginningOf(request.description, max_description),
    cart_currency: 'SAR',
    cart_amount: toSar(request.amount_halalas),
    callback: request.callback_url,
    return: request.return_url,
    paypage_lang: request.locale,
    paypage_ttl: page_minutes,
    hide_shipping: true,
  }
}

function readPage(answer: Answer, explain: Api['explain']) {
  const [provider_reference, url] = [textField(answer.body, 'tran_ref'), pageUrl(valueAt(answer.body, 'redirect_url'))]
  if (answer.status !== 200 || provider_reference === undefined || url === undefined)
    return explain(answer, 'PayTabs gave no payment page')
  return { kind: 'page', provider_reference, url } as const
}

interface FollowUp {
  readonly type: 'capture' | 'void' | 'refund'
  readonly payment_uuid: string
  readonly amount_halalas: Halalas
  readonly description: string
  readonly cart: Cart | PaymentError
  /** The transaction to capture, void or refund. */
  readonly reference: string | undefined
}

async function followUp(api: Api, request: FollowUp): Promise<PaymentDone | PaymentError> {
  const { type, cart, reference, payment_uuid, amount_halalas, description } = request
  if (cart.kind !== 'cart') return cart
  if (reference === undefined) return failure('not_found', unknown_cart)
  const answer = await api.ask('payment/request', {
    tran_type: type,
    tran_class: 'ecom',
    tran_ref: reference,
    cart_id: payment_uuid,
    cart_description: description,
    cart_currency: 'SAR',
    cart_amount: toSar(amount_halalas),
  })
  return answer.kind === 'answer' ? readOutcome(answer, type, api.explain) : answer
}

/** A pending refund counts as done: PayTabs has accepted it. */
function readOutcome(answer: Answer, type: FollowUp['type'], explain: Api['explain']): PaymentDone | PaymentError {
  const result = valueAt(answer.body, 'payment_result')
  const status = textField(result, 'response_status')
  const reference = textField(answer.body, 'tran_ref')
  if (answer.status !== 200 || status === undefined || reference === undefined)
    return explain(answer, `PayTabs ${type}`)
  const detail = `PayTabs ${type}: ${cleanMessage(valueAt(result, 'response_message'), [])} (${status})`
  if (status === 'A' || (status === 'P' && type === 'refund')) return { kind: 'done', reference }
  if (status === 'D') return failure('declined', detail)
  return failure(['E', 'V', 'X', 'C'].includes(status) ? 'refused' : 'unknown', detail)
}
