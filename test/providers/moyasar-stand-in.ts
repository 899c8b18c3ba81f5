import { randomUUID } from 'node:crypto'
import { type Received, type Scripted, type StandIn, startStandIn } from './stand-in.ts'

// A local server that follows Moyasar's public documentation (docs/payments.md).

interface Payment {
  readonly id: string
  status: string
  readonly amount: number
  readonly currency: string
  refunded: number
  readonly source: Readonly<Record<string, string | null>>
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

const error = (status: number, type: string, message: string, errors: object | null = null): Scripted => ({
  status,
  body: { type, message, errors },
})

/** The invoices of an account, the newest first, and the API for them. */
class Books {
  readonly invoices: Invoice[] = []
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  answer(method: string, url: URL, asked: Record<string, unknown>): Scripted {
    const [collection, id, action] = url.pathname.slice(1).split('/')
    if (collection === 'payments' && method === 'POST' && action === 'refund') return this.#refund(id ?? '', asked)
    if (collection === 'invoices' && id === undefined)
      return method === 'POST' ? this.#create(asked) : this.#list(url.searchParams.get('metadata[payment_uuid]'))
    const invoice = this.invoices.find((one) => one.id === id)
    if (collection !== 'invoices' || invoice === undefined) return error(404, 'record_not_found', 'Object not found')
    if (method === 'PUT' && action === 'cancel') return this.#cancel(invoice)
    return method === 'GET' ? { body: this.#show(invoice) } : error(405, 'api_error', 'Method Not Allowed')
  }

  invoiceOf(payment_uuid: string): Invoice {
    const invoice = this.invoices.find(({ metadata }) => metadata['payment_uuid'] === payment_uuid)
    if (invoice === undefined) throw new Error('no such invoice')
    return invoice
  }

  #show(invoice: Omit<Invoice, 'payments'>): object {
    return {
      ...invoice,
      amount_format: `${(invoice.amount / 100).toFixed(2)} SAR`,
      url: `${this.#url}/invoices/${invoice.id}?lang=en`,
    }
  }

  #create(asked: Record<string, unknown>): Scripted {
    const { amount, currency = 'SAR', description } = asked
    if (!Number.isInteger(amount) || Number(amount) < 100 || typeof description !== 'string')
      return error(400, 'invalid_request_error', 'Validation Failed', { amount: ['must be 100 or more'] })
    if ([...description].length > 255 || !description.isWellFormed())
      return error(400, 'invalid_request_error', 'Validation Failed', { description: ['is too long (maximum is 255)'] })
    const id = randomUUID()
    const invoice = { ...asked, id, currency, status: 'initiated', payments: [] } as unknown as Invoice
    this.invoices.unshift(invoice)
    return { status: 201, body: this.#show(invoice) }
  }

  #list(payment_uuid: string | null): Scripted {
    const found = this.invoices.filter(({ metadata }) => metadata['payment_uuid'] === payment_uuid)
    // As documented, the list says which payment an invoice has, and not what that is.
    const invoices = found.map(({ payments, ...invoice }) => {
      const paid = payments.find(({ status }) => status === 'paid' || status === 'refunded')
      return { ...this.#show(invoice), payment_id: paid?.id ?? null }
    })
    return { body: { invoices, meta: { current_page: 1, next_page: null, total_count: found.length } } }
  }

  #refund(id: string, { amount }: Record<string, unknown>): Scripted {
    const payment = this.invoices.flatMap(({ payments }) => payments).find((one) => one.id === id)
    if (payment === undefined) return error(404, 'record_not_found', 'Object not found')
    const asked = amount === undefined ? payment.amount - payment.refunded : Number(amount)
    const refundable = ['paid', 'captured', 'refunded'].includes(payment.status)
    if (!refundable || asked <= 0 || payment.refunded + asked > payment.amount)
      return error(400, 'invalid_request_error', 'Payment cannot be refunded by this amount')
    payment.refunded += asked
    payment.status = 'refunded'
    return { body: payment }
  }

  #cancel(invoice: Invoice): Scripted {
    if (invoice.status !== 'initiated') return error(400, 'invalid_request_error', 'Invoice cannot be canceled')
    invoice.status = 'canceled'
    return { body: this.#show(invoice) }
  }
}

export interface MoyasarStandIn extends StandIn {
  readonly invoices: Invoice[]
  /** The customer's action on the invoice's page. A declined attempt leaves the invoice open. */
  act(payment_uuid: string, status: 'paid' | 'failed'): void
  invoiceOf(payment_uuid: string): Invoice
}

export async function startMoyasar(secret_key: string): Promise<MoyasarStandIn> {
  const standIn = await startStandIn()
  const books = new Books(standIn.url)
  standIn.answer = ({ method, url, headers, body }: Received): Scripted => {
    const expected = `Basic ${Buffer.from(`${secret_key}:`).toString('base64')}`
    if (headers.authorization !== expected)
      return error(401, 'authentication_error', 'Invalid authorization credentials')
    return books.answer(method, new URL(url, standIn.url), (body ?? {}) as Record<string, unknown>)
  }
  return Object.assign(standIn, {
    invoices: books.invoices,
    invoiceOf: (payment_uuid: string) => books.invoiceOf(payment_uuid),
    act(payment_uuid: string, status: 'paid' | 'failed') {
      const invoice = books.invoiceOf(payment_uuid)
      const { amount, currency } = invoice
      const source = {
        type: 'creditcard',
        company: 'master',
        name: 'Sara',
        number: 'XXXX-XXXX-XXXX-1115',
        message: null,
      }
      invoice.payments.unshift({ id: randomUUID(), status, amount, currency, refunded: 0, source })
      if (status === 'paid') invoice.status = status
    },
  })
}
