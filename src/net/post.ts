import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import { errorCode, firstError } from '../lib/errors.ts'
import { mayReach, reachOfAddress, reachOfHost } from './addresses.ts'
import {
  BlockedAddressError,
  type ConnectorOptions,
  contextTrusting,
  createConnector,
  refusalOf,
  UnknownHostError,
} from './connector.ts'

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Called when the connection is open and the first byte is about to leave. */
  readonly onStart?: () => void
}

/** How a request ended. `status` is null when no answer began; `error` is null when the whole answer arrived. */
export interface PostResult {
  readonly status: number | null
  /** The first bytes of the body, as text. */
  readonly response: string | null
  readonly retry_after: string | null
  readonly error: string | null
  /** Ours (`too_late`), or that of Node and its libraries (`ECONNREFUSED`); null without an error, or if that has none. */
  readonly error_code: string | null
  /** The receiver never began an answer: a time-out, or no connection. */
  readonly silent: boolean
}

export interface PostOptions extends ConnectorOptions {
  /** How much of an answer's body is read. */
  readonly response_limit_bytes: number
  /** URL of an outgoing proxy, which looks up the names. Requests to this machine bypass it. */
  readonly proxy?: string | undefined
}

export interface Poster {
  /** Never throws. `timeout_ms` covers everything from the look-up to the end of the answer. */
  post(request: PostRequest): Promise<PostResult>
  /** Ends all connections, busy ones too. */
  close(): Promise<void>
}

const keepAlive_ms = 4_000
const headers_limit_bytes = 16_384

/** Posts to URLs that others have chosen. Reuses connections for a few seconds. */
export function createPoster(options: PostOptions): Poster {
  const direct: Outbound = { agent: directAgent(options) }
  const proxied = options.proxy === undefined ? direct : behindProxy(options, options.proxy)
  return {
    async post(request) {
      const url = URL.parse(request.url)
      if (url === null) return unreadable
      const outbound = reachOfHost(url.hostname) === 'loopback' ? direct : proxied
      return new Promise((resolve) => send(outbound, { url, request, options, resolve }))
    },
    async close() {
      await Promise.all([direct.agent.destroy(), proxied.agent.destroy()])
    },
  }
}

/** How requests leave: directly, or by the proxy. */
interface Outbound {
  readonly agent: Dispatcher
  /** Checks the target of a request, where the agent's own connections do not. */
  readonly check?: (url: URL) => Promise<BlockedAddressError | null>
}

function directAgent(options: PostOptions): Dispatcher {
  return new Agent({ ...limits, connect: createConnector(options) })
}

/** Every request goes through a CONNECT tunnel and is encrypted inside it. */
function behindProxy(options: PostOptions, uri: string): Outbound {
  const tls = { rejectUnauthorized: true, secureContext: contextTrusting(options.ca) }
  const agent = new ProxyAgent({ ...limits, uri, connectTimeout: options.timeout_ms, requestTls: tls })
  return { agent, check: checkBehindProxy(options) }
}

const limits = {
  allowH2: false,
  pipelining: 1,
  keepAliveTimeout: keepAlive_ms,
  keepAliveMaxTimeout: keepAlive_ms,
  maxHeaderSize: headers_limit_bytes,
  headersTimeout: 0,
  bodyTimeout: 0,
} as const

/** Checks the target that a proxy will connect to, as far as its name can be looked up from here. */
function checkBehindProxy(options: PostOptions): NonNullable<Outbound['check']> {
  return async ({ hostname }) => {
    const refused = refusalOf(hostname, options)
    if (refused !== null) return refused
    const reaches = (await options.resolve(hostname)).map((address) => ({ address, reach: reachOfAddress(address) }))
    const wrong = reaches.find(({ reach }) => !mayReach(reach, options))
    return wrong === undefined ? null : new BlockedAddressError(`${hostname} (${wrong.address})`, wrong.reach)
  }
}

interface Sending {
  readonly url: URL
  readonly request: PostRequest
  readonly options: PostOptions
  readonly resolve: (result: PostResult) => void
}

/** Sends one request. The first of answer, error and time-out decides; later ones are ignored. */
function send({ agent, check }: Outbound, { url, request, options, resolve }: Sending): void {
  let controller: Dispatcher.DispatchController | undefined
  let over = false
  let status: number | null = null
  let retry_after: string | null = null
  const chunks: Buffer[] = []
  let received = 0
  const late = { error: `no whole answer within ${options.timeout_ms / 1000} s`, error_code: 'too_late' }
  const timer = setTimeout(() => end(late), options.timeout_ms)

  function end({ error, error_code }: Failure): void {
    if (over) return
    over = true
    clearTimeout(timer)
    const response = status === null ? null : textOf(chunks, options.response_limit_bytes)
    resolve({ status, response, retry_after, error, error_code, silent: error !== null && status === null })
    if (error !== null || received > options.response_limit_bytes) controller?.abort(new Error('over'))
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(given) {
      controller = given
      if (over) given.abort(new Error('over'))
      else request.onStart?.()
    },
    onResponseStart(_given, code, headers) {
      if (code < 200) return
      status = code
      const header = headers['retry-after']
      retry_after = typeof header === 'string' ? header : null
    },
    onResponseData(_given, chunk) {
      received += chunk.length
      if (!over) chunks.push(chunk)
      if (received > options.response_limit_bytes) end(nothing)
    },
    onResponseEnd: () => end(nothing),
    onResponseError: (_given, error) => end(explain(error)),
  }
  const { origin, pathname, search } = url
  const { headers, body } = request
  const dispatch = (): void => {
    if (!over) agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler)
  }
  if (check === undefined) dispatch()
  else
    check(url).then(
      (refused) => (refused === null ? dispatch() : end(explain(refused))),
      (error) => end(explain(error)),
    )
}

/** The first bytes of a body, without NUL, which PostgreSQL cannot store. */
function textOf(chunks: readonly Buffer[], limit_bytes: number): string {
  return Buffer.concat(chunks).subarray(0, limit_bytes).toString('utf8').replaceAll('\0', '\uFFFD')
}

const unreadable: PostResult = {
  ...{ status: null, response: null, retry_after: null, silent: true },
  ...{ error: 'the URL cannot be read', error_code: 'unreadable_url' },
}

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection took too long',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  UND_ERR_SOCKET: 'the connection was closed before the answer',
  UND_ERR_HEADERS_OVERFLOW: 'the answer has too many headers',
  UND_ERR_DESTROYED: 'the service stopped during the attempt',
}

type Failure = Pick<PostResult, 'error' | 'error_code'>

const nothing: Failure = { error: null, error_code: null }

/** A sentence for people, with the code of the error. */
function explain(error: Error): Failure {
  const first = firstError(error)
  const isOurs = first instanceof BlockedAddressError || first instanceof UnknownHostError
  const code = errorCode(first) ?? ''
  return { error: isOurs ? first.message : sentenceOf(first, code), error_code: code === '' ? null : code }
}

function sentenceOf(error: Error, code: string): string {
  const sentence = sentences[code]
  if (sentence !== undefined) return `${sentence} (${code})`
  if (/^(?:CERT_|ERR_TLS|UNABLE_|DEPTH_|SELF_|ERR_SSL|EPROTO|HOSTNAME)/.test(code))
    return `TLS: ${error.message.slice(0, 300)} (${code})`
  return code === '' ? error.message.slice(0, 300) : `${error.message.slice(0, 300)} (${code})`
}
