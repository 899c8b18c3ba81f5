import { connect as connectTls, type TLSSocket } from 'node:tls'
import { expect, it } from 'vitest'
import { newServices, rows } from '../http/rows.ts'
import { startServer, type TestServer } from '../http/support.ts'

// A client could ask for large answers and never read them: 600 connections with a few small requests each held 1.6 GB of
// the kernel's memory and ours for as long as they liked.

/** More than the buffers of a connection hold. */
const large = 'x'.repeat(32 * 1_048_576)
const page = { status: 200, body: large, headers: { 'content-type': 'text/plain' } }
const pages = {
  rows: [{ path: '/large', show: async () => page }],
  showFailure: (_failed: unknown, status: number) => ({ status, body: '', headers: {} }),
}

const connected = ({ port, tls }: TestServer) =>
  new Promise<TLSSocket>((resolve) => {
    const socket = connectTls({ port, host: 'localhost', ca: tls.ca }, () => resolve(socket))
  })

it('a connection whose client takes nothing of its answer is cut', async () => {
  const server = await startServer(rows, newServices(), { pages, limits: { answer_ms: 300 } })
  const socket = await connected(server)
  socket.on('error', () => undefined)
  socket.once('data', () => socket.pause())
  const begun = new Promise((resolve) => socket.once('pause', resolve))
  socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await begun
  // Resolves when no connection is left.
  await server.server.drain({ drain_ms: 0, settle_ms: 20_000 })
  let taken = 0
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('data', (chunk) => {
    taken += chunk.length
  })
  socket.resume()
  await closed
  expect(taken).toBeLessThan(large.length / 2)
  await server.stop()
})
