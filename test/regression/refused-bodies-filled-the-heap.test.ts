import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { discardBody, portion_bytes } from '../../src/http/transport/body-discard.ts'
import { waitFor } from '../support/wait.ts'

// 20 clients with a refused megabyte each blocked the event loop for 100 ms: Node.js read 160 MB a second after
// the answers, and then collected the buffers.

const body = Buffer.alloc(4_000_000, 'x')

/** A server that refuses every body, and rests for as long as the test likes. */
async function startRefusing() {
  const resting: (() => void)[] = []
  const refused: IncomingMessage[] = []
  const server = createServer((request, response) => {
    refused.push(request)
    discardBody(request, (next) => resting.push(next))
    response.writeHead(413, { 'content-length': 7 }).end('refused')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const client = send({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': body.length } })
  return { resting, refused, client }
}

it('after its answer a refused body is read a portion at a time, and the connection stays', async () => {
  const { resting, refused, client } = await startRefusing()
  client.end(body)
  const [answer] = (await once(client, 'response')) as [IncomingMessage]
  expect([answer.statusCode, await text(answer)]).toEqual([413, 'refused'])
  const [request] = refused
  if (request === undefined) throw new Error('no request')
  let most_bytes = 0
  for (let before = 0; !request.complete; ) {
    await waitFor('a rest', () => resting.length > 0 || request.complete)
    most_bytes = Math.max(most_bytes, request.socket.bytesRead - before)
    before = request.socket.bytesRead
    resting.shift()?.()
  }
  // What the socket and the parser hold at the moment of a rest comes on top.
  expect(most_bytes).toBeLessThanOrEqual(8 * portion_bytes)
  expect([request.socket.destroyed, request.socket.bytesRead > body.length]).toEqual([false, true])
})
