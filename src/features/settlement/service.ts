import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { Actor } from '../../domain/audit.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MicroSarPerPoint } from '../../domain/points.ts'
import { type SettlementNet, settlementNet } from '../../domain/settlement.ts'
import type { Clock } from '../../lib/clock.ts'
import { type ExactNumber, exactNumber } from '../../lib/exact-number.ts'
import { newUuid } from '../../lib/ids.ts'
import { settleOrders } from '../orders/write-queries.ts'
import { insertSettlement, type SumsRow, sumSettled, sumUnsettled } from './queries.ts'

/** A merchant, with the value of its program's point. */
export interface SettledMerchant {
  readonly program_id: number
  readonly merchant_id: number
  readonly micro_sar_per_point: MicroSarPerPoint
}

/** The output of the commands. `settlement_id` is null in a preview, and if there was nothing to settle. */
export interface SettlementView {
  readonly settlement_id: Uuid | null
  readonly merchant_id: number
  readonly orders: number
  readonly net_points: ExactNumber
  /** SAR; above 0 the merchant owes it to the program, below 0 the program owes it to the merchant. */
  readonly net_amount: ExactNumber
}

/** Sums all orders that are owed and not settled. Writes nothing. */
export async function previewSettlement(db: Database, merchant: SettledMerchant): Promise<SettlementView> {
  return viewSettlement(merchant, null, await db.one(sumUnsettled(merchant)))
}

/**
 * Closes a settlement of a merchant: its orders become `settled` and can no longer be refunded. Waits for running
 * refunds, and counts them. Writes nothing if no order is owed.
 */
export function closeSettlement(
  db: Database,
  clock: Clock,
  merchant: SettledMerchant,
  by?: Actor,
): Promise<SettlementView> {
  return db.transaction(async (tx) => {
    const now = clock.now()
    const settlement_id = newUuid()
    void tx.run(settleOrders(merchant, settlement_id, now))
    const sums = await tx.one(sumSettled(merchant, settlement_id))
    if (sums === undefined || sums.orders === 0) return viewSettlement(merchant, null, sums)
    const { program_id, merchant_id, micro_sar_per_point } = merchant
    const { net_points, net_halalas } = netOf(merchant, sums)
    const net = { net_points: String(net_points), net_halalas: String(net_halalas) }
    const row = { program_id, settlement_id, merchant_id, orders: sums.orders, ...net, micro_sar_per_point }
    void tx.run(insertSettlement(row, now))
    const view = viewSettlement(merchant, settlement_id, sums)
    const { settlement_id: _, ...after } = view
    const object = `settlement:${settlement_id}` as const
    audit(tx, by, [{ program_id, merchant_id, action: 'settlement.close', object, before: null, after }])
    return view
  })
}

const noOrders: SumsRow = { orders: 0, issued_points: '0', redeemed_points: '0' }

function netOf({ micro_sar_per_point }: SettledMerchant, sums: SumsRow): SettlementNet {
  const [issued_points, redeemed_points] = [BigInt(sums.issued_points), BigInt(sums.redeemed_points)]
  return settlementNet({ orders: sums.orders, issued_points, redeemed_points }, micro_sar_per_point)
}

function viewSettlement(
  merchant: SettledMerchant,
  settlement_id: Uuid | null,
  sums: SumsRow = noOrders,
): SettlementView {
  const { net_points, net_halalas } = netOf(merchant, sums)
  const { merchant_id } = merchant
  const net = { net_points: exactNumber(net_points, 0), net_amount: exactNumber(net_halalas, 2) }
  return { settlement_id, merchant_id, orders: sums.orders, ...net }
}
