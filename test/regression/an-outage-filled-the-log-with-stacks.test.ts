import { expect, test } from 'vitest'
import { createLog } from '../../src/observability/log.ts'
import { outageLog } from '../../src/observability/outage-log.ts'

// While the database was away, every request wrote a stack of a kilobyte besides its own line: at 500 requests a second, a
// gigabyte in half an hour, on the disk that the database may share.

const failed = (code: string) => Object.assign(new Error(`it failed with ${code}`), { code })

test('a reason is told once a second, with the number of failures that were left out', () => {
  const lines: Record<string, unknown>[] = []
  let now_ms = 0
  const log = createLog({ level: 'info', stream: { write: (line) => void lines.push(JSON.parse(line)) } })
  const tell = outageLog(log, () => now_ms)
  const told = (): unknown[] => lines.splice(0).map(({ request_id, left_out }) => [request_id, left_out])
  const fail = (request_id: string, code = 'ECONNREFUSED') => {
    const entry = { err: failed(code), request_id }
    tell(entry)
  }
  for (const id of ['1', '2', '3']) fail(id)
  expect(told()).toEqual([['1', undefined]])
  fail('4', '57P01')
  fail('5', '57P01')
  expect(told()).toEqual([['4', 2]])
  now_ms = 999
  fail('6')
  expect(told()).toEqual([])
  now_ms = 1_000
  fail('7')
  fail('8', '57P01')
  expect(told()).toEqual([
    ['7', 2],
    ['8', undefined],
  ])
})
