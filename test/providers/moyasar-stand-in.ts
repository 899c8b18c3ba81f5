import { randomUUID } from 'node:crypto'
import { type Received, type Scripted, type StandIn, startStandIn } from './stand-in.ts'

// A local server that behaves as the public documentation of Moyasar says (docs/payments.md).

interface Payment {
  readonly id: string
  status: string
  readonly amount: number
  readonly currency: string
  refunded: number
}

interface Invoice {
  readonly id: string
  status: string
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly callback_url: string
  readonly success_url: string
  readonly expired_at: string
  readonly metadata: Record<string, string>
  readonly payments: Payment[]
}

export interface MoyasarStandIn extends StandIn {
  readonly invoices: Invoice[]
  /** What the customer does on the invoice's page. */
  act(payment_uuid: string, status: 'paid' | 'failed'): void
  invoiceOf(payment_uuid: string): Invoice
}

const error = (status: number, type: string, message: string, errors: object | null = null): Scripted => ({
  status,
  body: { type, message, errors },
})

export async function startMoyasar(secret_key: string): Promise<MoyasarStandIn> {
  const invoices: Invoice[] = []
  const standIn = await startStandIn()

  function create(asked: Record<string, unknown>): Scripted {
    const { amount, currency = 'SAR', description } = asked
    if (!Number.isInteger(amount) || Number(amount) < 100 || typeof description !== 'string')
      return error(400, 'invalid_request_error', 'Validation Failed', { amount: ['must be 100 or more'] })
    const id = randomUUID()
    const invoice = { ...asked, id, currency, status: 'initiated', payments: [] } as unknown as Invoice
    invoices.unshift(invoice)
    return { status: 201, body: show(invoice) }
  }

  const show = (invoice: Invoice): object => ({
    ...invoice,
    amount_format: `${(invoice.amount / 100).toFixed(2)} SAR`,
    url: `${standIn.url}/invoices/${invoice.id}?lang=en`,
  })

  function refund(id: string, { amount }: Record<string, unknown>): Scripted {
    const payment = invoices.flatMap(({ payments }) => payments).find((one) => one.id === id)
    if (payment === undefined) return error(404, 'record_not_found', 'Object not found')
    const asked = amount === undefined ? payment.amount - payment.refunded : Number(amount)
    const refundable = ['paid', 'captured', 'refunded'].includes(payment.status)
    if (!refundable || asked <= 0 || payment.refunded + asked > payment.amount)
      return error(400, 'invalid_request_error', 'Payment cannot be refunded by this amount')
    payment.refunded += asked
    payment.status = 'refunded'
    return { body: payment }
  }

  function cancel(invoice: Invoice): Scripted {
    if (invoice.status !== 'initiated') return error(400, 'invalid_request_error', 'Invoice cannot be canceled')
    invoice.status = 'canceled'
    return { body: show(invoice) }
  }

  function route(method: string, url: URL, asked: Record<string, unknown>): Scripted {
    const [collection, id, action] = url.pathname.slice(1).split('/')
    if (collection === 'payments' && method === 'POST' && action === 'refund') return refund(id ?? '', asked)
    if (collection === 'invoices' && id === undefined && method === 'POST') return create(asked)
    if (collection === 'invoices' && id === undefined) {
      const wanted = url.searchParams.get('metadata[payment_uuid]')
      const found = invoices.filter(({ metadata }) => metadata['payment_uuid'] === wanted)
      return { body: { invoices: found.map(show), meta: { current_page: 1, total_count: found.length } } }
    }
    const invoice = invoices.find((one) => one.id === id)
    if (collection !== 'invoices' || invoice === undefined) return error(404, 'record_not_found', 'Object not found')
    if (method === 'PUT' && action === 'cancel') return cancel(invoice)
    return method === 'GET' ? { body: show(invoice) } : error(405, 'api_error', 'Method Not Allowed')
  }

  standIn.answer = ({ method, url, headers, body }: Received): Scripted => {
    const expected = `Basic ${Buffer.from(`${secret_key}:`).toString('base64')}`
    if (headers.authorization !== expected)
      return error(401, 'authentication_error', 'Invalid authorization credentials')
    return route(method, new URL(url, standIn.url), (body ?? {}) as Record<string, unknown>)
  }

  function invoiceOf(payment_uuid: string): Invoice {
    const invoice = invoices.find(({ metadata }) => metadata['payment_uuid'] === payment_uuid)
    if (invoice === undefined) throw new Error('no such invoice')
    return invoice
  }

  return {
    ...standIn,
    invoices,
    invoiceOf,
    act(payment_uuid, status) {
      const invoice = invoiceOf(payment_uuid)
      const { amount, currency } = invoice
      invoice.payments.unshift({ id: randomUUID(), status, amount, currency, refunded: 0 })
      if (status === 'paid') invoice.status = status
    },
    get answer() {
      return standIn.answer
    },
    set answer(answer) {
      standIn.answer = answer
    },
  }
}
