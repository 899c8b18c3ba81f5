import { expect, it } from 'vitest'
import { createReadiness } from '../../src/db/readiness.ts'
import { testDatabase } from '../support/database.ts'

const database = testDatabase()

it('writes at most once a second at any rate of calls, with one probe at a time', async () => {
  let now_ms = 0
  const probes: PromiseWithResolvers<boolean>[] = []
  const isWritable = (): Promise<boolean> => {
    const probe = Promise.withResolvers<boolean>()
    probes.push(probe)
    return probe.promise
  }
  const ready = createReadiness({ isWritable }, () => now_ms)
  const asked = [ready(), ready()]
  now_ms = 5_000 // a database that hangs is not asked again meanwhile
  asked.push(ready())
  expect(probes).toHaveLength(1)
  probes[0]?.resolve(true)
  expect(await Promise.all(asked)).toEqual([true, true, true])
  now_ms = 5_999
  expect([await ready(), probes.length]).toEqual([true, 1])
  now_ms = 6_000
  const later = ready()
  probes[1]?.resolve(false)
  expect([await later, await ready(), probes.length]).toEqual([false, false, 2])
})

it('updates the time of a single row', async () => {
  const written = async () => {
    expect(await database.db.isWritable()).toBe(true)
    return database.db.run<{ probed_at: Date }>({ text: 'select probed_at from write_probe', values: [] })
  }
  const [first, second] = [await written(), await written()]
  expect([first.length, second.length]).toEqual([1, 1])
  expect(second[0]?.probed_at.getTime()).toBeGreaterThanOrEqual(first[0]?.probed_at.getTime() ?? Number.NaN)
})
