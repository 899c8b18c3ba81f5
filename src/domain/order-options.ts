/** What may be done with an order now. docs/spec/dashboard-orders.md#options */
import type { FailureKind } from './failures.ts'
import { type Halalas, NO_MONEY } from './money.ts'
import { decideTransition, type OrderPosition } from './order.ts'
import { decideRefund, type RefundFacts, refundableUntil } from './refund.ts'

/** The moves that people make by hand, besides a refund. */
export const manualMoves = ['authorize', 'capture', 'complete', 'cancel'] as const
export type ManualMove = (typeof manualMoves)[number]

export interface OrderOptions {
  readonly moves: readonly ManualMove[]
  readonly refund: {
    /** 0 if it cannot be refunded now. */
    readonly up_to_halalas: Halalas
    /** An order without money is refunded whole. */
    readonly allowed: boolean
    /** Why it cannot be refunded; null if it can. */
    readonly refused: FailureKind | null
    /** The last moment of the refund window, in milliseconds; null before the order is paid. */
    readonly until_ms: number | null
  }
}

/** Takes an order and the time in milliseconds; gives the moves of the order table that it can make, and the refund. */
export function optionsOf(order: RefundFacts, now_ms: number): OrderOptions {
  const position: OrderPosition = order
  const refund = decideRefund(order, null, now_ms)
  const allowed = refund.kind === 'refund'
  return {
    moves: manualMoves.filter((move) => decideTransition(position, move).kind === 'transition'),
    refund: {
      up_to_halalas: allowed ? refund.refund_halalas : NO_MONEY,
      allowed,
      refused: allowed ? null : refund.kind,
      until_ms: refundableUntil(order),
    },
  }
}
