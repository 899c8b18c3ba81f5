import type { Transaction } from '../../db/transaction.ts'
import { countedTimes, type Limit, type LimitKind } from '../../domain/otp.ts'
import type { SecretBox } from '../../secrets.ts'
import { networkOf } from './address.ts'
import { type Counter, type CounterRow, writeTimes } from './queries.ts'

type Limits<Kind extends LimitKind> = Readonly<Record<Kind, Limit>>

interface Asking {
  readonly program_id: number
  readonly purpose: string
  readonly subject_uuid: string
  readonly phone: string
  readonly client_address: string
}

/** The counters that an ask is counted by. Phones and addresses are kept as an HMAC alone. */
export function countersOf<Kind extends LimitKind>(
  secrets: SecretBox,
  limits: Limits<Kind>,
  ask: Asking,
): Counter<Kind>[] {
  const session = `${ask.purpose}:${ask.subject_uuid}`
  const whose: Readonly<Record<Limit['by'], string>> = {
    session,
    phone: ask.phone,
    address: networkOf(ask.client_address),
    'phone in session': `${ask.phone}:${session}`,
  }
  return (Object.keys(limits) as Kind[]).map((kind) => ({
    kind,
    key_hash: secrets.derive(['rate limit', ask.program_id, kind, whose[limits[kind].by]]),
  }))
}

/** Counts an instant in locked counters, which lose what their limits count no more. */
export function countAt<Kind extends LimitKind>(
  tx: Transaction,
  program_id: number,
  {
    limits,
    rows,
    at,
  }: { readonly limits: Limits<Kind>; readonly rows: readonly CounterRow<Kind>[]; readonly at: Date },
): void {
  for (const row of rows)
    void tx.run(writeTimes(program_id, { ...row, times: [...countedTimes(limits[row.kind], row.times, at), at] }))
}

/** The last of some instants; null when there is none. */
export function latest(instants: readonly (Date | null)[]): Date | null {
  return instants.reduce((last, one) => (last === null || (one !== null && one > last) ? one : last), null)
}
