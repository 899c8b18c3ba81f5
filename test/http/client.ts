import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext } from 'node:tls'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed body; an empty object when it is not JSON. */
  readonly body: Envelope
}

/** The response envelope, loosely typed: tests state what they expect. */
export interface Envelope {
  readonly status?: boolean
  readonly message?: string
  readonly appended_data?: object
  readonly data?: unknown
  readonly errors?: Record<string, string[]>
  readonly links?: unknown
  readonly meta?: unknown
}

/** The `data` of a success. Throws any other answer. */
export function dataOf(reply: Reply): Record<string, unknown> {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`)
  return reply.body.data as Record<string, unknown>
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Sent as JSON, with its content type. */
  readonly json?: unknown
  /** Sent as they are. */
  readonly bytes?: string | Buffer
  readonly key?: string
}

export interface Client {
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  /** Writes bytes on a new TLS connection. Gives all bytes that come back until it closes. */
  raw(bytes: string | Buffer): Promise<string>
  /** The same without TLS. */
  rawPlain(bytes: string | Buffer): Promise<string>
  close(): void
}

/** The address of `localhost`, which takes the system longer to find than a request takes. */
const lookup: LookupFunction = (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }])

/** A client of one server. It trusts the server's authority and verifies the certificate. */
export function createClient(port: number, ca: string): Client {
  // Read the authority once, not for each connection.
  const secureContext = createSecureContext({ ca })
  const agent = new Agent({ secureContext, keepAlive: true })
  return {
    call(method, path, { headers = {}, json, bytes, key } = {}) {
      const payload = json === undefined ? bytes : JSON.stringify(json)
      return new Promise((resolve, reject) => {
        const request = httpsRequest({
          agent,
          method,
          path,
          host: 'localhost',
          lookup,
          port,
          headers: {
            ...(json === undefined ? {} : { 'content-type': 'application/json' }),
            ...(payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }),
            ...(key === undefined ? {} : { 'x-api-key': key }),
            ...headers,
          },
        })
        request.on('error', reject)
        request.on('response', (response) => {
          const chunks: Buffer[] = []
          response.on('error', reject)
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            const isJson = response.headers['content-type']?.startsWith('application/json') === true
            const body: Envelope = isJson && text !== '' ? JSON.parse(text) : {}
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body })
          })
        })
        request.end(payload)
      })
    },
    raw: (bytes) =>
      exchange(connectTls({ port, secureContext, host: 'localhost', lookup, servername: 'localhost' }), bytes),
    rawPlain: (bytes) => exchange(connectTcp({ port, host: '127.0.0.1' }), bytes),
    close: () => agent.destroy(),
  }
}

/** Writes, then reads until the connection closes or is reset. */
function exchange(socket: Socket, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.write(bytes)
  })
}

/** Parses the bytes of a raw connection as an answer. */
export function parseRaw(text: string): Reply {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  const [line = '', ...rest] = head.split('\r\n')
  const headers: IncomingHttpHeaders = {}
  for (const header of rest) {
    const colon = header.indexOf(':')
    headers[header.slice(0, colon).toLowerCase()] = header.slice(colon + 1).trim()
  }
  const envelope: Envelope = body === '' ? {} : JSON.parse(body)
  return { status: Number(line.split(' ')[1]), headers, text: body, body: envelope }
}
