import { setTimeout as sleep } from 'node:timers/promises'
import type { Uuid } from '../domain/ids.ts'
import { after } from '../domain/spans.ts'
import { isRepairDue, latestEnd } from '../lib/clock.ts'
import { isDatabaseUnavailable } from './failure.ts'
import type { Database, Queryable } from './pool.ts'
import { programsWith } from './programs.ts'
import { prepared, rowsOfLists, type Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/**
 * A table of work that is due. Besides `key` it has `program_id`, `state`, `attempts`, `due_at`, `leased_until`, `error`,
 * `created_at` and `ended_at`, and an index of the rows in the state `due` by program and time.
 */
export interface QueueTable<Key extends string> {
  /** Begins the names of its prepared statements. */
  readonly name: string
  readonly table: string
  /** The column that names a row in its program. */
  readonly key: Key
  /** Its other columns without a default, separated by commas. */
  readonly required: string
  /** A column that keeps what a provider called the outcome. */
  readonly reference?: string
  /** The longest that a row waits, or is leased: see `latestEnd`. */
  readonly longest_ms: number
}

export type RowKey<Key extends string> = { readonly program_id: number } & Readonly<Record<Key, Uuid>>

/** A row that a worker has leased. Another worker may claim it after `leased_until`. */
export type Leased<Row> = Row & { readonly leased_until: Date }

/** The outcome of an attempt: the row has ended, or is due again. `error` is what the last attempt failed with. */
export type QueueOutcome<Ended extends string> =
  | { readonly state: Ended; readonly error: string | null; readonly reference?: string | null }
  | { readonly state: 'due'; readonly error: string; readonly due_at: Date }

/** The statements that every queue has. Times are the machine's clock. */
export interface LeasedQueue<Key extends string, Ended extends string> {
  /** The programs with due rows. */
  readonly programs: (now: Date) => Statement<{ program_id: number }>
  /** Counts an attempt of locked rows, and leases them until `until`. */
  readonly lease: (program_id: number, keys: readonly Uuid[], until: Date) => Statement<never>
  /** Writes the outcome of an attempt and ends the lease. Gives nothing if another worker has the lease by now. */
  readonly write: (row: Leased<RowKey<Key>>, outcome: QueueOutcome<Ended>, now: Date) => Statement<Record<Key, Uuid>>
  /** Ends the lease without an attempt: the row is due at `due_at`. */
  readonly postpone: (row: Leased<RowKey<Key>>, due_at: Date) => Statement<never>
  readonly keyOf: (row: RowKey<Key>) => Uuid
  /** The programs with rows further ahead than the queue puts any, and the statement that makes those of one due now. */
  readonly ahead: (now: Date) => { readonly programs: Statement<{ program_id: number }>; readonly repair: Repair }
}

type Repair = (program_id: number) => Statement<never>

/** SQL: the rows of a queue `q` that a worker may claim, for the program `$1` at the time `$2`. */
export const claimable = `q.program_id = $1 and q.state = 'due' and q.due_at <= $2
     and (q.leased_until is null or q.leased_until <= $2)`

/** SQL: the row `$2` of the program `$1`, if it is in the state `$4` and leased until `$3` as the caller believes. */
export function leasedRow(key: string): string {
  return `program_id = $1 and ${key} = $2 and leased_until = $3 and state = $4 and (program_id, ${key}) >= ($1, $2)`
}

/** Prepares the statements of a queue. docs/decisions/0030-one-leased-queue.md */
export function leasedQueue<Key extends string, Ended extends string>(of: QueueTable<Key>): LeasedQueue<Key, Ended> {
  const { name, table, key, required, reference, longest_ms } = of
  const programs = prepared<{ program_id: number }>(
    `${name}.programs`,
    programsWith(`select from ${table} q where q.program_id = p.program_id and q.state = 'due' and q.due_at <= $1`),
  )
  const lease = prepared<never>(
    `${name}.lease`,
    `insert into ${table} as q (program_id, ${key}, ${required}, due_at, leased_until, created_at)
     select $1::bigint, ${key}, ${required}, due_at, $3::timestamptz, created_at
     from ${rowsOfLists('$2::uuid[]', 'k(id)')}
     cross join lateral (
       select q.* from ${table} q where q.program_id = $1 and q.${key} = k.id and (q.program_id, q.${key}) >= ($1, k.id) limit 1
     ) q
     on conflict (program_id, ${key}) do update set attempts = q.attempts + 1, leased_until = excluded.leased_until`,
  )
  const write = prepared<Record<Key, Uuid>>(
    `${name}.write`,
    `update ${table} set state = $5, error = $6, due_at = coalesce($7::timestamptz, due_at), leased_until = null,
       ended_at = $8${reference === undefined ? '' : `, ${reference} = $9`}
     where ${leasedRow(key)} returning ${key}`,
  )
  const postpone = prepared<never>(
    `${name}.postpone`,
    `update ${table} set attempts = attempts - 1, due_at = $5, leased_until = null where ${leasedRow(key)}`,
  )
  const leaseOf = (row: Leased<RowKey<Key>>) => [row.program_id, row[key], row.leased_until, 'due']
  return {
    programs,
    lease,
    write: (row, outcome, now) => {
      const { state, error } = outcome
      const [due_at, ended_at] = 'due_at' in outcome ? [outcome.due_at, null] : [null, now]
      const named = reference === undefined ? [] : ['reference' in outcome ? outcome.reference : null]
      return write(...leaseOf(row), state, error, due_at, ended_at, ...named)
    },
    postpone: (row, due_at) => postpone(...leaseOf(row), due_at),
    keyOf: (row) => row[key],
    ahead(now) {
      const latest = latestEnd(now.getTime(), longest_ms)
      const isAhead = (at: string) => `state = 'due' and (due_at > ${at} or leased_until > ${at})`
      const found = `select from ${table} q where q.program_id = p.program_id and ${isAhead('$1')}`
      const repair = `update ${table} set due_at = least(due_at, $2), leased_until = case when leased_until > $3 then $2 else leased_until end
        where program_id = $1 and ${isAhead('$3')}`
      return {
        programs: { text: programsWith(found), values: [latest] },
        repair: (program_id) => ({ text: repair, values: [program_id, now, latest] }),
      }
    },
  }
}

/**
 * Claims rows of a program in one transaction: counts the attempt to come and leases them, so that no other worker makes
 * it too. `find` locks claimable rows with `skip locked`.
 * @returns the rows, each with the end of its lease
 */
export function claimRows<Key extends string, Row extends RowKey<Key>>(
  db: Database,
  queue: Pick<LeasedQueue<Key, string>, 'lease' | 'keyOf'>,
  { program_id, now, lease_ms }: { readonly program_id: number; readonly now: Date; readonly lease_ms: number },
  find: (tx: Transaction) => Promise<readonly Row[]>,
): Promise<readonly Leased<Row>[]> {
  const leased_until = after(now, lease_ms)
  return db.transaction(async (tx) => {
    const rows = await find(tx)
    if (rows.length > 0) void tx.run(queue.lease(program_id, rows.map(queue.keyOf), leased_until))
    return rows.map((row) => ({ ...row, leased_until }))
  })
}

const again_ms = 500

/**
 * Runs the statement that writes the outcome of a row; gives its row. While the database is away, it is run again until the
 * lease ends: then another worker would do once more what was done.
 */
export async function writeLeased<Row>(
  db: Queryable,
  { leased_until }: Leased<object>,
  statement: Statement<Row>,
): Promise<Row | undefined> {
  const left_ms = leased_until.getTime() - Date.now()
  const until_ms = performance.now() + left_ms
  for (;;) {
    try {
      return await db.one(statement)
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() + again_ms > until_ms) throw error
      await sleep(again_ms)
    }
  }
}

/** When the queues of a database were repaired last. */
const repaired = new WeakMap<Database, WeakMap<object, number>>()

/** Makes rows due that lie too far ahead, because a clock was set back. */
async function repairTimes(db: Database, queue: Pick<LeasedQueue<string, string>, 'ahead'>, now: Date): Promise<void> {
  const queues = repaired.get(db) ?? new WeakMap<object, number>()
  repaired.set(db, queues)
  if (!isRepairDue(queues.get(queue) ?? Number.NEGATIVE_INFINITY, now.getTime())) return
  queues.set(queue, now.getTime())
  const { programs, repair } = queue.ahead(now)
  for (const { program_id } of await db.run(programs)) await db.run(repair(program_id))
}

/**
 * Works off the due rows of all programs, which take turns, until none is left or the process is stopping.
 * @param turn claims some rows of a program and works on them; gives how many it claimed
 */
export async function takeTurns(
  db: Database,
  queue: Pick<LeasedQueue<string, string>, 'programs' | 'ahead'>,
  now: Date,
  turn: (program_id: number, others_wait: boolean) => Promise<number>,
  stopping?: AbortSignal,
): Promise<void> {
  await repairTimes(db, queue, now)
  let programs = (await db.run(queue.programs(now))).map(({ program_id }) => program_id)
  while (programs.length > 0) {
    const left: number[] = []
    for (const program_id of programs) {
      if (stopping?.aborted === true) return
      if ((await turn(program_id, programs.length > 1)) > 0) left.push(program_id)
    }
    programs = left
  }
}
