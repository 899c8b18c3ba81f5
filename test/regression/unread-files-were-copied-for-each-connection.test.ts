import { connect as connectTls } from 'node:tls'
import { expect, it } from 'vitest'
import { piece_bytes } from '../../src/http/transport/pieces.ts'
import { createClient } from '../http/client.ts'
import { newServices, rows } from '../http/rows.ts'
import { startServer } from '../http/support.ts'

// Whoever asks for a file on many connections and reads nothing made a copy of it for each. With the description of the
// dashboard's API, of 1.2 MB, 500 connections held 440 MB of this process, and one stranger can open 2,000.

/** More than the buffers of a connection hold. */
const pieces = 1_024
const size = pieces * piece_bytes

function serve(body: Buffer) {
  const page = { status: 200, body, headers: { 'content-type': 'text/plain' } }
  const pages = {
    rows: [{ path: '/large', show: async () => page }],
    showFailure: (_failed: unknown, status: number) => ({ status, body: '', headers: {} }),
  }
  return startServer(rows, newServices(), { pages, limits: { answer_ms: 300 } })
}

it('a file goes on only once its reader has taken the piece before', async () => {
  let taken = 0
  const body = Buffer.alloc(size, 'x')
  const subarray = body.subarray.bind(body)
  body.subarray = (...range) => {
    taken += 1
    return subarray(...range)
  }
  const server = await serve(body)
  const socket = connectTls({ port: server.port, host: 'localhost', ca: server.tls.ca })
  socket.on('error', () => undefined)
  socket.once('data', () => socket.pause())
  const begun = new Promise((resolve) => socket.once('pause', resolve))
  socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await begun
  // Resolves when no connection is left: this one is cut, as its client takes nothing.
  await server.server.drain({ drain_ms: 0, settle_ms: 20_000 })
  socket.destroy()
  expect(taken).toBeGreaterThan(0)
  expect(taken).toBeLessThan(pieces)
  await server.stop()
})

it('a file in pieces is whole, and HEAD tells its length', async () => {
  const server = await serve(Buffer.alloc(size - 1, 'x'))
  const client = createClient(server.port, server.tls.ca)
  const [get, head] = [await client.call('GET', '/large'), await client.call('HEAD', '/large')]
  const length = String(size - 1)
  expect([get.status, get.text.length, get.headers['content-length']]).toEqual([200, size - 1, length])
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', length])
  client.close()
  await server.stop()
})
