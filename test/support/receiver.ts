import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A delivery as it arrived. */
export interface Received {
  readonly id: string
  readonly attempt: number
  readonly event: string
  readonly secret: string
  readonly order_uuid: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: { readonly event: string; readonly order?: Record<string, unknown>; readonly timestamp: string }
  /** When its headers arrived. */
  readonly at_ms: number
  /** Deliveries without an answer at its arrival, itself included. */
  readonly at_once: number
}

/** Answers a delivery that has arrived whole. */
export type Answer = (response: ServerResponse, received: Received) => void | Promise<void>

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** Answers the next deliveries. */
  answer: Answer
  /** Waits until this many have arrived. */
  waitFor(count: number, limit_ms?: number): Promise<readonly Received[]>
  stop(): Promise<void>
}

export interface ReceiverOptions {
  readonly answer?: Answer
  /** Speaks HTTPS with this certificate instead of plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly port?: number
}

const plain: Readonly<Record<'ok' | 'hang' | 'reset' | 'drip' | 'endless', Answer>> = {
  ok: (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('ok'),
  /** Takes the delivery and never answers. */
  hang: () => undefined,
  reset: (response) => {
    if (response.socket !== null && 'resetAndDestroy' in response.socket) response.socket.resetAndDestroy()
  },
  /** Answers a byte at a time, for ever. */
  drip: async (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    while (!response.destroyed) {
      response.write('.')
      await sleep(50)
    }
  },
  /** Answers as many bytes as it can, for ever. */
  endless: async (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    while (!response.destroyed) {
      if (!response.write('x'.repeat(65_536))) await sleep(1)
    }
  },
}

/** The ways in which receivers answer, or do not. */
export const answers = {
  ...plain,
  status(code: number, headers: Readonly<Record<string, string>> = {}): Answer {
    return (response) => void response.writeHead(code, headers).end(code === 204 ? undefined : `answered ${code}`)
  },
  after(ms: number, then: Answer): Answer {
    return async (response, received) => {
      await sleep(ms)
      await then(response, received)
    }
  },
  /** The first `count` deliveries meet one answer, the rest the other. */
  firstly(count: number, first: Answer, then: Answer): Answer {
    let met = 0
    return (response, received) => (++met <= count ? first : then)(response, received)
  },
}

/** A merchant's local server. It keeps every delivery. */
export async function startReceiver({ answer = answers.ok, tls, port = 0 }: ReceiverOptions = {}): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  let at_once = 0
  const listener: RequestListener = (request, response) => {
    const at_ms = Date.now()
    at_once += 1
    response.on('close', () => {
      at_once -= 1
    })
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const one = read(request, Buffer.concat(chunks).toString(), { at_ms, at_once })
      received.push(one)
      for (const check of waiting) check()
      void receiver.answer(response, one)
    })
  }
  const server = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener)
  await listening(server, port)
  const bound = (server.address() as AddressInfo).port
  const receiver: Receiver = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${bound}/hook`,
    port: bound,
    received,
    answer,
    waitFor: (count, limit_ms = 120_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check)
          reject(new Error(`${received.length} of ${count} deliveries arrived within ${limit_ms} ms`))
        }, limit_ms)
        const check = (): void => {
          if (received.length < count) return
          waiting.delete(check)
          clearTimeout(timer)
          resolve(received)
        }
        waiting.add(check)
        check()
      }),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
  return receiver
}

/** The same, stopped at the end of the test. */
export async function testReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const started = await startReceiver(options)
  onTestFinished(() => started.stop())
  return started
}

function read(request: IncomingMessage, text: string, when: Pick<Received, 'at_ms' | 'at_once'>): Received {
  const body = JSON.parse(text) as Received['body']
  const { headers } = request
  return {
    ...when,
    id: String(headers['x-webhook-id']),
    attempt: Number(headers['x-webhook-attempt']),
    event: String(headers['x-webhook-event']),
    secret: String(headers['x-webhook-secret']),
    // An event about a settlement names no order.
    order_uuid: String(body.order?.['id']),
    path: request.url ?? '',
    headers,
    body,
  }
}

/** A TCP server that does not speak HTTP: it calls `greet` with each connection. */
export async function startRaw(
  greet: (socket: Socket) => void,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    greet(socket)
  })
  await listening(server, 0)
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Workers open more connections at once than the default backlog holds. The rest would wait for seconds. */
const backlog = 4_096

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen({ port, host: '127.0.0.1', backlog }, resolve)
  })
}
