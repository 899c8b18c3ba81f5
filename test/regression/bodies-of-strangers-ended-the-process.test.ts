import { readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scratch } from '../cli/command.ts'
import type { Reply } from '../http/client.ts'
import { type Service, startService } from '../journeys/service.ts'
import { purchase } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

// What went wrong: unknown fields were parsed whole and hashed for the Idempotency-Key before anything was validated. With a
// heap of 512 MB, 20 bodies of 980 kB ended the process; anybody who knew a public key could send them.

const database = testDatabase()
const { path: home } = scratch()
const json = { 'content-type': 'application/json' }
let service: Service

beforeAll(async () => {
  service = await startService({ home, database, env: { NODE_OPTIONS: '--max-old-space-size=512' } })
})
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0)
})

const deep = (depth: number) => `{"total_price":1,"order_number":"1","x":${'['.repeat(depth)}${']'.repeat(depth)}}`
const lines = (count: number) => `{"products":[${'1,'.repeat(count - 1)}1]}`

let sent = 0

/** 20 at once, each with an Idempotency-Key of its own. */
async function attack(path: string, bytes: string, key?: string): Promise<number[]> {
  const one = (): Promise<Reply> => {
    sent += 1
    const headers = { ...json, 'idempotency-key': `attack-${sent}` }
    return service.client.call('POST', path, { bytes, headers, ...(key === undefined ? {} : { key }) })
  }
  const replies = await Promise.all(Array.from({ length: 20 }, one))
  return [...new Set(replies.map(({ status }) => status))].sort()
}

it('refuses what is too large, too deep or too much, without needing memory for it, and goes on serving others', async () => {
  const { public_key, private_key } = service.keys
  const open = `/api/v1/orders/checkout/${public_key}`
  const earn = () => service.earn(private_key, purchase())
  expect((await earn()).status).toBe(200)
  const before = await service.command(['orders', 'list', '--json'])
  for (let round = 0; round < 3; round += 1) {
    expect(await attack(open, deep(490_000))).toEqual([413])
    expect(await attack(open, lines(500_000))).toEqual([413])
    for (const bytes of [deep(60_000), lines(60_000)]) {
      for (const status of await attack(open, bytes)) expect([422, 429]).toContain(status)
    }
    for (const bytes of [deep(490_000), lines(500_000)]) {
      for (const status of await attack('/api/v1/orders/earning', bytes, private_key))
        expect([422, 429]).toContain(status)
    }
    expect((await service.client.call('GET', '/healthz')).status).toBe(200)
  }
  expect((await earn()).status).toBe(200)
  const after = await service.command(['orders', 'list', '--json'])
  expect(after.json.length).toBe(before.json.length + 1)
  if (platform() === 'linux') expect(peakMb(service.pid)).toBeLessThan(400)
})

/** The most memory that a process has had resident. */
function peakMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
}
