import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/db/pool.ts'
import type { Limit } from '../../../src/domain/limit.ts'
import { hour_ms } from '../../../src/domain/spans.ts'
import { type Admission, type Counted, createLimits, purgeCounters } from '../../../src/features/limits/service.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import { testDatabase } from '../../support/database.ts'
import { secret_key } from '../../support/secret-key.ts'

const database = testDatabase()
const secrets = createSecretBox(secret_key)

const byPhone: Limit = { name: 'test phone', rules: [{ most: 5, within_ms: hour_ms }] }
const byAddress: Limit = { name: 'test address', rules: [{ most: 600, within_ms: hour_ms }] }
const asked = (phone: string, address = '203.0.113.7'): Counted[] => [
  { limit: byAddress, whom: [address] },
  { limit: byPhone, whom: [phone] },
]

beforeEach(() => database.owner.run({ text: 'delete from limit_counter', values: [] }))

/** Limits of one process, with a clock that stands still until it is moved. */
function process_(db: Database = database.db, clock?: { now(): Date }) {
  let now_ms = Date.parse('2026-02-01T09:00:00Z')
  const limits = createLimits({ db, secrets, now: () => new Date(now_ms), ...(clock === undefined ? {} : { clock }) })
  return { ...limits, at: () => new Date(now_ms), pass: (s: number) => (now_ms += s * 1_000) }
}

async function counted(): Promise<number[]> {
  const rows = await database.owner.run<{ counts: number[] }>({ text: 'select counts from limit_counter', values: [] })
  return rows.flatMap(({ counts }) => counts).sort((a, b) => a - b)
}

const admitted = (all: readonly Admission[]) => all.filter((one) => one.admitted).length

describe('limits of the deployment', () => {
  it('admit until one refuses, and say when it admits again', async () => {
    const limits = process_()
    for (let count = 0; count < 5; count += 1) {
      expect(await limits.admit(asked('512345678'))).toMatchObject({ admitted: true })
      limits.pass(10)
    }
    const retry_at = new Date(limits.at().getTime() + hour_ms - 50_000)
    expect(await limits.admit(asked('512345678'))).toEqual({ admitted: false, limit: byPhone, retry_at })
    expect(await limits.refusal(asked('512345678'))).toEqual({ limit: byPhone, retry_at })
    expect(await limits.refusal(asked('512345679'))).toBeNull()
    limits.pass(hour_ms / 1_000 - 50)
    expect(await limits.admit(asked('512345678'))).toMatchObject({ admitted: true })
  })

  it('count no refused request, and keep no row of it', async () => {
    const limits = process_()
    const none: Limit = { name: 'test none', rules: [{ most: 0, within_ms: hour_ms }] }
    for (let phone = 0; phone < 50; phone += 1)
      expect((await limits.admit([...asked(`5${phone}`), { limit: none, whom: [] }])).admitted).toBe(false)
    expect(await counted()).toEqual([])
  })

  it('take counts back, and leave no empty row', async () => {
    const limits = process_()
    const first = await limits.admit(asked('512345678'))
    const second = await limits.admit(asked('512345679'))
    if (!first.admitted || !second.admitted) throw new Error('nothing was counted')
    await limits.takeBack(second.counts)
    expect(await counted()).toEqual([1, 1])
    await limits.takeBack(second.counts)
    expect(await counted()).toEqual([1])
    await limits.takeBack(first.counts)
    expect(await counted()).toEqual([])
  })

  it('keep neither phones nor addresses, and small rows', async () => {
    const limits = process_()
    for (let count = 0; count < 130; count += 1) {
      await limits.admit(asked('512345678').slice(0, 1))
      limits.pass(27)
    }
    const rows = await database.owner.run<{ text: string; entries: number; bytes: number }>({
      text: 'select c::text as text, cardinality(times) as entries, pg_column_size(c) as bytes from limit_counter c',
      values: [],
    })
    expect(rows).toHaveLength(1)
    expect(rows[0]?.text).not.toMatch(/512345678|203\.0\.113/)
    expect(rows[0]?.entries).toBeLessThan(125)
    expect(rows[0]?.bytes).toBeLessThan(2_000)
  })

  it('use the given clock, but say when to retry by the machine’s', async () => {
    const business = { ms: Date.parse('2031-01-01T00:00:00Z') }
    const limits = process_(database.db, { now: () => new Date(business.ms) })
    for (let count = 0; count < 5; count += 1) await limits.admit(asked('512345678'))
    const retry_at = new Date(limits.at().getTime() + hour_ms)
    expect(await limits.admit(asked('512345678'))).toMatchObject({ admitted: false, retry_at })
    business.ms += hour_ms
    expect(await limits.admit(asked('512345678'))).toMatchObject({ admitted: true })
  })
})

describe('concurrent requests from several processes', () => {
  const two = () => [process_(database.connect({ size: 6 })), process_(database.connect({ size: 6 }))]
  const all = <T>(count: number, make: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => make(index)))

  it('a small limit admits exactly its number, and refused requests do not count elsewhere', async () => {
    const [one, other] = two()
    if (one === undefined || other === undefined) throw new Error('no processes')
    const outcomes = await all(40, (index) => (index % 2 === 0 ? one : other).admit(asked('512345678')))
    expect(admitted(outcomes)).toBe(5)
    const sums = (await one.tallies(asked('512345678'))).map((of) => of.reduce((sum, { count }) => sum + count, 0))
    expect(sums).toEqual([5, 5])
  })

  it('a large limit admits exactly its number', async () => {
    const most = { ...byAddress, rules: [{ most: 101, within_ms: hour_ms }] }
    const processes = two()
    const outcomes = await all(130, (index) => {
      const limits = processes[index % 2]
      return limits?.admit([{ limit: most, whom: ['203.0.113.7'] }]) ?? Promise.reject()
    })
    expect(admitted(outcomes)).toBe(101)
  })

  it('requests with the same limits in different orders do not deadlock', async () => {
    const processes = two()
    const outcomes = await all(60, (index) => {
      const counts = asked(`51234567${index % 3}`, `203.0.113.${index % 2}`)
      return processes[index % 2]?.admit(index % 3 === 0 ? counts : counts.reverse()) ?? Promise.reject()
    })
    expect(admitted(outcomes)).toBeLessThanOrEqual(15)
    expect(admitted(outcomes)).toBeGreaterThan(0)
  })
})

it('counters are purged once they count nothing, not before', async () => {
  const limits = process_()
  for (const phone of ['1', '2', '3', '4']) await limits.admit(asked(phone, phone))
  const after = (ms: number) => new Date(limits.at().getTime() + ms)
  expect(await purgeCounters(database.db, after(hour_ms))).toBe(0)
  expect(await purgeCounters(database.db, after(2 * hour_ms), 3)).toBe(8)
  expect(await counted()).toEqual([])
})
