import type { Database } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PaymentProviders } from '../../providers/payment/port.ts'
import {
  claimTasks,
  countTasks,
  endProviderLeg,
  findProgramsWithTasks,
  leaseTasks,
  movePayment,
  noteRefundedBefore,
  writeOutcome,
} from '../orders/payment-task-queries.ts'
import { lockOrder } from '../orders/queries.ts'
import { type Attempted, type Leased, longest_ask_ms, performTask } from './task-perform.ts'

export interface TaskParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  /** Told of what a person has to look at, by ids alone. */
  readonly onRefused?: (task: RefusedTask) => void
  /** Told of what went wrong with one task; it is tried again. */
  readonly onError?: (error: unknown) => void
  readonly lease_ms?: number
  /** The machine's clock, in milliseconds; tests bring their own. */
  readonly now?: () => number
}

export type RefusedTask = Readonly<
  Pick<Leased['task'], 'program_id' | 'order_uuid' | 'payment_uuid' | 'refund_uuid' | 'kind' | 'provider'>
>

/** Performs what is due, of all programs, and gives how many attempts were made. */
export type RunDueTasks = () => Promise<number>

const at_once = 8
const standard_lease_ms = 2 * longest_ask_ms

/**
 * Tells providers what is due, as one of any number of workers: tasks are taken with `skip locked` for a lease, and whatever
 * dies between a commit, a request and its answer is found by the next worker, which reads the provider's record first.
 */
export function createRunDueTasks(parts: TaskParts): RunDueTasks {
  const { db, now = Date.now } = parts
  return async () => {
    let attempts = 0
    for (const { program_id } of await db.run(findProgramsWithTasks(new Date(now())))) {
      for (;;) {
        const taken = await take(parts, program_id)
        if (taken.length === 0) break
        attempts += taken.length
        await Promise.all(taken.map((leased) => perform(parts, leased)))
      }
    }
    return attempts
  }
}

function take({ db, now = Date.now, lease_ms = standard_lease_ms }: TaskParts, program_id: number): Promise<Leased[]> {
  const at_ms = now()
  const leased_until = new Date(at_ms + lease_ms)
  return db.transaction(async (tx) => {
    const claim = (giving_back: boolean, limit: number) =>
      tx.run(claimTasks(program_id, new Date(at_ms), { limit, giving_back }))
    // Strangers can begin payments and leave them to be given back: what merchants asked for does not wait behind those.
    const asked = await claim(false, at_once)
    const tasks = asked.length < at_once ? [...asked, ...(await claim(true, at_once - asked.length))] : asked
    if (tasks.length > 0) void tx.run(leaseTasks(program_id, tasks, leased_until))
    return tasks.map((task) => ({ task, leased_until }))
  })
}

async function perform(parts: TaskParts, leased: Leased): Promise<void> {
  const { db, payments, now = Date.now, onError } = parts
  const note = noteRefundedBefore
  try {
    const attempted = await performTask(
      {
        payments,
        now,
        noteRefundedBefore: async ({ task, leased_until }, { refunded_halalas }) =>
          (await db.run(note(task, leased_until, refunded_halalas))).length > 0,
      },
      leased,
    )
    await write(parts, leased, attempted)
  } catch (error) {
    // Its lease runs out, and the next worker finds in the provider's record how far this came.
    onError?.(error)
  }
}

async function write(parts: TaskParts, leased: Leased, attempted: Attempted): Promise<void> {
  const { db, now = Date.now } = parts
  const { task, leased_until } = leased
  if (attempted.kind === 'left') return
  if (attempted.kind === 'again') {
    const due_at = new Date(now() + attempted.wait_ms)
    await db.run(writeOutcome(task, leased_until, { state: 'due', due_at, error: attempted.error }, new Date(now())))
    return
  }
  await end(parts, leased, attempted)
  if (attempted.state === 'refused') {
    const { program_id, order_uuid, payment_uuid, refund_uuid, kind, provider } = task
    parts.onRefused?.({ program_id, order_uuid, payment_uuid, refund_uuid, kind, provider })
  }
}

/** Ends a task together with what follows from it, under the order's lock. */
async function end(parts: TaskParts, leased: Leased, ended: Extract<Attempted, { kind: 'ended' }>): Promise<void> {
  const { db, clock, now = Date.now } = parts
  const { task, leased_until } = leased
  const { state, reference, error, to, known } = ended
  await db.transaction(async (tx) => {
    void tx.run(lockOrder(task))
    const kept = await tx.one(
      writeOutcome(task, leased_until, { state, provider_reference: reference, error }, new Date(now())),
    )
    if (kept === undefined) return
    if (task.refund_uuid !== null) void tx.run(endProviderLeg(task.program_id, task.refund_uuid, state, reference))
    if (to !== null) void tx.run(movePayment(task, to, known, clock.now()))
  })
}

/** What providers are still to be told, and what they have refused for good. */
export interface TasksDue {
  readonly tasks: number
  readonly oldest_s: number
  readonly refused: number
}

/** Counts it, of all programs, for metrics. */
export async function readTasksDue(db: Database, now: Date): Promise<TasksDue> {
  const counted = await db.one(countTasks())
  if (counted === undefined) throw new Error('a count gives a row')
  const { tasks, refused, oldest_ms } = counted
  const oldest_s = oldest_ms === null ? 0 : Math.max(0, now.getTime() - oldest_ms) / 1000
  return { tasks, refused, oldest_s }
}
