import { beforeEach, describe, expect, it } from 'vitest'
import type { AnsweredRequest } from '../../../src/domain/answered.ts'
import { bounds, RequestSample } from '../../../src/features/requests/sample.ts'
import { RequestLog } from '../../../src/features/requests/service.ts'
import { newUuid } from '../../../src/lib/ids.ts'

const request = (changes: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  request_id: newUuid(),
  program_id: 1,
  merchant_id: 7,
  method: 'POST',
  route: '/api/v1/orders/earning',
  order_uuid: null,
  status: 200,
  duration_ms: 3,
  failure: null,
  fields: [],
  body_bytes: 100,
  body: null,
  ...changes,
})
const refused = (changes: Partial<AnsweredRequest> = {}) =>
  request({ status: 422, failure: 'validation', fields: ['phone_number'], ...changes })

const add = (sample: RequestSample, count: number, one: () => AnsweredRequest) =>
  Array.from({ length: count }, () => sample.add(one()))
const rowsIn = (outcomes: readonly string[]) => outcomes.filter((outcome) => outcome === 'row').length

describe('the sample of a minute', () => {
  let sample: RequestSample
  beforeEach(() => {
    sample = new RequestSample()
    sample.begin(0)
  })

  it('has every request of a merchant who sends few', () => {
    expect(rowsIn(add(sample, bounds.well.rows_of_a_kind, request))).toBe(bounds.well.rows_of_a_kind)
    expect(sample.begin(60_000)).toEqual([])
  })

  it('counts the rest of a kind in the row of the slowest', () => {
    const many = 1_214
    add(sample, many, request)
    sample.add(request({ duration_ms: 900, body_bytes: 42 }))
    const rest = many - bounds.well.rows_of_a_kind
    expect(sample.begin(60_000)).toMatchObject([{ duration_ms: 900, body_bytes: 42, more: rest }])
  })

  it('keeps refused and slow requests, however many succeeded', () => {
    for (let merchant_id = 1; merchant_id < 3_000; merchant_id += 1) add(sample, 2, () => request({ merchant_id }))
    expect(sample.add(request({ merchant_id: 9_999 }))).toBe('lost')
    expect(rowsIn(add(sample, 3, refused))).toBe(3)
    expect(sample.add(request({ duration_ms: 2_000 }))).toBe('row')
  })

  it('has a bound, whatever is sent', () => {
    let rows = 0
    for (let merchant_id = 1; merchant_id < 3_000; merchant_id += 1)
      rows +=
        rowsIn(add(sample, 3, () => request({ merchant_id }))) + rowsIn(add(sample, 3, () => refused({ merchant_id })))
    rows += sample.begin(60_000).length
    const { well, badly } = bounds
    expect(rows).toBeLessThanOrEqual(well.rows + well.kinds + badly.rows + badly.kinds)
  })
})

describe('the request log', () => {
  it('writes each program by itself, later', async () => {
    const written: unknown[][] = []
    const counted: Record<string, number> = {}
    const log = new RequestLog({
      db: {
        run: async (statement) => void written.push([...('values' in statement ? statement.values : [])]) as never,
      },
      count: (outcome, count) => {
        counted[outcome] = (counted[outcome] ?? 0) + count
      },
      onFailure: () => undefined,
      now_ms: () => 0,
    })
    for (const program_id of [1, 2, 1]) log.keep(request({ program_id }))
    expect(written).toEqual([])
    await log.flush()
    expect(written.map(([program_id, ids]) => [program_id, (ids as string[]).length])).toEqual([
      [1, 2],
      [2, 1],
    ])
    expect(counted).toEqual({ written: 3 })
  })

  it('counts what the database refuses as lost, and goes on', async () => {
    const counted: string[] = []
    const failures: unknown[] = []
    const log = new RequestLog({
      db: { run: () => Promise.reject(new Error('away')) },
      count: (outcome) => counted.push(outcome),
      onFailure: (error) => failures.push(error),
      now_ms: () => 0,
    })
    log.keep(request())
    await log.finish()
    expect({ counted, failures: failures.length }).toEqual({ counted: ['lost'], failures: 1 })
  })

  it('at its end writes what it had only counted', async () => {
    const more: number[][] = []
    const log = new RequestLog({
      db: {
        run: async (statement) =>
          void more.push(('values' in statement ? statement.values.at(-1) : []) as number[]) as never,
      },
      count: () => undefined,
      onFailure: () => undefined,
      now_ms: () => 0,
    })
    for (let n = 0; n < 100; n += 1) log.keep(request())
    await log.finish()
    expect(more.flat().reduce((sum, one) => sum + one + 1, 0)).toBe(100)
  })
})
