import { asHalalas, type Halalas, NO_MONEY } from '../../domain/money.ts'
import { methodNamed, type PaymentMethod } from '../../domain/payment-method.ts'
import { after } from '../../domain/spans.ts'
import { isSameSecret } from '../../lib/secrets.ts'
import { type Answer, valueAt } from '../exchange.ts'
import { askForNone } from './check-account.ts'
import { beginningOf, call, cleanMessage, failure, hmac, pageUrl, refusal, textField } from './http.ts'
import type { PaymentDone, PaymentError, PaymentProvider, PaymentRecord, PaymentRef, PaymentRequest } from './port.ts'

export interface MoyasarSettings {
  readonly secret_key: string
  readonly webhook_secret: string
  /** For tests; undefined for Moyasar's own. */
  readonly url?: string | undefined
  readonly timeout_ms?: number | undefined
}

const own_url = 'https://api.moyasar.com/v1'
/** Invoices are on the first; older accounts use the second. */
const own_pages = ['https://checkout.moyasar.com', 'https://dashboard.moyasar.com']
const page_ms = 1_200_000
const least_halalas = 100
const max_description = 255
const no_auth = 'a Moyasar invoice takes the money at once: it has no authorisation'

/**
 * Moyasar, by its public documentation (docs/payments.md): a hosted invoice for each payment, sales only, amounts in
 * halalas. The invoice's metadata holds the payment's uuid, so the invoice is found while its id is not known.
 */
export function createMoyasar(settings: MoyasarSettings): PaymentProvider {
  const { webhook_secret, url } = settings
  const api = createApi(settings)
  return {
    name: 'moyasar',
    page_origins: url === undefined ? own_pages : [new URL(url).origin],
    async create(request) {
      if (request.kind === 'auth') return failure('unsupported', no_auth)
      if (request.amount_halalas < least_halalas) return failure('refused', 'Moyasar takes no amount below 1 SAR')
      const answer = await api.ask('POST', 'invoices', invoiceBody(request, webhook_secret))
      return answer.kind === 'answer' ? readPage(answer, api.explain) : answer
    },
    capture: () => Promise.resolve(failure('unsupported', no_auth)),
    async void(request) {
      const invoice = await api.readInvoice(request)
      if (invoice.kind !== 'invoice') return invoice
      if (invoice.payment !== undefined) return failure('refused', 'the invoice is paid: it can be refunded only')
      const answer = await api.ask('PUT', `invoices/${encodeURIComponent(invoice.id)}/cancel`)
      if (answer.kind !== 'answer') return answer
      return textField(answer.body, 'status') === 'canceled'
        ? { kind: 'done', reference: null }
        : api.explain(answer, 'Moyasar cancellation')
    },
    async refund(request) {
      const invoice = await api.readInvoice(request)
      if (invoice.kind !== 'invoice') return invoice
      if (invoice.payment === undefined) return failure('refused', 'the invoice is not paid')
      const path = `payments/${encodeURIComponent(invoice.payment.id)}/refund`
      const answer = await api.ask('POST', path, { amount: request.amount_halalas })
      return answer.kind === 'answer' ? readRefund(answer, invoice.payment, api.explain) : answer
    },
    async query(ref) {
      const invoice = await api.readInvoice(ref)
      return invoice.kind === 'invoice' ? readRecord(invoice) : invoice
    },
    checkAccount: () => askForNone(api.readInvoice),
    isGenuine({ payment_uuid, body, query }) {
      // Reports come to the callback URL of an invoice, or to the webhook of the account.
      if (query['proof'] !== undefined) return isSameSecret(query['proof'], proofOf(payment_uuid, webhook_secret))
      return isSameSecret(valueAt(parse(body), 'secret_token'), webhook_secret)
    },
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Reports of an invoice hold no secret. Their URL has this proof instead, which only we and Moyasar know. */
function proofOf(payment_uuid: string, webhook_secret: string): string {
  return hmac(webhook_secret, payment_uuid)
}

/** The payment of an invoice; `refunded` is the sum of all refunds. */
interface InvoicePayment {
  readonly id: string
  readonly status: string
  readonly currency: string
  readonly amount: Halalas
  readonly refunded: Halalas
  readonly paid_with: PaymentMethod | undefined
}

interface Invoice {
  readonly kind: 'invoice'
  readonly id: string
  readonly status: string
  readonly currency: string
  readonly amount: Halalas
  readonly lists_payments: boolean
  /** The attempt that succeeded, if any. */
  readonly payment: InvoicePayment | undefined
}

interface Api {
  readonly ask: (method: 'GET' | 'POST' | 'PUT', path: string, json?: object) => Promise<Answer | PaymentError>
  readonly readInvoice: (ref: PaymentRef) => Promise<Invoice | PaymentError>
  readonly explain: (answer: Answer, what: string) => PaymentError
}

function createApi({ secret_key, webhook_secret, url, timeout_ms }: MoyasarSettings): Api {
  const base = `${(url ?? own_url).replace(/\/+$/, '')}/`
  const authorization = `Basic ${Buffer.from(`${secret_key}:`).toString('base64')}`
  const ask: Api['ask'] = (method, path, json) =>
    call({ method, url: new URL(path, base), authorization, timeout_ms, ...(json === undefined ? {} : { json }) })
  const explain: Api['explain'] = (answer, what) => {
    const { kind, detail } = refusal(answer, what)
    return failure(kind, `${detail}: ${cleanMessage(valueAt(answer.body, 'message'), [secret_key, webhook_secret])}`)
  }
  async function read(path: string, of: (body: unknown) => Invoice | PaymentError): Promise<Invoice | PaymentError> {
    const answer = await ask('GET', path)
    if (answer.kind !== 'answer') return answer
    return answer.status === 200 ? of(answer.body) : explain(answer, 'Moyasar invoice')
  }
  const readById = (id: string) =>
    read(`invoices/${encodeURIComponent(id)}`, (body) => invoiceOf(body) ?? failure('unknown', unreadable))
  async function readInvoice({ payment_uuid, provider_reference }: PaymentRef): Promise<Invoice | PaymentError> {
    if (provider_reference !== null) return readById(provider_reference)
    const query = new URLSearchParams([['metadata[payment_uuid]', payment_uuid]])
    const found = await read(`invoices?${query}`, (body) => readList(body, payment_uuid))
    // In the documented list, invoices come without their payments.
    return found.kind === 'invoice' && !found.lists_payments ? readById(found.id) : found
  }
  return { ask, readInvoice, explain }
}

const unreadable = 'the invoice cannot be read'

/** Finds the invoice of this payment in a list that may hold others. If there are two, takes the paid one. */
function readList(body: unknown, payment_uuid: string): Invoice | PaymentError {
  const list = valueAt(body, 'invoices')
  if (!Array.isArray(list)) return failure('unknown', 'the invoices cannot be read')
  const ours = list.filter((one) => textField(valueAt(one, 'metadata'), 'payment_uuid') === payment_uuid)
  const read = ours.map(invoiceOf)
  if (read.includes(undefined)) return failure('unknown', unreadable)
  const [first] = read
  const found = read.find((one) => one?.payment !== undefined || isPaid(one?.status)) ?? first
  if (found !== undefined) return found
  // It may be on another page of a list that was not reduced to this payment.
  if ((valueAt(body, 'meta', 'next_page') ?? null) !== null) return failure('unknown', 'the list of invoices goes on')
  return failure('not_found', 'Moyasar knows no such invoice')
}

const isPaid = (status: string | undefined): boolean => status === 'paid' || status === 'refunded'

const successful = ['paid', 'captured', 'authorized', 'refunded', 'voided']

function invoiceOf(value: unknown): Invoice | undefined {
  const [id, status, currency] = [textField(value, 'id'), textField(value, 'status'), textField(value, 'currency')]
  const amount = halalasOf(valueAt(value, 'amount'))
  if (id === undefined || status === undefined || currency === undefined || amount === undefined) return undefined
  const attempts = valueAt(value, 'payments')
  const payments = Array.isArray(attempts) ? attempts.map(paymentOf) : []
  const payment = payments.find((one) => one !== undefined && successful.includes(one.status))
  return { kind: 'invoice', id, status, currency, amount, lists_payments: Array.isArray(attempts), payment }
}

function paymentOf(value: unknown): InvoicePayment | undefined {
  const [id, status, currency] = [textField(value, 'id'), textField(value, 'status'), textField(value, 'currency')]
  const [amount, refunded] = [halalasOf(valueAt(value, 'amount')), halalasOf(valueAt(value, 'refunded') ?? 0)]
  if (id === undefined || status === undefined || amount === undefined || refunded === undefined) return undefined
  return { id, status, currency: currency ?? '', amount, refunded, paid_with: methodOf(valueAt(value, 'source')) }
}

/** The wallet that the source's type names, else the card's scheme. */
function methodOf(source: unknown): PaymentMethod | undefined {
  const [type = '', company = ''] = [textField(source, 'type'), textField(source, 'company')]
  return methodNamed(type) ?? methodNamed(company)
}

function halalasOf(value: unknown): Halalas | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? asHalalas(value) : undefined
}

function readRecord(invoice: Invoice): PaymentRecord | PaymentError {
  const { id, status, amount, payment } = invoice
  if ((payment ?? invoice).currency !== 'SAR') return failure('unknown', 'the record is in another currency')
  // Without its payment, a paid invoice proves neither the amount nor the refunds.
  if (payment === undefined && isPaid(status))
    return failure('unknown', `the invoice is ${status}, and its payment cannot be read`)
  return {
    kind: 'payment',
    provider_reference: id,
    state: payment === undefined ? unpaidState(status) : paidState(payment.status),
    ...(payment === undefined && status === 'expired' ? { failure: 'page_expired' as const } : {}),
    ...(payment === undefined && status === 'canceled' ? { failure: 'cancelled' as const } : {}),
    amount_halalas: payment?.amount ?? amount,
    refunded_halalas: payment?.refunded ?? NO_MONEY,
    refund_uuids: undefined,
    paid_with: payment?.paid_with,
  }
}

function paidState(status: string): PaymentRecord['state'] {
  if (status === 'voided') return 'voided'
  return status === 'authorized' ? 'authorized' : 'paid'
}

/** A failed attempt ends nothing: the customer can pay the invoice until it expires or is cancelled. */
function unpaidState(status: string): PaymentRecord['state'] {
  if (status === 'voided') return 'voided'
  return status === 'canceled' || status === 'expired' ? 'failed' : 'pending'
}

function invoiceBody(request: PaymentRequest, webhook_secret: string): object {
  const callback = new URL(request.callback_url)
  callback.searchParams.set('proof', proofOf(request.payment_uuid, webhook_secret))
  return {
    amount: request.amount_halalas,
    currency: 'SAR',
    description: beginningOf(request.description, max_description),
    callback_url: callback.href,
    success_url: request.return_url,
    back_url: `${request.return_url}?left=yes`,
    expired_at: after(new Date(), page_ms).toISOString(),
    metadata: { payment_uuid: request.payment_uuid },
  }
}

function readPage(answer: Answer, explain: Api['explain']) {
  const [provider_reference, url] = [textField(answer.body, 'id'), pageUrl(valueAt(answer.body, 'url'))]
  if (![200, 201].includes(answer.status) || provider_reference === undefined || url === undefined)
    return explain(answer, 'Moyasar gave no payment page')
  return { kind: 'page', provider_reference, url } as const
}

/** Reads the payment after a refund. The refund is done only when more is refunded than before. */
function readRefund(answer: Answer, before: InvoicePayment, explain: Api['explain']): PaymentDone | PaymentError {
  const after = paymentOf(answer.body)
  if (answer.status !== 200 || after === undefined) return explain(answer, 'Moyasar refund')
  if (after.refunded <= before.refunded)
    return failure('unknown', 'Moyasar refund: nothing more was refunded than before')
  return { kind: 'done', reference: null }
}
