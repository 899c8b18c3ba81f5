import type { Uuid } from '../../domain/ids.ts'
import { type ExactNumber, exactNumber } from '../../lib/exact-number.ts'
import type { SummedPeriod } from './sums.ts'

/**
 * A settlement, or what one would be. Above 0 the merchant owes it to the program, below 0 the program owes it to the
 * merchant. `settlement_id` is null in a preview, and if there was nothing to settle.
 */
export interface SettlementView {
  readonly settlement_id: Uuid | null
  readonly merchant_id: number
  readonly orders: number
  readonly net_points: ExactNumber
  /** SAR: the value of the net points. */
  readonly net_amount: ExactNumber
  /** SAR: money of payment providers, below 0 where they collected it for the merchant. */
  readonly money_amount: ExactNumber
  readonly fee_amount: ExactNumber
  readonly vat_amount: ExactNumber
  /** SAR: everything together. */
  readonly due_amount: ExactNumber
  /** Null: from the beginning. */
  readonly from: string | null
  /** The end of the period, which is not in it. */
  readonly until: string
}

/** Takes halalas as a settlement stores them, null in old ones; gives SAR. */
export const sarOf = (halalas: string | null): ExactNumber => exactNumber(BigInt(halalas ?? 0), 2)

/** Shows a period with its sums. */
export function viewPeriod(
  settlement_id: Uuid | null,
  { merchant_id, orders, position, from, until }: SummedPeriod,
): SettlementView {
  return {
    settlement_id,
    merchant_id,
    orders,
    net_points: exactNumber(position.net_points, 0),
    net_amount: exactNumber(position.net_halalas, 2),
    money_amount: exactNumber(position.money_halalas, 2),
    fee_amount: exactNumber(position.fee_halalas, 2),
    vat_amount: exactNumber(position.vat_halalas, 2),
    due_amount: exactNumber(position.due_halalas, 2),
    from: from?.toISOString() ?? null,
    until: until.toISOString(),
  }
}

/** A merchant with nothing to settle. */
export function viewNothing(merchant_id: number, until: Date): SettlementView {
  const nothing = { net_points: 0, net_amount: 0, money_amount: 0, fee_amount: 0, vat_amount: 0, due_amount: 0 }
  return { settlement_id: null, merchant_id, orders: 0, ...nothing, from: null, until: until.toISOString() }
}
