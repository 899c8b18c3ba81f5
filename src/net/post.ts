import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import { errorCode } from '../lib/errors.ts'
import { mayReach, reachOfAddress, reachOfHost } from './addresses.ts'
import { BlockedAddressError, type ConnectorOptions, createConnector, refusalOf, trusting } from './connector.ts'

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Called when the connection stands and the first byte is about to leave. */
  readonly onStart?: () => void
}

/** How one request ended. `status` is null where no answer began; `error` is null where the answer came whole. */
export interface PostResult {
  readonly status: number | null
  /** Of the body, as text. */
  readonly response: string | null
  readonly retry_after: string | null
  readonly error: string | null
  /** The other side never answered: a time-out, or no connection. It is not asked for much until it does. */
  readonly silent: boolean
}

export interface PostOptions extends ConnectorOptions {
  /** Of an answer's body, what is read of it. */
  readonly response_limit_bytes: number
  /** URL of an outgoing proxy, which then looks names up. This machine is reached without it. */
  readonly proxy?: string | undefined
}

export interface Poster {
  /** Never throws: whatever happens is a result. `timeout_ms` is for all of it, from the look-up to the answer's end. */
  post(request: PostRequest): Promise<PostResult>
  /** Ends the connections that are idle, and with them all that is still under way. */
  close(): Promise<void>
}

const keepAlive_ms = 4_000
const headers_limit_bytes = 16_384

/** Posts to addresses that others have chosen. Connections are kept for a few seconds and used again. */
export function createPoster(options: PostOptions): Poster {
  const direct: Way = { agent: directAgent(options) }
  const proxied = options.proxy === undefined ? direct : behindProxy(options, options.proxy)
  return {
    async post(request) {
      const url = URL.parse(request.url)
      if (url === null) return failure('the URL cannot be read')
      const way = reachOfHost(url.hostname) === 'loopback' ? direct : proxied
      return new Promise((resolve) => send(way, { url, request, options, resolve }))
    },
    async close() {
      await Promise.all([direct.agent.destroy(), proxied.agent.destroy()])
    },
  }
}

/** How requests leave. */
interface Way {
  readonly agent: Dispatcher
  /** Whether a request may leave, where the agent's connections do not ask. */
  readonly judge?: (url: URL) => Promise<BlockedAddressError | null>
}

function directAgent(options: PostOptions): Dispatcher {
  return new Agent({ ...limits, connect: createConnector(options) })
}

/** Every request goes through a tunnel and is encrypted in it. */
function behindProxy(options: PostOptions, uri: string): Way {
  const tls = { rejectUnauthorized: true, secureContext: trusting(options.ca) }
  const agent = new ProxyAgent({ ...limits, uri, connectTimeout: options.timeout_ms, requestTls: tls })
  return { agent, judge: judgeBehindProxy(options) }
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

/** What a proxy is asked to connect to is judged here too, as far as names can be looked up from here. */
function judgeBehindProxy(options: PostOptions): NonNullable<Way['judge']> {
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

/** One exchange. The first of answer, error and time-out decides; what comes later is not heard. */
function send({ agent, judge }: Way, { url, request, options, resolve }: Sending): void {
  let controller: Dispatcher.DispatchController | undefined
  let over = false
  let status: number | null = null
  let retry_after: string | null = null
  const chunks: Buffer[] = []
  let received = 0
  const timer = setTimeout(() => end(`no whole answer within ${options.timeout_ms / 1000} s`), options.timeout_ms)

  function end(error: string | null): void {
    if (over) return
    over = true
    clearTimeout(timer)
    const response = status === null ? null : textOf(chunks, options.response_limit_bytes)
    resolve({ status, response, retry_after, error, silent: error !== null && status === null })
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
      if (received > options.response_limit_bytes) end(null)
    },
    onResponseEnd: () => end(null),
    onResponseError: (_given, error) => end(explain(error)),
  }
  const { origin, pathname, search } = url
  const { headers, body } = request
  const leave = (): void => {
    if (!over) agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler)
  }
  if (judge === undefined) leave()
  else
    judge(url).then(
      (refused) => (refused === null ? leave() : end(refused.message)),
      (error) => end(explain(error)),
    )
}

/** The first bytes of a body as text that PostgreSQL can keep. */
function textOf(chunks: readonly Buffer[], limit_bytes: number): string {
  return Buffer.concat(chunks).subarray(0, limit_bytes).toString('utf8').replaceAll('\0', '\uFFFD')
}

function failure(error: string): PostResult {
  return { status: null, response: null, retry_after: null, error, silent: true }
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

/** What went wrong, for people, with the code that machines know it by. */
function explain(error: Error): string {
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error
  const code = errorCode(first) ?? ''
  const sentence = sentences[code]
  if (sentence !== undefined) return `${sentence} (${code})`
  if (/^(?:CERT_|ERR_TLS|UNABLE_|DEPTH_|SELF_|ERR_SSL|EPROTO|HOSTNAME)/.test(code))
    return `TLS: ${first.message.slice(0, 300)} (${code})`
  return code === '' ? first.message.slice(0, 300) : `${first.message.slice(0, 300)} (${code})`
}
