import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'

/** The response envelope, loosely: tests state what they expect of it. */
export interface Body {
  readonly status?: boolean
  readonly message?: string
  readonly appended_data?: Readonly<Record<string, unknown>>
  readonly data?: unknown
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly links?: unknown
  readonly meta?: unknown
}

export interface Reply {
  readonly method: string
  /** With its query, `/api` included. */
  readonly path: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The JSON of the answer; an empty object where it is none. */
  readonly body: Body
}

export interface Request {
  /** The private key. */
  readonly key?: string
  /** Sent as JSON, with its content type. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
}

/** Speaks HTTPS to one server on this machine and verifies its certificate. */
export class HttpsClient {
  readonly #agent: Agent
  readonly #port: number

  constructor(port: number, ca: string) {
    this.#port = port
    this.#agent = new Agent({ ca, keepAlive: true })
  }

  /** `path` is the whole path, `/api/v1/…`. */
  send(method: string, path: string, { key, json, text, headers = {} }: Request = {}): Promise<Reply> {
    const payload = json === undefined ? text : JSON.stringify(json)
    return new Promise((resolve, reject) => {
      const request = httpsRequest({
        agent: this.#agent,
        host: 'localhost',
        port: this.#port,
        method,
        path,
        headers: {
          ...(payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
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
          const answer = Buffer.concat(chunks).toString()
          const status = response.statusCode ?? 0
          resolve({
            method,
            path,
            status,
            headers: response.headers,
            text: answer,
            body: parse(response.headers, answer),
          })
        })
      })
      request.end(payload)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

function parse(headers: IncomingHttpHeaders, text: string): Body {
  return headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : {}
}
