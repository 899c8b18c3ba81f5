import { claimRows, type Leased, takeTurns } from '../../db/leased-queue.ts'
import type { Database } from '../../db/pool.ts'
import {
  type Ask,
  decideTask,
  isOtherAccount,
  type PaymentState,
  type TaskStep,
  waitBeforeTry,
} from '../../domain/payment.ts'
import { minute_ms, secondsSince } from '../../domain/spans.ts'
import type { Clock, Timed } from '../../lib/clock.ts'
import type {
  PaymentDone,
  PaymentError,
  PaymentProvider,
  PaymentProviders,
  PaymentRecord,
} from '../../providers/payment/port.ts'
import { findPayment } from '../orders/payment-queries.ts'
import {
  type ClaimedTask,
  claimTasks,
  countTasks,
  endProviderRefund,
  findProgramsToRefund,
  movePayment,
  recordRefundedBefore,
  takeRefundsAsRequested,
  taskQueue,
} from '../orders/payment-task-queries.ts'
import { lockOrder } from '../orders/queries.ts'
import { findingOfRefused, keepFindingIn } from './findings.ts'

export interface TaskParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  /** Called with the ids of a task that its provider refused for good: a person has to look at it. */
  readonly onRefused?: (task: RefusedTask) => void
  /** Called when an attempt throws. The task is retried. */
  readonly onError?: (error: unknown) => void
  readonly lease_ms?: number
  /** The machine's clock, in milliseconds. */
  readonly now?: () => number
}

export type RefusedTask = Readonly<
  Pick<ClaimedTask, 'program_id' | 'order_uuid' | 'payment_uuid' | 'refund_uuid' | 'kind' | 'provider'>
>

/** Performs the due tasks of all programs, no more once it is `stopping`; gives how many attempts were made. */
export type RunDueTasks = (stopping?: AbortSignal) => Promise<number>

const at_once = 8
/** The longest that an adapter takes to read the record and send the request. */
const longest_ask_ms = minute_ms
const default_lease_ms = 2 * longest_ask_ms

/**
 * Sends due tasks to providers. Any number of workers may run: each leases its tasks with `skip locked`. When a worker dies
 * between a commit, a request and its answer, the next one reads the provider's record first.
 */
export function createRunDueTasks(asked: TaskParts): RunDueTasks {
  const { db, now = Date.now } = asked
  const parts = { ...asked, now }
  return async (stopping) => {
    let attempts = 0
    const turn = async (program_id: number): Promise<number> => {
      const tasks = await claim(parts, program_id)
      await Promise.all(tasks.map((task) => perform(parts, task)))
      attempts += tasks.length
      return tasks.length
    }
    await takeTurns(db, taskQueue, new Date(now()), turn, stopping)
    return attempts
  }
}

function claim(
  { db, now, lease_ms = default_lease_ms }: Timed<TaskParts>,
  program_id: number,
): Promise<readonly LeasedTask[]> {
  const at = new Date(now())
  return claimRows(db, taskQueue, { program_id, now: at, lease_ms }, async (tx) => {
    const find = (giving_back: boolean, limit: number) => tx.run(claimTasks(program_id, at, { limit, giving_back }))
    // Anyone can begin payments and abandon them. Tasks that merchants caused do not wait behind those that give back.
    const urgent = await find(false, at_once)
    return urgent.length < at_once ? [...urgent, ...(await find(true, at_once - urgent.length))] : urgent
  })
}

async function perform(parts: Timed<TaskParts>, task: LeasedTask): Promise<void> {
  const { db, payments, now, onError } = parts
  try {
    const attempted = await attempt(
      {
        payments,
        now,
        recordRefunded: async ({ refunded_halalas }) =>
          (await db.run(recordRefundedBefore(task, refunded_halalas))).length > 0,
      },
      task,
    )
    await write(parts, task, attempted)
  } catch (error) {
    // After the lease, the next worker reads from the provider's record how far this attempt came.
    onError?.(error)
  }
}

async function write(parts: Timed<TaskParts>, task: LeasedTask, attempted: Attempted): Promise<void> {
  const { db, now } = parts
  if (attempted.kind === 'left') return
  if (attempted.kind === 'again') {
    const at_ms = now()
    const due_at = new Date(at_ms + attempted.wait_ms)
    await db.run(taskQueue.write(task, { state: 'due', due_at, error: attempted.error }, new Date(at_ms)))
    return
  }
  const ended = await end(parts, task, attempted)
  if (ended && attempted.state === 'refused') {
    const { program_id, order_uuid, payment_uuid, refund_uuid, kind, provider } = task
    parts.onRefused?.({ program_id, order_uuid, payment_uuid, refund_uuid, kind, provider })
  }
}

/**
 * Ends a task and applies its outcome, under the order's lock. Gives false where it did not end: another worker has the lease, or
 * the payment has changed since the task was claimed, as by money that came meanwhile. Then the task is due again at once.
 */
function end(
  parts: Timed<TaskParts>,
  task: LeasedTask,
  ended: Extract<Attempted, { kind: 'ended' }>,
): Promise<boolean> {
  const { db, clock, now } = parts
  const { state, reference, error, to, known } = ended
  return db.transaction(async (tx) => {
    void tx.run(lockOrder(task))
    const payment = await tx.one(findPayment(task.program_id, task.payment_uuid))
    const at = new Date(now())
    if (payment?.state !== task.payment_state) {
      await tx.run(taskQueue.write(task, { state: 'due', due_at: at, error: 'the payment changed meanwhile' }, at))
      return false
    }
    const written = await tx.one(taskQueue.write(task, { state, reference, error }, at))
    if (written === undefined) return false
    if (task.refund_uuid !== null) void tx.run(endProviderRefund(task.program_id, task.refund_uuid, state, reference))
    if (to !== null) void tx.run(movePayment(task, to, known, clock.now()))
    if (state === 'refused') keepFindingIn(tx, task.program_id, findingOfRefused(task, known, error))
    return true
  })
}

/** A task that this worker has leased. */
type LeasedTask = Leased<ClaimedTask>

/** The outcome of one attempt: the task ended, or is due again after a wait. */
type Attempted =
  | {
      readonly kind: 'ended'
      readonly state: 'done' | 'refused'
      readonly to: PaymentState | null
      readonly reference: string | null
      readonly known: string | null
      readonly error: string | null
    }
  | { readonly kind: 'again'; readonly wait_ms: number; readonly error: string }
  /** Another worker has the lease, or too little of it is left to send a request. */
  | { readonly kind: 'left' }

interface PerformParts {
  readonly payments: PaymentProviders
  /** Records what has been refunded so far, before asking for more. Gives false when another worker has the lease. */
  readonly recordRefunded: (record: PaymentRecord) => Promise<boolean>
  /** The machine's clock, in milliseconds. */
  readonly now: () => number
}

/** Makes one attempt of a task. Reads the provider's record first, so that nothing is done twice. */
async function attempt(parts: PerformParts, task: LeasedTask): Promise<Attempted> {
  const provider = await parts.payments.of(task, task.provider)
  if (provider === undefined) return again(task, 'credentials', `there are no credentials for ${task.provider}`, false)
  const record = await provider.query(task)
  if (record.kind !== 'payment' && record.kind !== 'not_found') return again(task, record.kind, record.detail, false)
  const found = record.kind === 'payment' ? record : null
  if (found === null && task.provider_account !== null && isOtherAccount(task.provider_account, provider.account))
    return again(task, 'credentials', `the payment is in another account at ${task.provider}`, false)
  const step = stepOf(parts, task, found)
  if (step.kind === 'wait') return again(task, 'waiting', step.why, false)
  const known = found?.provider_reference ?? null
  if (step.kind === 'done') return { kind: 'ended', state: 'done', to: step.to, reference: null, known, error: null }
  if (step.kind === 'refused')
    return { kind: 'ended', state: 'refused', to: null, reference: null, known, error: step.why }
  if (parts.now() + longest_ask_ms > task.leased_until.getTime()) return { kind: 'left' }
  if (step.what === 'refund' && found !== null && !(await parts.recordRefunded(found))) return { kind: 'left' }
  return outcomeOf(task, step, known, await ask(provider, { ...task, provider_reference: known }, step))
}

function stepOf({ now }: PerformParts, task: ClaimedTask, record: PaymentRecord | null): TaskStep {
  const refund_name = refundNameOf(task)
  const at_ms = now()
  const captured_ms = task.captured_at === null ? null : at_ms - task.captured_at.getTime()
  return decideTask({ ...task, refund_name, captured_ms, age_ms: at_ms - task.created_at.getTime() }, record)
}

function refundNameOf({ refund_uuid, task_uuid }: ClaimedTask) {
  return refund_uuid ?? task_uuid
}

function ask(provider: PaymentProvider, task: ClaimedTask, step: Ask): Promise<PaymentDone | PaymentError> {
  const { program_id, payment_uuid, provider_reference, amount_halalas, reason } = task
  const asked = { program_id, payment_uuid, provider_reference }
  if (step.what === 'refund')
    return provider.refund({ ...asked, refund_uuid: refundNameOf(task), amount_halalas: step.amount_halalas, reason })
  return step.what === 'void' ? provider.void(asked) : provider.capture({ ...asked, amount_halalas })
}

function outcomeOf(task: ClaimedTask, step: Ask, known: string | null, outcome: PaymentDone | PaymentError): Attempted {
  if (outcome.kind === 'done')
    return { kind: 'ended', state: 'done', to: step.to, reference: outcome.reference, known, error: null }
  const { kind, detail } = outcome
  if (kind === 'unknown' || kind === 'credentials') return again(task, kind, detail, kind === 'unknown')
  // Another attempt would be refused too: a person has to look at it.
  if (!step.refusal_ends) return again(task, kind, detail, false)
  return { kind: 'ended', state: 'refused', to: null, reference: null, known, error: `${kind}: ${detail}` }
}

function again({ attempts }: ClaimedTask, kind: string, detail: string, in_doubt: boolean): Attempted {
  return { kind: 'again', wait_ms: waitBeforeTry(attempts + 1, in_doubt), error: `${kind}: ${detail}` }
}

/**
 * How many tasks are due, and for how long the oldest. A task that waits for an abandoned payment page is due, but not late.
 */
export interface TasksDue {
  readonly tasks: number
  readonly oldest_s: number
}

/** Counts the tasks of all programs, for metrics. */
export async function readTasksDue(db: Database, now: Date): Promise<TasksDue> {
  const counted = await db.one(countTasks())
  if (counted === undefined) throw new Error('no row from a count')
  const { tasks, oldest_ms } = counted
  const oldest_s = oldest_ms === null ? 0 : secondsSince(oldest_ms, now)
  return { tasks, oldest_s }
}

/**
 * Prepares a restored database: refunds that were due at the backup may have been made since. Taken as requested, they are
 * found in the provider's record, by their amount where it keeps no names, and not made again.
 * docs/decisions/0015-payments.md
 */
export async function takeDueRefundsAsRequested(db: Database): Promise<void> {
  for (const { program_id } of await db.run(findProgramsToRefund())) await db.run(takeRefundsAsRequested(program_id))
}
