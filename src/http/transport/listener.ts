import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Failure } from '../../domain/failures.ts'
import { errorCode } from '../../lib/errors.ts'
import { createServer as createPlainServer } from '../../lib/node-http.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { type CommonHeaders, corsHeaders, respondFailure, writeFailure } from '../api/responses.ts'
import { discardBody } from './body-discard.ts'
import { Connections, most_connections } from './connections.ts'
import { Pipelining } from './pipelining.ts'
import { httpsAddressOf, sendToHttps } from './plain-visit.ts'
import type { ProxyTrust } from './proxy.ts'

/** How long a client may make us wait, and how much it may make us keep in memory. */
export interface Limits {
  /** For the first byte of a connection. */
  readonly silence_ms: number
  readonly handshake_ms: number
  /** For all headers of a request, and for the whole of it. */
  readonly headers_ms: number
  readonly request_ms: number
  /** For a body, counted from when its reading begins. */
  readonly body_ms: number
  /** For an answer, or a piece of a file, to be taken. */
  readonly answer_ms: number
  /** Longer than the 60 s of most balancers, so that they close idle connections before we do. */
  readonly keep_alive_ms: number
  readonly header_bytes: number
  /** Open at the same time. */
  readonly connections: number
}

export const defaultLimits: Limits = {
  silence_ms: 10_000,
  handshake_ms: 10_000,
  headers_ms: 10_000,
  request_ms: 30_000,
  body_ms: 10_000,
  answer_ms: 120_000,
  keep_alive_ms: 65_000,
  header_bytes: 16_384,
  connections: most_connections,
}

export interface ListenerOptions {
  readonly tls: { readonly cert: string; readonly key: string }
  readonly proxies: ProxyTrust
  readonly metrics: Metrics
  readonly limits: Limits
  /** On every answer to a request that came by HTTPS. */
  readonly headers: CommonHeaders
  /** Where browsers that came by plain HTTP are sent; undefined sends nobody. */
  readonly redirect_browsers_to?: string | undefined
  /** Answers a request that the listener lets through. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  /** The failure for a URL whose method Node does not know. */
  readonly pathFailure: (url: string) => Failure
  /** Whether browsers of any origin may read the answers of a URL, refusals included. */
  readonly allowsAnyOrigin: (url: string) => boolean
}

export interface Listener {
  readonly server: TlsServer
  readonly connections: Connections
  /** Uses another certificate for new connections. */
  renew(tls: ListenerOptions['tls']): void
  /** Ends kept-alive connections without an answer under way. */
  closeIdle(): void
  close(): void
}

/** All suites of TLS 1.3; of TLS 1.2 only those with forward secrecy and authenticated encryption (AEAD). */
const ciphers = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ...['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':')
const protocols = { minVersion: 'TLSv1.2', ciphers } as const

/** The first byte of a TLS connection: a handshake record. */
const tls_handshake = 0x16

/** How long a client may take to read a refusal and close the connection. */
const refusal_linger_ms = 1_000

/** Makes the one listener: TLS for everybody, plain HTTP for trusted proxies, and a refusal for the rest. */
export function createListener(options: ListenerOptions): Listener {
  const { tls, limits, metrics } = options
  const connections = new Connections(limits.connections, () => metrics.countConnectionError('crowded'))
  const handle = admit(options, connections)
  const http = httpOptions(limits)
  const server = createTlsServer({ ...http, ...tls, ...protocols, handshakeTimeout: limits.handshake_ms }, handle)
  const plain = createPlainServer(http, handle)
  for (const each of [server, plain]) {
    each.on('clientError', clientErrorHandler(options, connections))
    each.on('connect', (request: IncomingMessage, socket: Duplex) => {
      writeFailure(socket, options.pathFailure(request.url ?? ''), options.headers, request)
    })
    each.on('checkExpectation', handle) // ignore expectations that Node does not know
  }
  server.on('tlsClientError', () => metrics.countConnectionError('tls'))
  server.on('secureConnection', (socket) => connections.serving(socket))
  plain.on('connection', (socket) => connections.serving(socket))
  plain.emit('listening') // starts its time-outs, which would otherwise wait for a listen() that never comes

  const startTls = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    connections.opened(socket)
    peek(socket, limits.silence_ms, (first) => {
      if (first !== tls_handshake) plain.emit('connection', socket)
      else for (const start of startTls) start.call(server, socket)
    })
  })
  return {
    server,
    connections,
    renew: (fresh) => server.setSecureContext({ ...fresh, ...protocols }),
    closeIdle() {
      server.closeIdleConnections()
      plain.closeIdleConnections()
    },
    close: () => plain.close(),
  }
}

function httpOptions(limits: Limits): ServerOptions {
  return {
    maxHeaderSize: limits.header_bytes,
    headersTimeout: limits.headers_ms,
    requestTimeout: limits.request_ms,
    keepAliveTimeout: limits.keep_alive_ms,
    connectionsCheckingInterval: Math.min(1_000, limits.headers_ms),
    requireHostHeader: false, // Node's own refusal has no envelope, so `admit` refuses
    noDelay: true,
  }
}

/** Reads the first byte of a connection and puts it back. Cuts a connection that stays silent. */
function peek(socket: Socket, silence_ms: number, onFirstByte: (first: number) => void): void {
  const cut = (): void => {
    socket.destroy()
  }
  socket.on('error', cut)
  socket.setTimeout(silence_ms, cut)
  socket.once('readable', () => {
    const head: Buffer | null = socket.read(1)
    const first = head?.[0]
    if (head === null || first === undefined) {
      cut()
      return
    }
    socket.setTimeout(0, cut)
    socket.off('timeout', cut)
    socket.unshift(head)
    onFirstByte(first)
  })
}

/** Passes on requests that came by HTTPS, to us or to a trusted proxy, and refuses others. */
function admit(options: ListenerOptions, connections: Connections): ListenerOptions['handle'] {
  const { proxies, metrics, headers, handle, allowsAnyOrigin, redirect_browsers_to: site } = options
  const pipelining = new Pipelining()
  const answer: ListenerOptions['handle'] = (request, response) => {
    connections.began(request, response)
    request.url = pathOf(request.url ?? '')
    const refuse = (kind: 'https_required' | 'malformed_request', common: CommonHeaders): void => {
      metrics.countConnectionError(kind)
      discardBody(request)
      const location = kind === 'https_required' && site !== undefined ? httpsAddressOf(request, site) : undefined
      if (location !== undefined) sendToHttps(response, location)
      else respondFailure(response, { kind }, { ...common, ...corsHeaders(allowsAnyOrigin(request.url ?? '')) })
    }
    if (!proxies.arrivedByHttps(request)) refuse('https_required', {})
    else if (!namesOneHost(request)) refuse('malformed_request', headers)
    else handle(request, response)
  }
  return (request, response) => {
    if (pipelining.take(request, response, () => answer(request, response))) return
    metrics.countConnectionError('pipelined')
    request.socket.destroy()
  }
}

/** RFC 9112 3.2.2: a target may name scheme and host. They say no more than `Host`, and paths are compared without. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('/') || path === target ? path : `/${path}`
}

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port. */
const hostHeader = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]*)(?::\d*)?$/i

/** RFC 9112 3.2: a request has one valid `Host`; HTTP/1.0 may omit it. Node would read the first of several. */
function namesOneHost({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  if (count === 0) return httpVersion === '1.0'
  return count === 1 && hostHeader.test(headers.host ?? '')
}

interface ParserError extends Error {
  readonly rawPacket?: Buffer
}

function clientErrorHandler(options: ListenerOptions, connections: Connections) {
  const { metrics, pathFailure, proxies, headers, allowsAnyOrigin } = options
  const refused = new WeakSet<Duplex>()
  return (error: ParserError, socket: Duplex): void => {
    if (refused.has(socket)) return // the rest of a refused request is still arriving
    const answer = connections.answering(socket)
    if (answer !== undefined && (answer.headersSent || answer.req.complete)) {
      // The client would take a refusal for the answer under way. Let that answer be the last.
      refused.add(socket)
      if (!answer.headersSent) answer.setHeader('connection', 'close')
      answer.once('close', () => socket.end())
      return
    }
    if (errorCode(error) === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const unencrypted = isUnencrypted(socket, proxies)
    const failure = unencrypted ? ({ kind: 'https_required' } as const) : explain(error, pathFailure)
    metrics.countConnectionError(failure.kind)
    refused.add(socket)
    const cors = corsHeaders(answer !== undefined && allowsAnyOrigin(answer.req.url ?? ''))
    writeFailure(socket, failure, { ...(unencrypted ? {} : headers), ...cors }, answer?.req)
    // Closing while the client still writes resets the connection, and the refusal is lost.
    setTimeout(() => socket.destroy(), refusal_linger_ms).unref()
  }
}

/** Whether the client, which is no trusted proxy, does not use HTTPS. That failure comes before all others. */
function isUnencrypted(socket: Duplex, proxies: ProxyTrust): boolean {
  return !('encrypted' in socket) && 'remoteAddress' in socket && !proxies.trusts(String(socket.remoteAddress))
}

function explain(error: ParserError, pathFailure: ListenerOptions['pathFailure']): Failure {
  switch (errorCode(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return { kind: 'headers_too_large' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { kind: 'request_timeout' }
    case 'HPE_INVALID_METHOD': {
      const line = error.rawPacket?.subarray(0, 4096).toString('latin1') ?? ''
      const target = /^[\w!#$%&'*+.^`|~-]+ (\/\S*) HTTP\/1\.[01]\r?\n/.exec(line)?.[1]
      return target === undefined ? { kind: 'malformed_request' } : pathFailure(target)
    }
    default:
      return { kind: 'malformed_request' }
  }
}
