import { readFile } from 'node:fs/promises'
import { expect, inject, it } from 'vitest'
import { testDatabase } from '../support/database.ts'

const database = testDatabase()

/** How often a process has asked the kernel for a page of memory. */
async function pageFaultsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[7])
}

/** Takes 64 KiB six times, which are all free again at its end. */
const greedy = `select ${Array.from({ length: 6 }, () => '(select cardinality(array_agg(g)) from generate_series(1, 8000) g)').join(', ')}`

// The memory of any other PostgreSQL is its operator's, and only Linux says so simply what a process did.
const isGiven = process.env['NUQTA_TEST_DATABASE_URL'] !== undefined || inject('server').of_workers.length > 0

it.skipIf(isGiven || process.platform !== 'linux')(
  'the embedded PostgreSQL keeps the memory that one statement frees for the next one',
  async () => {
    const page_faults = await database.connectTo(database.url, { size: 1 }).transaction(async (tx) => {
      const [backend] = await tx.run<{ pid: number }>({ text: 'select pg_backend_pid() as pid', values: [] })
      const runs = async () => {
        for (let turn = 0; turn < 50; turn += 1) await tx.run({ text: greedy, values: [] })
        return pageFaultsOf(backend?.pid ?? 0)
      }
      const before = await runs()
      return ((await runs()) - before) / 50
    })
    expect(page_faults).toBeLessThan(100)
  },
)
