import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { bookedAt } from '../../domain/booking.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Clock } from '../../lib/clock.ts'
import { bookOrder } from '../orders/queries.ts'
import { lockOrderAlone } from '../orders/service.ts'
import { type DisputePlace, type DisputeRow, findDisputes } from './dispute-queries.ts'
import { countExclusions, type ExclusionRow, endExclusion, findExclusion, insertExclusion } from './queries.ts'
import type { SettlementOwner } from './statement.ts'

/** An order in dispute. */
export interface ExclusionRequest {
  readonly program_id: number
  readonly merchant_id: number
  readonly order_uuid: Uuid
  readonly now: Date
  readonly by?: Actor | undefined
}

/** The most characters of the reason, which operators read. */
export const max_dispute_reason = 500

/** The most orders of a merchant that are left out at a time: each close looks at them one by one. */
const most_excluded = 1_000

/**
 * Leaves a paid order out of settlements until it is taken in again: it stays `pending`, and can be refunded. Refuses with
 * `order_not_found`, `cannot_leave_out` if it is not paid, or its period is closed, or `left_out_full`.
 * docs/spec/settlement.md#left-out
 */
export function excludeOrder(
  db: Database,
  request: ExclusionRequest & { readonly reason: string },
  beforeCommit?: BeforeCommit<void>,
): Promise<void> {
  return db.transaction(async (tx) => {
    const order = await lockOrderAlone(tx, request)
    const left_out = await tx.one(countExclusions(request.program_id, request.merchant_id))
    if (order.paid_at === null || order.closed) throw new DomainError({ kind: 'cannot_leave_out' })
    if ((left_out?.orders ?? 0) >= most_excluded) throw new DomainError({ kind: 'left_out_full' })
    void tx.run(insertExclusion(request, request.reason, request.now))
    void tx.run(bookOrder(request, null))
    record(tx, request, 'settlement.exclude')
    await beforeCommit?.(tx, undefined)
  })
}

/**
 * Takes an order that is left out into the open period, with all its entries. Refuses with `order_not_found` or
 * `not_left_out`.
 */
export function includeOrder(
  db: Database,
  request: ExclusionRequest,
  beforeCommit?: BeforeCommit<void>,
): Promise<void> {
  return db.transaction(async (tx) => {
    const { closing_to, paid_at } = await lockOrderAlone(tx, request)
    const at = bookedAt(bookedAt(request.now, closing_to), paid_at)
    const ended = await tx.one(endExclusion(request, at))
    if (ended === undefined) throw new DomainError({ kind: 'not_left_out' })
    void tx.run(bookOrder(request, at))
    record(tx, request, 'settlement.include')
    await beforeCommit?.(tx, undefined)
  })
}

/** Leaves out the reason: an erasure must be able to remove it. */
function record(
  tx: Transaction,
  { program_id, merchant_id, order_uuid, by }: ExclusionRequest,
  action: 'settlement.exclude' | 'settlement.include',
): void {
  const [before, after] = [{ left_out: action === 'settlement.include' }, { left_out: action === 'settlement.exclude' }]
  audit(tx, by, [{ program_id, merchant_id, action, object: `order:${order_uuid}`, before, after }])
}

type Disputed = Omit<ExclusionRequest, 'now'>

/** Orders in dispute, for operators in the dashboard. */
export interface Disputes {
  /** Orders in dispute of a program, or of one of its merchants, before a place, the newest first. */
  readonly list: (owner: SettlementOwner, before: DisputePlace | null, limit: number) => Promise<readonly DisputeRow[]>
  /** Undefined for an order that is not left out. */
  readonly read: (order: Omit<Disputed, 'by'>) => Promise<ExclusionRow | undefined>
  readonly begin: (request: Disputed & { readonly reason: string }, keep?: BeforeCommit<void>) => Promise<void>
  readonly end: (request: Disputed) => Promise<void>
}

export function createDisputes(db: Database, clock: Clock): Disputes {
  return {
    list: (owner, before, limit) => db.run(findDisputes(owner, before, limit)),
    read: (order) => db.one(findExclusion(order)),
    begin: (request, keep) => excludeOrder(db, { ...request, now: clock.now() }, keep),
    end: (request) => includeOrder(db, { ...request, now: clock.now() }),
  }
}
