import { uuidV7Floor } from '../domain/ids.ts'
import { clusterSettings } from './citus.ts'
import { isMadeMeanwhile } from './failure.ts'
import type { Database } from './pool.ts'
import type { Transaction } from './transaction.ts'

const monthsAhead = 3
/** Tables that are partitioned by month; the partition key is a UUIDv7. */
const partitioned = [
  { table: 'event', key: 'event_id' },
  { table: 'delivery', key: 'delivery_id' },
  { table: 'delivery_attempt', key: 'delivery_id' },
] as const

/**
 * Creates the missing partitions of this month and the next three. Runs at every start and once a day.
 * @param owner a connection as the owner of the tables
 * @returns the names of the new partitions
 */
export async function ensurePartitions(owner: Database, now: Date): Promise<string[]> {
  const made: string[] = []
  for (const { table, key } of partitioned) {
    for (let ahead = 0; ahead <= monthsAhead; ahead += 1) {
      const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
      const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1))
      const name = `${table}_${from.toISOString().slice(0, 7).replace('-', '_')}`
      const [{ present } = { present: false }] = await owner.run<{ present: boolean }>({
        text: 'select to_regclass($1) is not null as present',
        values: [name],
      })
      if (present) continue
      const [low, high] = [uuidV7Floor(from.getTime()), uuidV7Floor(to.getTime())]
      const month = { table, name, low, high, within: `${key} >= '${low}' and ${key} < '${high}'` }
      await owner.transaction((tx) => makePartition(tx, month), { retryOn: isMadeMeanwhile })
      made.push(name)
    }
  }
  return made
}

/** Creates a partition, after moving its rows out of the default partition, which would otherwise prevent it. */
async function makePartition(
  tx: Transaction,
  { table, name, low, high, within }: Readonly<Record<'table' | 'name' | 'low' | 'high' | 'within', string>>,
): Promise<void> {
  const create = `create table if not exists ${name} partition of ${table} for values from ('${low}') to ('${high}')`
  await tx.script(`${clusterSettings}; lock table ${table} in access exclusive mode`)
  const strays = await tx.run({ text: `select from ${table}_default where ${within} limit 1`, values: [] })
  if (strays.length === 0) return tx.script(create)
  await tx.script(
    `create temporary table stray on commit drop as select * from ${table}_default where ${within};
     delete from ${table}_default where ${within}; ${create}; insert into ${table} select * from stray`,
  )
}

const day_ms = 86_400_000
/** Gives up soon, so that new readers of the table do not queue behind the lock. The next run tries again. */
const lock_timeout = '2s'

/**
 * Drops the partitions of months that ended more than `retention_days` ago: events, deliveries and their attempts.
 * docs/settings.md, `NUQTA_RETENTION_DAYS`
 * @param owner a connection as the owner of the tables
 * @returns the names of the dropped partitions
 */
export async function dropOldPartitions(owner: Database, now: Date, retention_days: number): Promise<string[]> {
  const dropped: string[] = []
  const kept_from_ms = now.getTime() - retention_days * day_ms
  for (const { table, key } of partitioned) {
    for (const name of await partitionsOf(owner, table)) {
      const [, year, month] = /_(\d{4})_(\d{2})$/.exec(name) ?? []
      if (year === undefined || Date.UTC(Number(year), Number(month), 1) > kept_from_ms) continue
      await owner.transaction((tx) =>
        tx.script(`${clusterSettings}; set local lock_timeout = '${lock_timeout}'; drop table ${name}`),
      )
      dropped.push(name)
    }
    await owner.run({
      text: `delete from ${table}_default where ${key} < $1`,
      values: [uuidV7Floor(Math.max(0, kept_from_ms))],
    })
  }
  return dropped
}

/** Gives the names of the monthly partitions. */
async function partitionsOf(owner: Database, table: string): Promise<string[]> {
  const rows = await owner.run<{ name: string }>({
    text: `select c.relname as name from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass($1) order by c.relname`,
    values: [table],
  })
  return rows.map(({ name }) => name).filter((name) => /^\w+_\d{4}_\d{2}$/.test(name))
}
