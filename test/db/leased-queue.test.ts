import { describe, expect, it } from 'vitest'
import { claimable, claimRows, type Leased, leasedQueue, type RowKey, takeTurns } from '../../src/db/leased-queue.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { testDatabase } from '../support/database.ts'

// docs/decisions/0030-one-leased-queue.md: four tables share this queue. The tests use that of messages.

const database = testDatabase({ leaves: ['due messages'] })
const queue = leasedQueue<'sms_uuid', 'sent'>({
  name: 'test',
  table: 'sms_queue',
  key: 'sms_uuid',
  required: 'kind, customer_id, merchant_id',
  longest_ms: 3_600_000,
})
const start = new Date('2026-03-01T10:00:00.000Z')
const after = (s: number) => new Date(start.getTime() + s * 1000)
const lease_ms = 30_000

type Row = RowKey<'sms_uuid'>

let programs = 1_000

/** A program of its own with rows that are due these seconds after the start. */
async function programWith(...due_s: readonly number[]): Promise<number> {
  programs += 1
  await database.owner.run({
    text: `insert into sms_queue (program_id, sms_uuid, kind, customer_id, merchant_id, due_at, created_at)
      select $1, id, 'invitation', id, 1, due_at, $4 from unnest($2::uuid[], $3::timestamptz[]) as n(id, due_at)`,
    values: [programs, due_s.map(() => newUuid()), due_s.map(after), start],
  })
  return programs
}

function claim(program_id: number, now: Date, limit = 10): Promise<readonly Leased<Row>[]> {
  return claimRows(database.db, queue, { program_id, now, lease_ms }, (tx) =>
    tx.run<Row>({
      text: `select q.program_id, q.sms_uuid from sms_queue q where ${claimable}
        order by q.due_at limit $3 for no key update skip locked`,
      values: [program_id, now, limit],
    }),
  )
}

async function only(program_id: number, now: Date): Promise<Leased<Row>> {
  const [row, ...others] = await claim(program_id, now)
  if (row === undefined || others.length > 0) throw new Error('not one row was claimed')
  return row
}

function rowsOf(program_id: number) {
  return database.owner.run({
    text: `select state, attempts, error, due_at, leased_until, ended_at from sms_queue where program_id = $1 order by due_at`,
    values: [program_id],
  })
}

const ids = (rows: readonly { readonly sms_uuid: Uuid }[]) => rows.map(({ sms_uuid }) => sms_uuid)

describe('a claim', () => {
  it('counts the attempt and leases the row before anything is done', async () => {
    const program_id = await programWith(0)
    expect((await only(program_id, after(1))).leased_until).toEqual(after(31))
    expect(await rowsOf(program_id)).toMatchObject([{ state: 'due', attempts: 1, leased_until: after(31) }])
  })

  it('gives each row to one of several workers', async () => {
    const program_id = await programWith(0, 1, 2, 3, 4, 5)
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(program_id, after(10), 3)))
    const claimed = ids(claims.flat())
    expect(new Set(claimed).size).toBe(claimed.length)
    claimed.push(...ids(await claim(program_id, after(10))))
    expect(claimed).toHaveLength(6)
    expect(await claim(program_id, after(10))).toEqual([])
  })

  it('leaves what is not due yet, and what is leased until its lease runs out', async () => {
    const program_id = await programWith(0, 60)
    expect(await claim(program_id, after(1))).toHaveLength(1)
    expect(await claim(program_id, after(30))).toEqual([])
    expect(await claim(program_id, after(31))).toHaveLength(1)
    expect(await rowsOf(program_id)).toMatchObject([{ attempts: 2 }, { attempts: 0 }])
  })
})

describe('an outcome', () => {
  it('ends a row', async () => {
    const program_id = await programWith(0)
    const row = await only(program_id, after(1))
    const written = await database.db.run(queue.write(row, { state: 'sent', error: null }, after(2)))
    expect(written).toEqual([{ sms_uuid: row.sms_uuid }])
    expect(await rowsOf(program_id)).toMatchObject([
      { state: 'sent', error: null, due_at: start, leased_until: null, ended_at: after(2) },
    ])
    expect(await claim(program_id, after(100))).toEqual([])
  })

  it('or makes it due again later', async () => {
    const program_id = await programWith(0)
    const again = { state: 'due', due_at: after(60), error: 'no answer' } as const
    await database.db.run(queue.write(await only(program_id, after(1)), again, after(2)))
    expect(await rowsOf(program_id)).toMatchObject([
      { state: 'due', attempts: 1, error: 'no answer', due_at: after(60), leased_until: null, ended_at: null },
    ])
    expect(await claim(program_id, after(59))).toEqual([])
    expect(await claim(program_id, after(60))).toHaveLength(1)
  })

  it('is not written by a worker whose lease another one has taken over', async () => {
    const program_id = await programWith(0)
    const late = await only(program_id, after(1))
    const current = await only(program_id, after(40))
    expect(await database.db.run(queue.write(late, { state: 'sent', error: null }, after(41)))).toEqual([])
    await database.db.run(queue.postpone(late, after(500)))
    expect(await rowsOf(program_id)).toMatchObject([{ state: 'due', attempts: 2, leased_until: current.leased_until }])
  })

  it('is none when the row is postponed: the attempt does not count', async () => {
    const program_id = await programWith(0)
    await database.db.run(queue.postpone(await only(program_id, after(1)), after(90)))
    expect(await rowsOf(program_id)).toMatchObject([
      { state: 'due', attempts: 0, due_at: after(90), leased_until: null },
    ])
  })
})

it('programs take turns, so that a long queue does not hold the others back', async () => {
  const [long, short] = [101, 102]
  const left = new Map([
    [long, 3],
    [short, 1],
  ])
  const programsInOrder = () => ({ text: `select unnest($1::int[]) as program_id`, values: [[long, short]] })
  const turns: [number, boolean][] = []
  await takeTurns(database.db, { ...queue, programs: programsInOrder }, start, async (program_id, others_wait) => {
    turns.push([program_id, others_wait])
    const claimed = Math.min(1, left.get(program_id) ?? 0)
    left.set(program_id, (left.get(program_id) ?? 0) - claimed)
    return claimed
  })
  expect(turns).toEqual([
    [long, true],
    [short, true],
    [long, true],
    [short, true],
    [long, false],
    [long, false],
  ])
})
