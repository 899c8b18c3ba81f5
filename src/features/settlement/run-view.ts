import type { Database } from '../../db/pool.ts'
import { ties } from '../../domain/settlement.ts'
import { type ExactNumber, exactNumber, parseExactJson } from '../../lib/exact-number.ts'
import { findNamesOf } from './read-queries.ts'
import type { RunRow, SettledRow } from './run-queries.ts'
import type { Settlements } from './service.ts'
import { type SettlementView, sarOf } from './view.ts'

/** Merchants that a result names; the sums are of all. */
const most_named = 50

type Settled = Pick<
  SettlementView,
  'settlement_id' | 'merchant_id' | 'orders' | 'net_points' | 'fee_amount' | 'due_amount'
>

/** A settlement of a run, for its result. */
export function viewSettled({ net_points, fee_halalas, due_halalas, ...row }: SettledRow): Settled {
  return {
    ...row,
    net_points: exactNumber(BigInt(net_points), 0),
    fee_amount: sarOf(fee_halalas),
    due_amount: sarOf(due_halalas),
  }
}

/** What a run came to, as it is stored: the sums, and the merchants with the largest amounts. */
export async function resultOf(
  db: Database,
  program_id: number,
  { settlements, tie }: { readonly settlements: readonly Settled[]; readonly tie: Settlements['tie'] },
): Promise<string> {
  const size = (of: ExactNumber): bigint => (halalasOf(of) < 0n ? -halalasOf(of) : halalasOf(of))
  const largest = settlements.toSorted((a, b) => Number(size(b.due_amount) - size(a.due_amount))).slice(0, most_named)
  const names = await db.run(
    findNamesOf(
      program_id,
      largest.map(({ merchant_id }) => merchant_id),
    ),
  )
  return JSON.stringify({
    merchants: settlements.length,
    orders: settlements.reduce((sum, { orders }) => sum + orders, 0),
    due_amount: exactNumber(
      settlements.reduce((sum, { due_amount }) => sum + halalasOf(due_amount), 0n),
      2,
    ),
    tie:
      tie === null
        ? null
        : {
            outstanding_points: exactNumber(tie.outstanding_points, 0),
            settled_points: exactNumber(tie.settled_points, 0),
            open_points: exactNumber(tie.open_points, 0),
            adjusted_points: exactNumber(tie.adjusted_points, 0),
            ties: ties(tie),
          },
    largest: largest.map(({ settlement_id, merchant_id, orders, net_points, fee_amount, due_amount }) => {
      const { name = '', name_ar = null } = names.find((one) => one.merchant_id === merchant_id) ?? {}
      return {
        settlement_id,
        merchant_id,
        merchant_name: name,
        merchant_name_ar: name_ar,
        orders,
        net_points,
        fee_amount,
        due_amount,
      }
    }),
  })
}

function halalasOf(sar: ExactNumber): bigint {
  const [whole = '0', fraction = ''] = (typeof sar === 'number' ? String(sar) : sar.rawJSON).split('.')
  return BigInt(whole + fraction.padEnd(2, '0'))
}

/** A run for the dashboard. */
export function viewRun(row: RunRow, now = new Date()) {
  const { run_uuid, kind, merchant_id, asked_by, proposed_by, step, done, total: of, error } = row
  const isLeased = row.leased_until !== null && row.leased_until > now
  return {
    ...{ run_uuid, kind, merchant_id, asked_by, proposed_by, step, done, of, error },
    result: row.result === null ? null : parseExactJson(row.result),
    state: row.state === 'due' ? (isLeased ? 'running' : 'waiting') : row.state,
    until: row.until_at.toISOString(),
    asked_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}
