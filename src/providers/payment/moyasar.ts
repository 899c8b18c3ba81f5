import { asHalalas, type Halalas, NO_MONEY } from '../../domain/money.ts'
import { type Answer, valueAt } from '../exchange.ts'
import { call, failure, hmac, isSame, pageUrl, refusal, textField, words } from './http.ts'
import type { PaymentAsked, PaymentDone, PaymentError, PaymentProvider, PaymentRecord, PaymentRequest } from './port.ts'

export interface MoyasarSettings {
  readonly secret_key: string
  readonly webhook_secret: string
  /** A test's; undefined for Moyasar's own. */
  readonly url?: string | undefined
  readonly timeout_ms?: number | undefined
}

const own_url = 'https://api.moyasar.com/v1'
/** Its invoices are shown on the first; older accounts see the second. */
const own_pages = ['https://checkout.moyasar.com', 'https://dashboard.moyasar.com']
const page_ms = 1_200_000
const least_halalas = 100
const no_auth = 'a Moyasar invoice takes the money at once: it has no authorisation'

/**
 * Moyasar, by its public documentation (docs/payments.md): a hosted invoice for each payment, sales only, amounts in
 * halalas. An invoice bears the payment's uuid in its metadata, by which it is found while its id is not known.
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
    async query(asked) {
      const invoice = await api.readInvoice(asked)
      return invoice.kind === 'invoice' ? readRecord(invoice) : invoice
    },
    isGenuine({ payment_uuid, body, query }) {
      // The address that we gave with an invoice, or the webhook of the account.
      if (query['proof'] !== undefined) return isSame(query['proof'], proofOf(payment_uuid, webhook_secret))
      return isSame(valueAt(parse(body), 'secret_token'), webhook_secret)
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

/** An invoice's report bears no secret of the account: the address that it goes to proves that we gave it. */
function proofOf(payment_uuid: string, webhook_secret: string): string {
  return hmac(webhook_secret, payment_uuid)
}

/** What was paid for an invoice; `refunded` in all. */
interface Paid {
  readonly id: string
  readonly status: string
  readonly currency: string
  readonly amount: Halalas
  readonly refunded: Halalas
}

interface Invoice {
  readonly kind: 'invoice'
  readonly id: string
  readonly status: string
  readonly currency: string
  readonly amount: Halalas
  /** The attempt that succeeded; undefined while none has. */
  readonly payment: Paid | undefined
}

interface Api {
  readonly ask: (method: 'GET' | 'POST' | 'PUT', path: string, json?: object) => Promise<Answer | PaymentError>
  readonly readInvoice: (asked: PaymentAsked) => Promise<Invoice | PaymentError>
  readonly explain: (answer: Answer, what: string) => PaymentError
}

function createApi({ secret_key, webhook_secret, url, timeout_ms }: MoyasarSettings): Api {
  const base = `${(url ?? own_url).replace(/\/+$/, '')}/`
  const authorization = `Basic ${Buffer.from(`${secret_key}:`).toString('base64')}`
  const ask: Api['ask'] = (method, path, json) =>
    call({ method, url: new URL(path, base), authorization, timeout_ms, ...(json === undefined ? {} : { json }) })
  const explain: Api['explain'] = (answer, what) => {
    const { kind, detail } = refusal(answer, what)
    return failure(kind, `${detail}: ${words(valueAt(answer.body, 'message'), [secret_key, webhook_secret])}`)
  }
  async function readInvoice({ payment_uuid, provider_reference }: PaymentAsked): Promise<Invoice | PaymentError> {
    const path =
      provider_reference === null
        ? `invoices?${new URLSearchParams([['metadata[payment_uuid]', payment_uuid]])}`
        : `invoices/${encodeURIComponent(provider_reference)}`
    const answer = await ask('GET', path)
    if (answer.kind !== 'answer') return answer
    if (answer.status !== 200) return explain(answer, 'Moyasar invoice')
    if (provider_reference === null) return readList(answer.body, payment_uuid)
    return invoiceOf(answer.body) ?? failure('unknown', 'the invoice cannot be read')
  }
  return { ask, readInvoice, explain }
}

/** Of an answer that may hold others', the invoice of this payment: the one that was paid, should there be two. */
function readList(body: unknown, payment_uuid: string): Invoice | PaymentError {
  const list = valueAt(body, 'invoices')
  if (!Array.isArray(list)) return failure('unknown', 'the invoices cannot be read')
  const ours = list.filter((one) => textField(valueAt(one, 'metadata'), 'payment_uuid') === payment_uuid)
  const read = ours.map(invoiceOf)
  if (read.includes(undefined)) return failure('unknown', 'the invoice cannot be read')
  const [first] = read
  return (
    read.find((one) => one?.payment !== undefined) ?? first ?? failure('not_found', 'Moyasar knows no such invoice')
  )
}

const successful = ['paid', 'captured', 'authorized', 'refunded', 'voided']

function invoiceOf(value: unknown): Invoice | undefined {
  const [id, status, currency] = [textField(value, 'id'), textField(value, 'status'), textField(value, 'currency')]
  const amount = halalasOf(valueAt(value, 'amount'))
  if (id === undefined || status === undefined || currency === undefined || amount === undefined) return undefined
  const attempts = valueAt(value, 'payments')
  const payments = Array.isArray(attempts) ? attempts.map(paidOf) : []
  const payment = payments.find((one) => one !== undefined && successful.includes(one.status))
  return { kind: 'invoice', id, status, currency, amount, payment }
}

function paidOf(value: unknown): Paid | undefined {
  const [id, status, currency] = [textField(value, 'id'), textField(value, 'status'), textField(value, 'currency')]
  const [amount, refunded] = [halalasOf(valueAt(value, 'amount')), halalasOf(valueAt(value, 'refunded') ?? 0)]
  if (id === undefined || status === undefined || amount === undefined || refunded === undefined) return undefined
  return { id, status, currency: currency ?? '', amount, refunded }
}

function halalasOf(value: unknown): Halalas | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? asHalalas(value) : undefined
}

function readRecord(invoice: Invoice): PaymentRecord | PaymentError {
  const { id, status, amount, payment } = invoice
  if ((payment ?? invoice).currency !== 'SAR') return failure('unknown', 'the record is in another currency')
  // An invoice that says that it is paid, without the payment that did it, is no proof of either.
  if (payment === undefined && ['paid', 'refunded'].includes(status))
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
  }
}

function paidState(status: string): PaymentRecord['state'] {
  if (status === 'voided') return 'voided'
  return status === 'authorized' ? 'authorized' : 'paid'
}

/** An attempt that failed ends nothing: the invoice can be paid until it expires or is cancelled. */
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
    description: request.description,
    callback_url: callback.href,
    success_url: request.return_url,
    back_url: `${request.return_url}?left=yes`,
    expired_at: new Date(Date.now() + page_ms).toISOString(),
    metadata: { payment_uuid: request.payment_uuid },
  }
}

function readPage(answer: Answer, explain: Api['explain']) {
  const [provider_reference, url] = [textField(answer.body, 'id'), pageUrl(valueAt(answer.body, 'url'))]
  if (![200, 201].includes(answer.status) || provider_reference === undefined || url === undefined)
    return explain(answer, 'Moyasar gave no payment page')
  return { kind: 'page', provider_reference, url } as const
}

/** The payment as it is after a refund: only one that shows more paid back than before is done. */
function readRefund(answer: Answer, before: Paid, explain: Api['explain']): PaymentDone | PaymentError {
  const after = paidOf(answer.body)
  if (answer.status !== 200 || after === undefined) return explain(answer, 'Moyasar refund')
  if (after.refunded <= before.refunded)
    return failure('unknown', 'Moyasar refund: nothing more is paid back than before')
  return { kind: 'done', reference: null }
}
