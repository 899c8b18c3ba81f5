import { type Uuid, uuidV7Floor, uuidV7Time } from '../domain/ids.ts'
import type { Check } from './checks/check.ts'
import { checkoutChecks } from './checks/checkouts.ts'
import { entryChecks, walletChecks } from './checks/entries.ts'
import { holdChecks } from './checks/holds.ts'
import { orderChecks } from './checks/orders.ts'
import type { Database } from './pool.ts'
import { eventScreen, orderScreen } from './screens/orders.ts'
import type { Screen } from './screens/screen.ts'
import { entryScreen, transferScreen } from './screens/transfers.ts'
import { walletScreen } from './screens/wallets.ts'

/** Every rule that `verifyLedger` recomputes, each a query for the places where it does not hold. */
export const checks: readonly Check[] = [
  ...entryChecks,
  ...walletChecks,
  ...holdChecks,
  ...orderChecks,
  ...checkoutChecks,
]

const screens: readonly Screen[] = [transferScreen, entryScreen, walletScreen, orderScreen, eventScreen]
const screened = new Set(screens.flatMap((screen) => screen.checks))

/** One place where the ledger is not what its rules say. */
export interface Difference {
  readonly program_id: number
  /** The rule. */
  readonly check: string
  /** The transfer, account, hold, order or event. */
  readonly id: string
  readonly detail: string
}

export interface Verification {
  readonly transfers: number
  readonly entries: number
  readonly wallets: number
  readonly differences: readonly Difference[]
}

/** How far a verification has come. */
export type Verified = Omit<Verification, 'differences'>

/** What answers the questions: a database, or a transaction that is to see its own changes. */
type Source = Pick<Database, 'run' | 'one'>

/** Of one rule in one program; a ledger that is off everywhere is told by fewer. */
const most_differences = 1_000
/** Keys of a part: a statement of about a second, whose memory and whose snapshot are soon given back. */
const part_size = 100_000
/** Parts that are looked at side by side. */
const lanes = 2

interface Asked {
  readonly program_id: number
  readonly oldest: Uuid
}

/**
 * Recomputes the ledger from its entries and compares: sums, versions, balances, wallets, holds, orders, events. Reads
 * only, and takes no locks: it may run beside a service. The large tables are looked at in parts, each a statement with a
 * snapshot of its own; everything that a rule compares is written in one transaction, so no part sees half of it. Where a
 * part looks wrong, the rules are asked one by one, of the whole program, to name the places.
 */
export async function verifyLedger(
  db: Source,
  progress: (verified: Verified) => void = () => {},
): Promise<Verification> {
  const programs = await db.run<{ program_id: number }>({
    text: 'select program_id from program order by program_id',
    values: [],
  })
  const oldest = await oldestEvents(db)
  const totals = { transfers: 0, entries: 0, wallets: 0 }
  const differences: Difference[] = []
  for (const { program_id } of programs) {
    const asked = { program_id, oldest }
    const suspected = new Map<Screen, Uuid>()
    await inLanes(partsOf(db, program_id), async ({ screen, from, to }) => {
      const found = await look(db, screen, { ...asked, from, to })
      totals.transfers += found.transfers
      totals.entries += found.entries
      totals.wallets += found.wallets
      if (found.suspects > 0) suspected.set(screen, from)
      progress(totals)
    })
    differences.push(...(await nameDifferences(db, asked, suspected)))
  }
  return { ...totals, differences }
}

interface Part {
  readonly screen: Screen
  readonly from: Uuid
  readonly to: Uuid
}

const first_key = '00000000-0000-0000-0000-000000000000' as Uuid
const last_key = 'ffffffff-ffff-ffff-ffff-ffffffffffff' as Uuid

/** The parts of a program's tables, as many keys in each; the first and the last are open to what has lost its place. */
async function* partsOf(db: Source, program_id: number): AsyncGenerator<Part> {
  for (const screen of screens) {
    const { table, key } = screen
    for (let from = first_key; from !== last_key; ) {
      const next = await db.one<{ key: Uuid }>({
        text: `select ${key} as key from ${table} where program_id = $1 and ${key} > $2 order by ${key} offset $3 limit 1`,
        values: [program_id, from, part_size],
      })
      const to = next?.key ?? last_key
      yield { screen, from, to }
      from = to
    }
  }
}

/** Does `work` for each, a few at a time. */
async function inLanes<T>(items: AsyncGenerator<T>, work: (item: T) => Promise<void>): Promise<void> {
  const lane = async (): Promise<void> => {
    // Lanes take from one generator: its answers come in the order in which they were asked for.
    for (let next = await items.next(); next.done !== true; next = await items.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

async function look(
  db: Source,
  { sql }: Screen,
  { program_id, oldest, from, to }: Asked & Omit<Part, 'screen'>,
): Promise<Verified & { readonly suspects: number }> {
  const found = await db.one<Verified & { suspects: number }>({
    text: sql,
    values: [program_id, from, to, oldest, ...around(from, to)],
  })
  return found ?? { transfers: 0, entries: 0, wallets: 0, suspects: 0 }
}

/** What is written together is given its ids within this. */
const together_ms = 5_000

/** A part, which is a stretch of time where its keys are, with what was written at about the same time. */
function around(from: Uuid, to: Uuid): readonly [from: Uuid, to: Uuid] {
  return [
    uuidV7Floor(Math.max(0, uuidV7Time(from) - together_ms)),
    to === last_key ? last_key : uuidV7Floor(Math.min(2 ** 48 - 1, uuidV7Time(to) + together_ms)),
  ]
}

/** Asks the rules that no screen stands for, and those whose screen has found something. */
async function nameDifferences(
  db: Source,
  asked: Asked,
  suspected: ReadonlyMap<Screen, Uuid>,
): Promise<readonly Difference[]> {
  const doubted = new Set([...suspected.keys()].flatMap((screen) => screen.checks))
  const differences: Difference[] = []
  const ask = async (wanted: (name: string) => boolean): Promise<void> => {
    for (const check of checks.filter(({ name }) => wanted(name)))
      differences.push(...(await runCheck(db, check, asked)))
  }
  await ask((name) => !screened.has(name))
  // The screens take the accounts of merchants for there.
  if (differences.some(({ check }) => check === 'owner_without_account')) doubted.add('entry_without_account')
  await ask((name) => doubted.has(name))
  const named = new Set(differences.map(({ check }) => check))
  for (const [screen, id] of suspected) {
    if (screen.checks.some((name) => named.has(name))) continue
    const detail = `something is wrong with the ${screen.name} from here on, which no rule can name`
    differences.push({ program_id: asked.program_id, check: screen.name, id, detail })
  }
  return differences
}

async function runCheck(db: Source, check: Check, { program_id, oldest }: Asked): Promise<Difference[]> {
  // Both values are given to every check, so that each can be asked alike.
  const rows = await db.run<{ id: string; detail: string }>({
    text: `select id::text as id, detail from (${check.sql}) found
      where $2::uuid is not null order by id, detail limit ${most_differences}`,
    values: [program_id, oldest],
  })
  return rows.map(({ id, detail }) => ({ program_id, check: check.name, id, detail }))
}

/** The first identifier of the oldest month whose events are kept: orders from before it have lost theirs. */
async function oldestEvents(db: Source): Promise<Uuid> {
  const partition = await db.one<{ name: string | null }>({
    text: `select min(c.relname) as name from pg_catalog.pg_inherits i
      join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass('event') and c.relname ~ '^event_[0-9]{4}_[0-9]{2}$'`,
    values: [],
  })
  const month = /^event_(\d{4})_(\d{2})$/.exec(partition?.name ?? '')
  return uuidV7Floor(month === null ? 0 : Date.UTC(Number(month[1]), Number(month[2]) - 1, 1))
}
