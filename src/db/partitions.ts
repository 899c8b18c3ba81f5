import { uuidV7Floor } from '../domain/ids.ts'
import { isMadeMeanwhile } from './failure.ts'
import type { Database } from './pool.ts'

const monthsAhead = 3
/** Tables whose rows are kept by month; their partition key is a UUIDv7. */
const partitioned = ['event'] as const

/**
 * Makes the partitions of this month and of the next three, where they are missing. Run at every start and once a day.
 * @param owner a connection as the role that owns the tables
 * @returns the names of the partitions made now
 */
export async function ensurePartitions(owner: Database, now: Date): Promise<string[]> {
  const made: string[] = []
  for (const table of partitioned) {
    for (let ahead = 0; ahead <= monthsAhead; ahead += 1) {
      const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
      const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1))
      const name = `${table}_${from.toISOString().slice(0, 7).replace('-', '_')}`
      const [{ present } = { present: false }] = await owner.run<{ present: boolean }>({
        text: 'select to_regclass($1) is not null as present',
        values: [name],
      })
      if (present) continue
      const sql = `create table if not exists ${name} partition of ${table}
        for values from ('${uuidV7Floor(from.getTime())}') to ('${uuidV7Floor(to.getTime())}')`
      await owner.transaction((tx) => tx.script(sql), { retryOn: isMadeMeanwhile })
      made.push(name)
    }
  }
  return made
}
