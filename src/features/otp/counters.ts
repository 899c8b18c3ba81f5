import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { admittedAt, countedTallies, type Tally } from '../../domain/limit.ts'
import type { LimitKind, SessionLimit } from '../../domain/otp.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { type Counter, type CounterRow, findCounters, writeTimes } from './queries.ts'

/** The limits of one session. They are counted in the transaction of its code. */

type Limits<Kind extends LimitKind> = Readonly<Record<Kind, SessionLimit>>

interface Asking {
  readonly program_id: number
  readonly purpose: string
  readonly subject_uuid: string
  readonly phone: string
}

/** The counters of a request. Phones are stored only as HMACs. */
export function countersOf<Kind extends LimitKind>(
  secrets: SecretBox,
  limits: Limits<Kind>,
  ask: Asking,
): Counter<Kind>[] {
  const session = `${ask.purpose}:${ask.subject_uuid}`
  const whose: Readonly<Record<SessionLimit['by'], string>> = {
    session,
    'phone in session': `${ask.phone}:${session}`,
  }
  return (Object.keys(limits) as Kind[]).map((kind) => ({
    kind,
    key_hash: secrets.derive(['rate limit', ask.program_id, kind, whose[limits[kind].by]]),
  }))
}

/** When the session may ask again; null for now. Locks nothing. */
export async function sessionFreeAt<Kind extends LimitKind>(
  db: Database,
  program_id: number,
  { limits, counters, at }: { limits: Limits<Kind>; counters: readonly Counter<Kind>[]; at: Date },
): Promise<Date | null> {
  return freeAt(limits, await db.run(findCounters(program_id, counters)), at)
}

/** When all of these counters admit one more; null for now. */
export function freeAt<Kind extends LimitKind>(
  limits: Limits<Kind>,
  rows: readonly CounterRow<Kind>[],
  at: Date,
): Date | null {
  return latest(rows.map(({ kind, times }) => admittedAt(limits[kind], talliesOf(times), at)))
}

/** Counts an instant in locked counters, and drops the times that their limits no longer count. */
export function countAt<Kind extends LimitKind>(
  tx: Transaction,
  program_id: number,
  {
    limits,
    rows,
    at,
  }: { readonly limits: Limits<Kind>; readonly rows: readonly CounterRow<Kind>[]; readonly at: Date },
): void {
  for (const row of rows) {
    const counted = countedTallies(limits[row.kind], talliesOf(row.times), at)
    void tx.run(writeTimes(program_id, { ...row, times: [...counted.map((tally) => tally.at), at] }))
  }
}

/** The last of some instants; null if there is none. */
function latest(instants: readonly (Date | null)[]): Date | null {
  return instants.reduce((last, one) => (last === null || (one !== null && one > last) ? one : last), null)
}

function talliesOf(times: readonly Date[]): Tally[] {
  return times.map((at) => ({ at, count: 1 }))
}
