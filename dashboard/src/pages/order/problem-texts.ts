import type { DataOf } from '../../api/client.ts'
import type { TextKey } from '../../texts/catalogue.ts'

type Detail = DataOf<'/merchants/{merchantId}/orders/{orderUuid}', 'get'>
type Problem = NonNullable<Detail['payments'][number]['error']>

/** Why a payment failed. */
export const problemTexts: Readonly<Record<Problem, TextKey>> = {
  declined: 'order.problem_declined',
  cancelled: 'order.problem_cancelled',
  page_expired: 'order.problem_page_expired',
  voided: 'order.problem_voided',
  unknown: 'order.problem_unknown',
  refused: 'order.problem_refused',
  not_found: 'order.problem_not_found',
  credentials: 'order.problem_credentials',
  unsupported: 'order.problem_unsupported',
  unavailable: 'order.problem_unavailable',
  expired: 'order.problem_expired',
  changed: 'order.problem_changed',
  amount: 'order.problem_amount',
  'order moved': 'order.problem_order_moved',
  reversed: 'order.problem_reversed',
}
