import { afterEach, expect, it } from 'vitest'
import { most_waiting } from '../../src/http/transport/pipelining.ts'
import { newServices, rows, validPurchase } from '../http/rows.ts'
import { keys, startServer, type TestServer } from '../http/support.ts'

// A connection may send requests before the answers to the last ones. All that were in a piece of it were begun at once,
// thousands of them, before anybody else's: 660 kB on one connection held everybody up for 20 s.

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

async function started() {
  const services = newServices()
  let release = () => {}
  services.pause = new Promise((resolve) => {
    release = () => resolve()
  })
  const server = await startServer(rows, services)
  servers.push(server)
  return { server, services, release }
}

const body = JSON.stringify(validPurchase)
const head = `POST /api/v1/orders/earning HTTP/1.1\r\nHost: x\r\nx-api-key: ${keys.good}\r\nContent-Type: application/json\r\n`
const request = (...headers: string[]) =>
  `${head}${headers.map((line) => `${line}\r\n`).join('')}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

it('one request of a connection is under way at a time, and all are answered in their order', async () => {
  const { server, services, release } = await started()
  const answers = server.raw(`${request().repeat(9)}${request('Connection: close')}`)
  await expect.poll(() => services.handled).toBe(1)
  // Another connection does not wait for them.
  expect((await server.call('GET', '/healthz')).status).toBe(200)
  expect(services.handled).toBe(1)
  release()
  expect((await answers).match(/HTTP\/1\.1 200 /g)).toHaveLength(10)
  expect(services.handled).toBe(10)
})

it('a connection that sends ever more before its first answer is cut', async () => {
  const { server, services, release } = await started()
  const answers = server.raw(request().repeat(most_waiting + 2)).catch((error: Error) => error)
  expect(String(await answers)).not.toContain('HTTP/1.1 200')
  release()
  expect((await server.call('GET', '/healthz')).status).toBe(200)
  expect(services.handled).toBe(1)
  expect(await server.metrics.registry.metrics()).toContain('nuqta_http_connection_errors_total{kind="pipelined"} 1')
})

it('requests behind an answer that ends the connection are not begun', async () => {
  const { server, services, release } = await started()
  const answers = server.raw(`${request('Connection: close')}${request()}`)
  await expect.poll(() => services.handled).toBe(1)
  release()
  expect((await answers).match(/HTTP\/1\.1 200 /g)).toHaveLength(1)
  expect(services.handled).toBe(1)
})
