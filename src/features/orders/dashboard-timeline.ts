import { AUTO_REFUND_REASON } from '../../domain/events.ts'
import { toSar } from '../../domain/money.ts'
import type { DetailRow, OrderEventRow, RefundLine } from './dashboard-detail-queries.ts'

export const happenings = [
  'created',
  'authorized',
  'approved',
  'captured',
  'completed',
  'shipping',
  'refunded',
  'auto_refunded',
  'cancelled',
  'settled',
] as const

/** Something that happened to an order. Only the fields that `what` has are there. */
export interface Happening {
  readonly at: string
  readonly what: (typeof happenings)[number]
  readonly amount?: number
  readonly points?: number
  readonly reason?: string | null
  readonly status?: string
  readonly label_ar?: string | null
  readonly label_en?: string | null
}

/**
 * Lists what happened to an order, the oldest first. Only the events record changes of shipping, as long as they are kept;
 * the order's row and its refunds record the rest.
 */
export function timelineOf(
  order: DetailRow,
  refunds: readonly RefundLine[],
  events: readonly OrderEventRow[],
): Happening[] {
  const happened: Happening[] = [
    { at: order.created_at.toISOString(), what: 'created' },
    ...at(order.authorized_at, 'authorized'),
    ...at(order.paid_at, paidHow(order)),
    ...events.filter(({ name }) => name === 'shipping_status_updated').map(shipped),
    ...refunds.map(refunded),
    ...at(order.settled_at, 'settled'),
  ]
  if (order.order_status === 'cancelled') {
    const ended = events.find(({ name }) => name === 'cancelled')?.created_at ?? order.updated_at
    happened.push({ at: ended.toISOString(), what: 'cancelled', reason: order.reason })
  }
  return happened.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
}

function at(instant: Date | null, what: Happening['what']): Happening[] {
  return instant === null ? [] : [{ at: instant.toISOString(), what }]
}

function paidHow({ authorized_at, payment_method }: DetailRow): 'captured' | 'completed' | 'approved' {
  if (authorized_at !== null) return 'captured'
  return payment_method === null ? 'approved' : 'completed'
}

function shipped({ created_at, status, label_ar, label_en }: OrderEventRow): Happening {
  return { at: created_at.toISOString(), what: 'shipping', status: status ?? '', label_ar, label_en }
}

function refunded({ created_at, refund_halalas, reversed_points, returned_points, reason }: RefundLine): Happening {
  return {
    at: created_at.toISOString(),
    what: reason === AUTO_REFUND_REASON ? 'auto_refunded' : 'refunded',
    amount: toSar(refund_halalas),
    points: returned_points - reversed_points,
    reason,
  }
}
