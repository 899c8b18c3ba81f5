import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type MadeRefund, type PaidOrder, summarise, visitsKey } from '../../domain/activity.ts'
import { first_uuid, last_uuid, type Uuid, uuidV7Floor, uuidV7Time } from '../../domain/ids.ts'
import { day_ms, hour_ms, minute_ms } from '../../domain/spans.ts'
import { bigintsOf } from '../../lib/exact-number.ts'
import type { ProgramSteps } from '../../lib/step-loop.ts'
import {
  addDays,
  deleteOldDays,
  deleteOldVisits,
  findEndOfPart,
  findEvents,
  findOrdersToBuild,
  findRefunds,
  findRefundsToBuild,
  findVisits,
  type Generation,
  visitSums,
  writeVisits,
} from './count-queries.ts'
import {
  deleteWindows,
  findNewPrograms,
  findPrograms,
  insertProgress,
  insertWindow,
  lockProgress,
  type Progress,
  recountWindows,
  updateProgress,
} from './state-queries.ts'

/**
 * How old an id is before it is added. A transaction writes within seconds of making its ids: its statements end after 15 s, and
 * nobody waits for its retries after 2 s.
 */
export const grace_ms = minute_ms
/** A build leaves more to the windows, which are counted again. */
const build_grace_ms = 10 * minute_ms
const deletion_margin_ms = hour_ms
/** When a window is counted again. Nothing writes an id this late. */
const recount_ms = hour_ms
/** Nobody counts so far beyond the time: the clock was set back since. */
const set_back_ms = hour_ms
/** Rows of one step: the transaction is short, and the event loop is free again soon. */
const default_part = 1_000

export interface CountParts {
  readonly db: Database
  /** The machine's clock. */
  readonly machine_ms?: () => number
  /** Events without which the job makes the figures again are kept for this long. */
  readonly retention_days: number
  readonly part?: number
  /** How old an id is before it is added, if not as old as any that may still be written. */
  readonly grace_ms?: number
  /** Called when figures are made again, because rows came later than any transaction may take. */
  readonly onRebuild?: (of: { readonly program_id: number; readonly why: string }) => void
}

type Step = Required<Omit<CountParts, 'db' | 'onRebuild'>> & {
  readonly tx: Transaction
  readonly program_id: number
  readonly now: Date
  readonly rebuilding: (why: string) => void
}

/** Adds paid orders and refunds to the figures of their days, in parts. Any number of workers may run it. */
export function createCount(parts: CountParts): ProgramSteps {
  const { db, retention_days, part = default_part, machine_ms = Date.now, grace_ms: grace = grace_ms } = parts
  const { onRebuild } = parts
  return {
    async programs() {
      const now_ms = machine_ms()
      for (const { program_id } of await db.run(findNewPrograms()))
        await db.run(insertProgress(program_id, floor(now_ms - build_grace_ms), first_uuid, new Date(now_ms)))
      const [added_to, recounted_to, set_back] = [now_ms - grace, now_ms - recount_ms, now_ms + set_back_ms].map(floor)
      const due = await db.run(findPrograms(added_to, recounted_to, set_back))
      return due.map(({ program_id }) => program_id)
    },
    async step(program_id) {
      const whys: string[] = []
      const done = await db.transaction(async (tx) => {
        whys.length = 0
        const progress = await tx.one(lockProgress(program_id))
        if (progress === undefined) return false
        const now = new Date(machine_ms())
        const rebuilding = (why: string): void => void whys.push(why)
        return takeStep(
          { tx, program_id, now, part, grace_ms: grace, machine_ms, retention_days, rebuilding },
          progress,
        )
      })
      for (const why of whys) onRebuild?.({ program_id, why })
      return done
    },
  }
}

function takeStep(step: Step, progress: Progress): Promise<boolean> {
  if (progress.build_step === 'orders') return buildOrders(step, progress)
  if (progress.build_step === 'refunds') return buildRefunds(step, progress)
  if (progress.build_step === 'old figures') return deleteOldFigures(step, progress)
  return addNew(step, progress)
}

const floor = (time_ms: number): Uuid => uuidV7Floor(time_ms)

/** Adds what has happened since the last step. */
async function addNew(step: Step, progress: Progress): Promise<boolean> {
  const { tx, program_id, part, now, retention_days } = step
  if (await hasLateRows(step)) return rebuild(step, progress, 'rows came late')
  const from = progress.counted_to
  // Until its time comes, nothing would be added.
  if (from > floor(now.getTime() + set_back_ms)) return rebuild(step, progress, 'the clock was set back')
  const limit = floor(now.getTime() - step.grace_ms)
  if (from >= limit) return false
  // Younger events are there: whoever deletes some meanwhile may have a clock that is a little ahead.
  if (uuidV7Time(from) < now.getTime() - (retention_days * day_ms - deletion_margin_ms))
    return rebuild(step, progress, 'events that are deleted by now were not added')
  const to = (await tx.one(findEndOfPart(program_id, from, limit, part)))?.event_id ?? limit
  const [events, refunds] = await Promise.all([
    tx.run(findEvents(program_id, from, to)),
    tx.run(findRefunds(program_id, from, to)),
  ])
  const counted = events.length + refunds.length
  // Do not pass over an empty window: nobody would count it again, and a process whose clock is behind may still write rows.
  if (counted === 0) return false
  const orders = events.filter((event) => event.merchant_id !== null)
  await addTo({ program_id, generation: progress.generation }, tx, orders, refunds)
  if (uuidV7Time(to) > now.getTime() - recount_ms)
    void tx.run(insertWindow(program_id, { from_id: from, to_id: to, counted }))
  void tx.run(updateProgress(program_id, { ...progress, counted_to: to }, now))
  return to !== limit
}

/** Counts the rows of old windows again, and deletes those windows. */
async function hasLateRows({ tx, program_id, now }: Step): Promise<boolean> {
  const windows = await tx.run(recountWindows(program_id, floor(now.getTime() - recount_ms)))
  const last = windows.at(-1)
  if (last === undefined) return false
  void tx.run(deleteWindows(program_id, last.from_id))
  return windows.some(({ counted, found }) => counted !== found)
}

/** Begins the next generation. Pages show the last one until it is complete. */
async function rebuild(step: Step, progress: Progress, why: string): Promise<boolean> {
  const { tx, program_id, now, rebuilding } = step
  const counted_to = floor(now.getTime() - build_grace_ms)
  const begun = { ...progress, counted_to, building: true, build_step: 'orders', build_after: first_uuid } as const
  void tx.run(deleteWindows(program_id, last_uuid))
  void tx.run(updateProgress(program_id, begun, now))
  rebuilding(why)
  return true
}

async function buildOrders({ tx, program_id, part, now }: Step, progress: Progress): Promise<boolean> {
  const { counted_to, generation, build_after } = progress
  const found = await tx.run(findOrdersToBuild(program_id, build_after, counted_to, part))
  const orders = found.filter(({ is_counted }) => is_counted)
  await addTo({ program_id, generation: generation + 1 }, tx, orders, [])
  const next =
    found.length < part
      ? { build_step: 'refunds' as const, build_after: first_uuid }
      : { build_after: found.at(-1)?.order_uuid ?? build_after }
  void tx.run(updateProgress(program_id, { ...progress, ...next }, now))
  return true
}

async function buildRefunds({ tx, program_id, part, now }: Step, progress: Progress): Promise<boolean> {
  const { counted_to, generation, build_after } = progress
  const refunds = await tx.run(findRefundsToBuild(program_id, build_after, counted_to, part))
  await addTo({ program_id, generation: generation + 1 }, tx, [], refunds)
  const next: Partial<Progress> =
    refunds.length < part
      ? { generation: generation + 1, building: false, build_step: 'old figures', build_after: first_uuid }
      : { build_after: refunds.at(-1)?.refund_uuid ?? build_after }
  void tx.run(updateProgress(program_id, { ...progress, ...next }, now))
  return true
}

async function deleteOldFigures({ tx, program_id, part, now }: Step, progress: Progress): Promise<boolean> {
  const days = await tx.run(deleteOldDays(program_id, progress.generation, part))
  const visits = await tx.run(deleteOldVisits(program_id, progress.generation, part))
  if (days.length + visits.length > 0) return true
  void tx.run(updateProgress(program_id, { ...progress, build_step: null, build_after: null }, now))
  return true
}

async function addTo(
  of: Generation,
  tx: Transaction,
  orders: readonly PaidOrder[],
  refunds: readonly MadeRefund[],
): Promise<void> {
  const keys = new Map(
    orders.flatMap(({ merchant_id, customer_id }) =>
      customer_id === null ? [] : [[visitsKey({ merchant_id, customer_id }), { merchant_id, customer_id }] as const],
    ),
  )
  const known = keys.size === 0 ? [] : await tx.run(findVisits(of, [...keys.values()]))
  const before = known.map((one) => ({ ...one, ...bigintsOf(one, visitSums) }))
  const { days, visits } = summarise(orders, refunds, new Map(before.map((one) => [visitsKey(one), one])))
  if (visits.length > 0) void tx.run(writeVisits(of, visits))
  if (days.length > 0) void tx.run(addDays(of, days))
}
