import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, type Failure } from '../../domain/failures.ts'
import { anyOriginHeaders } from './cors.ts'
import { failure } from './envelope.ts'
import { headersOf, statusOf } from './error-answers.ts'
import { defaultLocale, type Locale, negotiateLocale } from './locale.ts'

/** The three ways to answer with a failure: through Fastify, through Node, and onto a bare socket. */

/** Makes the `X-Request-Id` of a request. It is always ours: what a client sends could repeat, or be anything. */
export function newRequestId(): string {
  return randomUUID()
}

export function localeOf(request: FastifyRequest): Locale {
  const { query } = request
  const lang = typeof query === 'object' && query !== null && 'lang' in query ? query.lang : undefined
  return negotiateLocale(lang, request.headers['accept-language'])
}

export function replyFailure(request: FastifyRequest, reply: FastifyReply, failed: Failure): FastifyReply {
  request.failure = failed.kind
  return endingConnection(reply, failed)
    .code(statusOf(failed.kind))
    .headers(headersOf(failed))
    .send(failure(failed, localeOf(request)))
}

/** The rest of a body that came too slowly is not waited for. */
export function endingConnection(reply: FastifyReply, { kind }: Failure): FastifyReply {
  return kind === 'request_timeout' ? reply.header('connection', 'close') : reply
}

/** Headers that every answer has besides its own. */
export type CommonHeaders = Readonly<Record<string, string>>

/** For requests that Node parsed and Fastify does not get to see. The connection ends with the answer. */
export function respondFailure(response: ServerResponse, failed: Failure, common: CommonHeaders = {}): void {
  const body = JSON.stringify(failure(failed, negotiateLocale(undefined, response.req.headers['accept-language'])))
  response.writeHead(statusOf(failed.kind), { ...common, ...closingHeaders(failed, body) }).end(body)
}

/** For connections on which no request, or only the head of one, could be parsed. */
export function writeFailure(socket: Duplex, failed: Failure, common: CommonHeaders = {}): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(failure(failed, defaultLocale))
  const status = statusOf(failed.kind)
  const headers = { ...common, ...closingHeaders(failed, body), date: new Date().toUTCString() }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

export function corsHeaders(cors: boolean | undefined): Readonly<Record<string, string>> {
  return cors ? anyOriginHeaders : {}
}

function closingHeaders(failed: Failure, body: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': newRequestId(),
    connection: 'close',
    ...headersOf(failed),
  }
}

/** What an error that reached the frame means. Null: it is not one of ours, and should not have happened. */
export function failureOf(error: unknown, request: FastifyRequest): Failure | null {
  if (error instanceof DomainError) return error.failure
  // The connection broke while the body was arriving: nobody is there to read the answer.
  if (request.raw.errored !== null && request.raw.errored === error) return { kind: 'malformed_request' }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code !== 'string' || !code.startsWith('FST_ERR_CTP_')) return null
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { kind: 'body_too_large' }
  return { kind: code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? 'unsupported_media_type' : 'malformed_request' }
}
