import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/** A request as a stand-in received it. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

export interface Scripted {
  readonly status?: number
  /** An object as JSON, a text as it is. */
  readonly body?: object | string
  /** The answer leaves once this has happened. */
  readonly after?: Promise<unknown>
  /** The connection is cut in the place of an answer. */
  readonly cut?: boolean
}

/** Never resolves: the answer after it never comes. */
export const never = new Promise<never>(() => undefined)

/** A provider on loopback with the answers of the test. */
export interface StandIn {
  readonly url: string
  readonly received: Received[]
  answer: Scripted | ((request: Received) => Scripted)
  close(): Promise<void>
}

/** JSON, or the fields of a form. */
function parsed(sent: string, type: string | undefined): unknown {
  if (sent === '') return undefined
  return type === 'application/x-www-form-urlencoded'
    ? Object.fromEntries(new URLSearchParams(sent))
    : (JSON.parse(sent) as unknown)
}

export async function startStandIn(): Promise<StandIn> {
  const received: Received[] = []
  const server: Server = createServer(async (request, response) => {
    const sent = await text(request)
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body: parsed(sent, headers['content-type']) }
    received.push(one)
    const {
      status = 200,
      body = {},
      after,
      cut = false,
    } = typeof standIn.answer === 'function' ? standIn.answer(one) : standIn.answer
    await after
    if (cut) return void request.socket.destroy()
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' })
    response.end(isText ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const standIn: StandIn = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: {},
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return standIn
}

/** A stand-in for the tests of a file. Each begins with nothing received, and an empty answer. */
export function testStandIn(): () => StandIn {
  let standIn: StandIn | undefined
  beforeAll(async () => {
    standIn = await startStandIn()
  })
  beforeEach(() => {
    if (standIn === undefined) return
    standIn.received.length = 0
    standIn.answer = {}
  })
  afterAll(() => standIn?.close())
  return () => {
    if (standIn === undefined)
      throw new Error('The stand-in is started before the tests: use it in tests and hooks only.')
    return standIn
  }
}
