import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect, it } from 'vitest'
import { type LoadOptions, runLoad } from '../../src/bench/load.ts'
import { findFreePort } from '../../src/lib/listen.ts'
import { localAuthority } from '../support/authority.ts'
import { elapsedTime } from '../support/elapsed.ts'

const time = elapsedTime()
const stall_ms = 60_000
const count = 20

/**
 * Runs a load on one connection to a server that answers in turn with `answers`, then with 200s. An empty answer breaks the
 * connection. Gives what the server read, and how many connections it saw, too.
 */
async function load(options: Partial<LoadOptions>, answers: readonly (() => string)[]) {
  const { ca, cert, key } = await localAuthority()
  const requests: string[] = []
  let connections = 0
  const server = createServer({ cert, key }, (socket) => {
    connections += 1
    socket.on('data', (bytes) => {
      const answer = (answers[requests.length] ?? (() => '200 OK'))()
      requests.push(bytes.toString())
      if (answer === '') socket.destroy()
      else socket.write(`HTTP/1.1 ${answer}\r\ncontent-length: 2\r\n\r\n{}`)
      if (answer.includes('close')) socket.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let sent = 0
  const request = () => {
    sent += 1
    return sent > count ? undefined : Buffer.from(`request ${sent}`)
  }
  const place = { port, ca, connections: 1, duration_ms: 10 * stall_ms }
  try {
    return { ...(await runLoad({ ...place, request, ...options })), requests, connections }
  } finally {
    server.close()
  }
}

const stalls = () => {
  time.pass(stall_ms)
  return '200 OK'
}

it('at a pace, every request that was planned while the server stalled has waited since then', async () => {
  const paced = await load({ duration_ms: stall_ms, pace_per_s: (count / stall_ms) * 1_000 }, [stalls])
  expect(paced.statuses).toEqual({ 200: count })
  expect(paced.p99_ms).toBeGreaterThanOrEqual(stall_ms)
  expect(paced.p50_ms).toBeGreaterThanOrEqual(stall_ms / 2)
})

it('without a pace, only the request that met the stall shows it', async () => {
  const free = await load({}, [stalls])
  expect(free.statuses).toEqual({ 200: count })
  expect(free.p99_ms).toBeGreaterThanOrEqual(stall_ms)
  expect(free.p50_ms).toBeLessThan(stall_ms / 2)
})

const refuses = () => {
  time.pass(stall_ms)
  return '429 Too Many Requests\r\nretry-after: 0'
}

it('sends what is answered with 429 again when asked to, and counts the time from its first try', async () => {
  const retried = await load({ retries: true }, [refuses, refuses])
  expect(retried.statuses).toEqual({ 200: count, 429: 2 })
  expect(retried.requests.slice(0, 4)).toEqual(['request 1', 'request 1', 'request 1', 'request 2'])
  expect(retried.p99_ms).toBeGreaterThanOrEqual(2 * stall_ms)
})

it('counts a request that is refused until the end as unfinished, with the time it has waited', async () => {
  const refused = await load({ retries: true, duration_ms: 2 * stall_ms }, [refuses, refuses])
  expect(refused.statuses).toEqual({ 429: 2, unfinished: 1 })
  expect(refused.p50_ms).toBeGreaterThanOrEqual(2 * stall_ms)
})

it('sends nothing again unless asked to', async () => {
  const refused = await load({}, [refuses])
  expect(refused.statuses).toEqual({ 200: count - 1, 429: 1 })
  expect(refused.requests.slice(0, 2)).toEqual(['request 1', 'request 2'])
})

const ends = () => '200 OK\r\nConnection: close'
const breaks = () => ''

it('opens another connection after an answer that ends one, and the next request waits for it', async () => {
  const moved = await load({ reconnects: true }, [ends, () => '200 OK', ends])
  expect(moved.statuses).toEqual({ 200: count })
  expect(moved.connections).toBe(3)
  expect(moved.requests).toEqual(Array.from({ length: count }, (_, n) => `request ${n + 1}`))
})

it('counts a request whose connection broke before its answer, and does not send it again', async () => {
  const moved = await load({ reconnects: true }, [() => '200 OK', breaks, breaks])
  expect(moved.statuses).toEqual({ 200: count - 2, broken: 2 })
  expect(moved.connections).toBe(3)
  expect(moved.requests).toEqual(Array.from({ length: count }, (_, n) => `request ${n + 1}`))
})

it('counts the requests whose connection cannot be opened', async () => {
  const { ca } = await localAuthority()
  const port = await findFreePort('127.0.0.1')
  let sent = 0
  const request = () => {
    sent += 1
    return sent > count ? undefined : Buffer.from(`request ${sent}`)
  }
  const nobody = { port, ca, connections: 1, duration_ms: stall_ms, request }
  expect((await runLoad({ ...nobody, reconnects: true })).statuses).toEqual({ broken: count })
  await expect(runLoad(nobody)).rejects.toThrow('ECONNREFUSED')
})

it('takes the end of a connection for an error unless asked to open another', async () => {
  await expect(load({}, [breaks])).rejects.toThrow('the server closed a connection under load')
})
