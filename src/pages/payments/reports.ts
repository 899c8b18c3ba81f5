import { parseId, parseUuid } from '../../domain/ids.ts'
import type { SettleCheckout } from '../../features/checkout/resume.ts'
import type { Received, ReceiveReports } from '../../features/payments/reports.ts'
import { type Page, type PageRequest, type PageRow, redirect } from '../../http/pages/page.ts'

/** Callbacks and webhooks of payment providers, and the page that customers return to (docs/payments.md). */

export interface PaymentReportServices {
  readonly receiveReports: ReceiveReports
}

const statuses: Readonly<Record<Received, number>> = {
  settled: 200,
  // The provider retries later, when the payment can be looked up.
  open: 503,
  'not genuine': 403,
  'not ours': 404,
}

function answer(received: Received): Page {
  const status = statuses[received]
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...(status === 503 ? { 'retry-after': '60' } : {}) }
  return { status, headers, body: `${received}\n` }
}

const providers = ['paytabs', 'moyasar'] as const

function readProgram(request: PageRequest): number | null {
  return parseId(request.params['program'] ?? '')
}

/** The callback URL of one payment, which the service gave to its provider. */
export const paymentCallback: PageRow<PaymentReportServices> = {
  path: '/payments/:provider/:program/:payment_uuid/callback',
  posts: 'anyone',
  async submit(request, { receiveReports }) {
    const provider = providers.find((name) => name === request.params['provider'])
    const [program_id, payment_uuid] = [readProgram(request), parseUuid(request.params['payment_uuid'] ?? '')]
    if (provider === undefined || program_id === null || payment_uuid === null) return answer('not ours')
    const { body, headers, query } = request
    return answer(await receiveReports.ofPayment(payment_uuid, { provider, program_id, body, headers, query }))
  },
}

/** The webhook of a Moyasar account. Answers 200 for events of payments that are not ours, so that Moyasar does not retry. */
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

/** The ids of Moyasar invoices. Anybody can post here, and PostgreSQL refuses a text with NUL. */
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
 * The page that the customer returns to from the provider, by GET or POST. The request proves nothing: the provider is asked,
 * and the checkout shows its answer (docs/spec/payments.md#provider-record).
 */
export const checkoutReturn: PageRow<{ readonly settleCheckout: SettleCheckout }> = {
  path: '/checkout/:token/return',
  posts: 'anyone',
  show: handleReturn,
  submit: handleReturn,
}

async function handleReturn(request: PageRequest, { settleCheckout }: { readonly settleCheckout: SettleCheckout }) {
  const token = request.params['token'] ?? ''
  await settleCheckout(token)
  // `left` marks the provider's cancel link. It only changes the text shown until the provider answers.
  const at = request.query['left'] === undefined ? 'waiting' : 'left'
  return redirect(`/checkout/${encodeURIComponent(token)}?at=${at}`)
}
