import { type SettleCheckout } from '../features/checkout/resume.ts'
import { parseUuid } from '../domain/ids.ts'
import type { Received, ReceiveReports } from '../features/payments/reports.ts'
import { type Page, type PageRequest, type PageRow, redirect } from '../http/pages/page.ts'

/** Where payment providers report, and where they send customers back to. Docs: docs/payments.md. */

export interface PaymentReportServices {
  readonly receiveReports: ReceiveReports
}

const statuses: Readonly<Record<Received, number>> = {
  settled: 200,
  // Not yet: the provider tries again later, when it or the database can be asked.
  open: 503,
  'not genuine': 403,
  'not ours': 404,
}

function answer(received: Received): Page {
  const status = statuses[received]
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...(status === 503 ? { 'retry-after': '60' } : {}) }
  return { status, headers, body: `${received}\n` }
}

const reporting = ['paytabs', 'moyasar'] as const

function readProgram(request: PageRequest): number | null {
  const text = request.params['program'] ?? ''
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

/** The address of one payment, which its provider was given with it. */
export const paymentCallback: PageRow<PaymentReportServices> = {
  path: '/payments/:provider/:program/:payment_uuid/callback',
  posts: 'anyone',
  async submit(request, { receiveReports }) {
    const provider = reporting.find((name) => name === request.params['provider'])
    const [program_id, payment_uuid] = [readProgram(request), parseUuid(request.params['payment_uuid'] ?? '')]
    if (provider === undefined || program_id === null || payment_uuid === null) return answer('not ours')
    const { body, headers, query } = request
    return answer(await receiveReports.ofPayment(payment_uuid, { provider, program_id, body, headers, query }))
  },
}

/** The address of a Moyasar account's webhook. Events of payments that are not ours are taken, and come to nothing. */
export const moyasarWebhook: PageRow<PaymentReportServices> = {
  path: '/payments/moyasar/:program/webhook',
  posts: 'anyone',
  async submit(request, { receiveReports }) {
    const program_id = readProgram(request)
    if (program_id === null) return answer('not ours')
    const invoice_id = invoiceIn(request.body)
    const { body, headers } = request
    const report = { provider: 'moyasar', program_id, body, headers, query: {} } as const
    const received = invoice_id === undefined ? 'not ours' : await receiveReports.ofAccount(invoice_id, report)
    return received === 'not ours' ? { ...answer(received), status: 200 } : answer(received)
  },
}

/** What Moyasar may call an invoice. Anybody posts here, and not every text can be looked up: PostgreSQL has no NUL. */
const invoicePattern = /^[\w-]{1,100}$/

function invoiceIn(body: Buffer): string | undefined {
  try {
    const event: unknown = JSON.parse(body.toString('utf8'))
    const invoice_id = (event as { data?: { invoice_id?: unknown } } | null)?.data?.invoice_id
    return typeof invoice_id === 'string' && invoicePattern.test(invoice_id) ? invoice_id : undefined
  } catch {
    return undefined
  }
}

/**
 * Where the customer's browser comes back to, by whatever way the provider has. What it brings proves nothing: the provider
 * is asked, and the checkout's page shows what it said.
 */
export const checkoutReturn: PageRow<{ readonly settleCheckout: SettleCheckout }> = {
  path: '/checkout/:token/return',
  posts: 'anyone',
  show: comeBack,
  submit: comeBack,
}

async function comeBack(request: PageRequest, { settleCheckout }: { readonly settleCheckout: SettleCheckout }) {
  const token = request.params['token'] ?? ''
  await settleCheckout(token)
  // The provider's way back of those who did not pay: it says no more than what to tell them while nothing has come.
  const at = request.query['left'] === undefined ? 'waiting' : 'left'
  return redirect(`/checkout/${encodeURIComponent(token)}?at=${at}`)
}
