import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, type Failure, type FailureKind } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import { errorCode } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import { STATUS_CODES } from '../../lib/node-http.ts'
import { failingFields } from './body-shape.ts'
import type { ErrorRow, FailureOf } from './error-row.ts'
import { errorTable } from './errors.ts'
import { fieldMessages } from './field-texts.ts'
import { defaultLocale, langIn, negotiateLocale } from './locale.ts'

/** The only place that shapes the bodies of answers. docs/spec/api.md#envelope */

export interface SuccessBody {
  readonly status: true
  readonly message: ''
  readonly appended_data: object
  readonly data: object
}

export interface FailureBody {
  readonly status: false
  readonly message: string
  readonly appended_data: object
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

/** A handler gives this instead of its `data` when it also has something for `appended_data`, or a list's page. */
export class Answer {
  readonly data: object
  readonly appended: object
  readonly pagination: object

  constructor(data: object, appended: object = {}, pagination: object = {}) {
    this.data = data
    this.appended = appended
    this.pagination = pagination
  }
}

/**
 * Takes the `data` of an answer (an object or a list), its `appended_data`, and the `links` and `meta` of a page, which
 * stand beside `data`. docs/spec/api.md#pagination
 */
export function success(data: object, appended: object = {}, pagination: object = {}): SuccessBody {
  return { status: true, message: '', appended_data: appended, data, ...pagination }
}

/** The body for what a handler gave. */
export function successOf(result: object): SuccessBody {
  return result instanceof Answer ? success(result.data, result.appended, result.pagination) : success(result)
}

/** Takes a failure and the locale of its texts. Only a validation failure has `errors`. */
export function failure(failed: Failure, locale: Locale): FailureBody {
  const body = {
    status: false,
    message: messageOf(failed, locale),
    appended_data: appendedData(failed, locale),
  } as const
  return failed.kind === 'validation' ? { ...body, errors: fieldMessages(failed.errors, locale) } : body
}

/** TypeScript cannot see that the kind of a failure and its row belong together; only this line has to claim it. */
function rowOf<K extends FailureKind>(failed: FailureOf<K> & { readonly kind: K }): ErrorRow<FailureOf<K>> {
  return errorTable[failed.kind]
}

export function statusOf(kind: FailureKind): number {
  return errorTable[kind].status
}

/** Whether an answer is an error of the service, for the log: a 5xx may be meant, such as "come again" to a provider. */
export function isServerError(status: number, kind: FailureKind | undefined): boolean {
  return status >= 500 && kind !== undefined && errorTable[kind].planned !== true
}

export function messageOf(failed: Failure, locale: Locale): string {
  return errorTable[failed.kind].text[locale]
}

/** `Allow` or `Retry-After`, in lower case. */
export function headersOf(failed: Failure): Readonly<Record<string, string>> {
  return rowOf(failed).headers?.(failed) ?? {}
}

/** The order that a repeated earning already has, or what may be wrong with a key. */
function appendedData(failed: Failure, locale: Locale): object {
  return rowOf(failed).appended?.(failed, locale) ?? {}
}

/** Headers that every answer has besides its own. */
export type CommonHeaders = Readonly<Record<string, string>>

/** No browser may take an answer for something else than it says: it can hold texts of strangers. */
export const typedAsSaid = { 'x-content-type-options': 'nosniff' } as const

/** Makes an `X-Request-Id`, which tells the time. A client's own id is never used: it could repeat, or be anything. */
export function newRequestId(): Uuid {
  return newUuid()
}

export function localeOf(request: FastifyRequest): Locale {
  const { query } = request
  const lang = typeof query === 'object' && query !== null && 'lang' in query ? query.lang : undefined
  return negotiateLocale(lang, request.headers['accept-language'])
}

/** Answers with a failure through Fastify. */
export function replyFailure(request: FastifyRequest, reply: FastifyReply, failed: Failure): FastifyReply {
  request.failure = failed.kind
  if (failed.kind === 'validation') request.failedFields = failingFields(failed.errors)
  return closeIfTooSlow(reply, failed)
    .code(statusOf(failed.kind))
    .headers(headersOf(failed))
    .send(failure(failed, localeOf(request)))
}

/** Ends the connection after a timeout, since the rest of the body may still be arriving. */
export function closeIfTooSlow(reply: FastifyReply, { kind }: Failure): FastifyReply {
  return kind === 'request_timeout' ? reply.header('connection', 'close') : reply
}

/** The locale of a request that Fastify never sees. */
function localeOfRaw({ url = '', headers }: IncomingMessage): Locale {
  return negotiateLocale(langIn(url), headers['accept-language'])
}

/** Answers a request that Node parsed and Fastify never sees. The connection ends with the answer. */
export function respondFailure(response: ServerResponse, failed: Failure, common: CommonHeaders = {}): void {
  const body = JSON.stringify(failure(failed, localeOfRaw(response.req)))
  response.writeHead(statusOf(failed.kind), { ...common, ...closingHeaders(failed, body) }).end(body)
}

/** Answers on a bare socket, when Node could not parse a whole request. `request`: its head, if that was parsed. */
export function writeFailure(
  socket: Duplex,
  failed: Failure,
  common: CommonHeaders = {},
  request?: IncomingMessage,
): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const locale = request === undefined ? defaultLocale : localeOfRaw(request)
  const body = JSON.stringify(failure(failed, locale))
  const status = statusOf(failed.kind)
  const headers = { ...common, ...closingHeaders(failed, body), date: new Date().toUTCString() }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

function closingHeaders(failed: Failure, body: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': newRequestId(),
    connection: 'close',
    ...typedAsSaid,
    ...headersOf(failed),
  }
}

/** The failure that an error stands for, or null for one that should not have happened. */
export function failureOf(error: unknown, request: FastifyRequest): Failure | null {
  if (error instanceof DomainError) return error.failure
  // The connection broke while the body was arriving: nobody reads this answer.
  if (request.raw.errored !== null && request.raw.errored === error) return { kind: 'malformed_request' }
  const code = errorCode(error)
  if (code === undefined || !code.startsWith('FST_ERR_CTP_')) return null
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { kind: 'body_too_large' }
  return { kind: code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? 'unsupported_media_type' : 'malformed_request' }
}

/** Browsers of any origin call checkout, and may read its errors. docs/spec/api.md#cors */
export const anyOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-Request-Id, Retry-After, Idempotency-Replayed',
} as const

const preflightHeaders = {
  'access-control-allow-headers': 'Content-Type, Accept, Accept-Language, Idempotency-Key',
  'access-control-max-age': '7200',
} as const

export function corsHeaders(cors: boolean | undefined): CommonHeaders {
  return cors ? anyOriginHeaders : {}
}

/** Answers a preflight. It never allows credentials: the public key is in the path. */
export function answerPreflight(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  return reply
    .headers({ ...anyOriginHeaders, ...preflightHeaders, 'access-control-allow-methods': methods.join(', ') })
    .code(204)
    .send()
}
