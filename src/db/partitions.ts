import { type Uuid, uuidV7Floor } from '../domain/ids.ts'
import { day_ms } from '../domain/spans.ts'
import { clusterSettings } from './citus.ts'
import { isLockTimeout, isMadeMeanwhile } from './failure.ts'
import type { Database, Queryable } from './pool.ts'
import { purgeEverywhere } from './programs.ts'
import type { Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const monthsAhead = 3
/** Gives up soon, so that others who use the table do not queue behind the lock. The next run tries again. */
const lock_timeout = '2s'
/** Tables that are partitioned by month; the partition key is a UUIDv7. `row` names a row of a program. */
export const partitioned = [
  { table: 'event', key: 'event_id', row: 'event_id' },
  { table: 'delivery', key: 'delivery_id', row: 'delivery_id' },
  { table: 'delivery_attempt', key: 'delivery_id', row: 'delivery_id, series, attempt' },
] as const

/**
 * Creates the missing partitions of this month and the next three. Runs at every start and once a day. Until a partition
 * exists, the default partition takes its rows.
 * @param owner a connection as the owner of the tables
 * @returns the names of the new partitions
 */
export async function ensurePartitions(owner: Database, now: Date): Promise<string[]> {
  const made: string[] = []
  const missing = await withoutTable(owner, monthsFrom(now))
  for (const { table } of partitioned) {
    for (const month of missing.filter((one) => one.table === table)) {
      if (!(await tryPartition(owner, month))) break
      made.push(month.name)
    }
  }
  return made
}

/** The partitions of this month and the next ones. */
function monthsFrom(now: Date): Month[] {
  return partitioned.flatMap(({ table, key }) =>
    Array.from({ length: 1 + monthsAhead }, (_, ahead) =>
      monthOf(table, key, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))),
    ),
  )
}

/** Those of the partitions that do not exist. */
async function withoutTable(db: Queryable, months: readonly Month[]): Promise<Month[]> {
  const rows = await db.run<{ name: string }>({
    text: 'select name from unnest($1::text[]) as name where to_regclass(name) is null',
    values: [months.map(({ name }) => name)],
  })
  const names = new Set(rows.map(({ name }) => name))
  return months.filter(({ name }) => names.has(name))
}

/** Creates a partition, unless a long reader such as a backup holds its table. Then the next run tries again. */
function tryPartition(owner: Database, month: Month): Promise<boolean> {
  return unlessHeld(
    owner.transaction(
      async (tx) => {
        await tx.script(`set local lock_timeout = '${lock_timeout}'`)
        await makePartition(tx, month)
      },
      { retryOn: isMadeMeanwhile },
    ),
  )
}

/** Drops a partition, unless a long reader holds its table. */
function tryDrop(owner: Database, name: string): Promise<boolean> {
  return unlessHeld(
    owner.transaction((tx) =>
      tx.script(`${clusterSettings}; set local lock_timeout = '${lock_timeout}'; drop table if exists ${name}`),
    ),
  )
}

/** False if the change gave up waiting for its lock. */
function unlessHeld(change: Promise<void>): Promise<boolean> {
  return change.then(
    () => true,
    (error: unknown) => {
      if (isLockTimeout(error)) return false
      throw error
    },
  )
}

type Month = Readonly<Record<'table' | 'name' | 'low' | 'high' | 'within', string>>

/** The partition of the month that begins at `from`. */
function monthOf(table: string, key: string, from: Date): Month {
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1))
  const [low, high] = [uuidV7Floor(from.getTime()), uuidV7Floor(to.getTime())]
  return { table, name: partitionName(table, from), low, high, within: `${key} >= '${low}' and ${key} < '${high}'` }
}

/** The name of a table's partition for the month that begins at `from`. */
export function partitionName(table: string, from: Date): string {
  return `${table}_${from.toISOString().slice(0, 7).replace('-', '_')}`
}

/** Gives the names of the monthly partitions of all tables. */
export async function findMonths(db: Queryable): Promise<string[]> {
  const months: string[] = []
  for (const { table } of partitioned) months.push(...(await partitionsOf(db, table)))
  return months
}

/**
 * Creates partitions by their names, in a database without rows.
 * @throws RangeError for a name that is none of a monthly partition
 */
export async function makeMonths(tx: Transaction, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const [, table, year, month] = /^(\w+)_(\d{4})_(\d{2})$/.exec(name) ?? []
    const of = partitioned.find((one) => one.table === table)
    if (of === undefined) throw new RangeError(`${name} is no partition of ours`)
    await makePartition(tx, monthOf(of.table, of.key, new Date(Date.UTC(Number(year), Number(month) - 1, 1))))
  }
}

/** Creates a partition, after moving its rows out of the default partition, which would otherwise prevent it. */
async function makePartition(tx: Transaction, { table, name, low, high, within }: Month): Promise<void> {
  const create = `create table if not exists ${name} partition of ${table} for values from ('${low}') to ('${high}')`
  await tx.script(`${clusterSettings}; lock table ${table} in access exclusive mode`)
  const strays = await tx.run({ text: `select from ${table}_default where ${within} limit 1`, values: [] })
  if (strays.length === 0) return tx.script(create)
  await tx.script(
    `create temporary table stray on commit drop as select * from ${table}_default where ${within};
     delete from ${table}_default where ${within}; ${create}; insert into ${table} select * from stray`,
  )
}

/**
 * Drops the partitions of months that ended more than `retention_days` ago: events, deliveries and their attempts.
 * docs/settings.md, `NUQTA_RETENTION_DAYS`
 * @param owner a connection as the owner of the tables
 * @param batch rows of the default partition that one statement deletes
 * @returns the names of the dropped partitions; `onHeld` hears of a table that a long reader such as a backup holds, whose
 * partitions the next run drops
 */
export async function dropOldPartitions(
  owner: Database,
  now: Date,
  retention_days: number,
  { batch, onHeld }: { readonly batch?: number; readonly onHeld?: (table: string) => void } = {},
): Promise<string[]> {
  const dropped: string[] = []
  const kept_from_ms = now.getTime() - retention_days * day_ms
  const kept_from = uuidV7Floor(kept_from_ms)
  for (const one of partitioned) {
    const { table } = one
    for (const name of await partitionsOf(owner, table)) {
      const [, year, month] = /_(\d{4})_(\d{2})$/.exec(name) ?? []
      if (year === undefined || Date.UTC(Number(year), Number(month), 1) > kept_from_ms) continue
      if (!(await tryDrop(owner, name))) {
        onHeld?.(table)
        break
      }
      dropped.push(name)
    }
    await purgeEverywhere(owner, (program_id, count) => deleteStrays(one, program_id, kept_from, count), batch)
  }
  return dropped
}

/** Deletes up to `count` rows of a program from before a key of the default partition. */
function deleteStrays(
  { table, key, row }: (typeof partitioned)[number],
  program_id: number,
  before: Uuid,
  count: number,
): Statement<unknown> {
  const found = `select ${row} from ${table}_default where program_id = $1 and ${key} < $2 order by ${key} limit $3`
  return {
    text: `delete from ${table}_default where program_id = $1 and (${row}) in (${found}) returning ${key}`,
    values: [program_id, before, count],
  }
}

/** Gives the names of the monthly partitions. */
async function partitionsOf(db: Queryable, table: string): Promise<string[]> {
  const rows = await db.run<{ name: string }>({
    text: `select c.relname as name from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass($1) order by c.relname`,
    values: [table],
  })
  return rows.map(({ name }) => name).filter((name) => /^\w+_\d{4}_\d{2}$/.test(name))
}
