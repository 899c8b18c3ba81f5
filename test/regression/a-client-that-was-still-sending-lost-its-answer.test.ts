import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { newServices, rows } from '../http/rows.ts'
import { startServer, type TestServer } from '../http/support.ts'
import { waitFor } from '../support/wait.ts'

// Python's urllib and PHP's streams send `Connection: close`. Node.js closed such a connection after the answer, while
// the body was still arriving: with a body of 30 kB or more, a wrong key was often a broken connection for them.

let server: TestServer
beforeAll(async () => {
  server = await startServer(rows, newServices())
})
afterAll(() => server.stop())

const half = 'x'.repeat(30_000)

/** The requests that servers of this process have answered. */
function answeredRequests(): IncomingMessage[] {
  const answered: IncomingMessage[] = []
  const add = (message: unknown) => void answered.push(Reflect.get(message as object, 'request'))
  subscribe('http.server.response.finish', add)
  onTestFinished(() => void unsubscribe('http.server.response.finish', add))
  return answered
}

it.each([
  ['a wrong key', '/api/v1/orders/earning', 400],
  ['an unknown path', '/api/v1/nothing', 404],
  ['a URL that does not decode', '/api/v1/%zz', 400],
])('the whole body of a refused request is read before its connection is closed: %s', async (_what, path, status) => {
  const answered = answeredRequests()
  const socket = connect({ port: server.port, host: '127.0.0.1', ca: server.tls.ca, servername: 'localhost' })
  onTestFinished(() => void socket.destroy())
  const headers = 'Host: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 60000'
  socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n${half}`)
  await once(socket, 'readable')
  socket.write(half)
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*"status":false`))
  const [request] = answered
  await waitFor('the connection to be closed', () => request?.socket.destroyed === true)
  expect(request?.complete).toBe(true)
})
