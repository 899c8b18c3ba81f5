import type { Database } from '../../src/db/pool.ts'
import { addDays, type Day, startOfDay } from '../../src/domain/day.ts'
import { createMake, type PartSizes } from '../../src/features/liability/make.ts'
import type { ReportKey } from '../../src/features/liability/queries.ts'
import { createLiability } from '../../src/features/liability/service.ts'
import type { WholeReportView } from '../../src/features/liability/view.ts'
import type { Clock } from '../../src/lib/clock.ts'

/** Takes steps until no program has a report to make. */
export async function makeReports(db: Database, part?: PartSizes): Promise<void> {
  const make = createMake({ db, ...(part === undefined ? {} : { part }) })
  for (const program_id of await make.programs()) while (await make.step(program_id));
}

/** Asks for a report, makes it in parts, and reads it. */
export async function reportOf(db: Database, clock: Clock, key: ReportKey, part?: PartSizes): Promise<WholeReportView> {
  const liability = createLiability({ db, clock })
  await liability.ask(key, true)
  await makeReports(db, part)
  return liability.read(key)
}

interface Moved {
  readonly kind: string
  readonly order_uuid: string | null
  readonly account_id: string
  readonly amount: number
  readonly bucket: string
  readonly month: string
}

export interface Expected {
  readonly outstanding_points: number
  readonly owed_points: number
  readonly receivable_points: number
  readonly held_points: number
  /** The points left by month, without empty months. */
  readonly left: Readonly<Record<string, number>>
}

/** The same from all entries at once: the points of a wallet form a queue, and each use takes the oldest. */
export async function expectedOf(
  db: Database,
  { program_id, day }: { program_id: number; day: Day },
): Promise<Expected> {
  const moved = await db.run<Moved>({
    text: `select t.kind, t.order_uuid, e.account_id, e.amount, e.bucket, to_char(e.created_at at time zone 'Asia/Riyadh', 'YYYY-MM') as month
      from entry e join transfer t on t.program_id = $1 and t.transfer_id = e.transfer_id
      join account a on a.program_id = $1 and a.account_id = e.account_id and a.kind = 'customer'
      where e.program_id = $1 and e.created_at < $2 order by e.created_at, e.account_version`,
    values: [program_id, startOfDay(addDays(day, 1))],
  })
  const all = { outstanding_points: 0, owed_points: 0, receivable_points: 0, held_points: 0 }
  const left: Record<string, number> = {}
  for (const account of new Set(moved.map(({ account_id }) => account_id))) {
    const own = moved.filter(({ account_id }) => account_id === account)
    const sum = (rows: readonly Moved[]): number => rows.reduce((total, { amount }) => total + amount, 0)
    const posted = sum(own)
    const taken = (order: string | null) =>
      -sum(own.filter(({ kind, order_uuid }) => kind === 'reverse' && order_uuid === order))
    const queue = own.flatMap(({ kind, order_uuid, amount, month }) => {
      if (kind === 'earn') return new Array<string>(amount - taken(order_uuid)).fill(month)
      return kind === 'adjust' && amount > 0 ? new Array<string>(amount).fill(month) : []
    })
    for (const month of queue.slice(queue.length - Math.max(posted, 0))) left[month] = (left[month] ?? 0) + 1
    all.outstanding_points += posted
    all.owed_points += Math.max(posted, 0)
    all.receivable_points += Math.max(-posted, 0)
    all.held_points += sum(own.filter(({ bucket }) => bucket === 'held'))
  }
  return { ...all, left }
}

/** A report in the same shape. */
export function foundOf({ months, earlier, ...report }: WholeReportView): Expected {
  if (earlier !== null) throw new Error('a history of more than two years')
  const { outstanding_points, owed_points, receivable_points, held_points } = report
  const numbers = { outstanding_points, owed_points, receivable_points, held_points } as Omit<Expected, 'left'>
  const left = months.filter(({ left_points }) => left_points !== 0).map((one) => [one.month, one.left_points])
  return { ...numbers, left: Object.fromEntries(left) }
}

/** The sum of all wallets, according to the accounts of merchants and of the program. */
export async function outsideOf(db: Database, { program_id, day }: ReportKey): Promise<number> {
  const row = await db.one<{ points: number }>({
    text: `select coalesce(-sum(e.amount), 0)::bigint as points from entry e
      join account a on a.program_id = $1 and a.account_id = e.account_id and a.kind <> 'customer'
      join transfer t on t.program_id = $1 and t.transfer_id = e.transfer_id
      where e.program_id = $1 and t.created_at < $2`,
    values: [program_id, startOfDay(addDays(day, 1))],
  })
  return row?.points ?? 0
}
