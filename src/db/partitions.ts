import { uuidV7Floor } from '../domain/ids.ts'
import { isMadeMeanwhile } from './failure.ts'
import type { Database } from './pool.ts'
import type { Transaction } from './transaction.ts'

const monthsAhead = 3
/** Tables whose rows are kept by month; their partition key is a UUIDv7. */
const partitioned = [{ table: 'event', key: 'event_id' }] as const

/**
 * Makes the partitions of this month and of the next three, where they are missing. Run at every start and once a day.
 * @param owner a connection as the role that owns the tables
 * @returns the names of the partitions made now
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

/** Rows of the month that came before it had a partition would forbid it: they move from the default one. */
async function makePartition(
  tx: Transaction,
  { table, name, low, high, within }: Readonly<Record<'table' | 'name' | 'low' | 'high' | 'within', string>>,
): Promise<void> {
  const create = `create table if not exists ${name} partition of ${table} for values from ('${low}') to ('${high}')`
  await tx.script(`lock table ${table} in access exclusive mode`)
  const strays = await tx.run({ text: `select from ${table}_default where ${within} limit 1`, values: [] })
  if (strays.length === 0) return tx.script(create)
  await tx.script(
    `create temporary table stray on commit drop as select * from ${table}_default where ${within};
     delete from ${table}_default where ${within}; ${create}; insert into ${table} select * from stray`,
  )
}
