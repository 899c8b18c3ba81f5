import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/failures.ts'
import type { BodyBudget, BodyHold } from './body-budget.ts'
import { brokenBound, max_json_depth, max_json_values } from './json-bounds.ts'
import { readBytes } from './read-bytes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What its body takes of the memory for bodies; undefined while it has none that is read. */
    bodyHold: BodyHold | undefined
    /** What its body may take; set by the key check. */
    bodyBudget: BodyBudget | undefined
  }
}

type Done = (error: null, body: unknown) => void

/**
 * Replaces Fastify's body parsers: one reader for every content type. What is wrong with a body is kept in its place
 * and thrown by `takeBody`, since an error given to Fastify here would close the connection.
 */
export function installBodyReader(
  app: FastifyInstance,
  { budget, within_ms }: { readonly budget: BodyBudget; readonly within_ms: number },
): void {
  app.decorateRequest('bodyHold', undefined)
  app.decorateRequest('bodyBudget', undefined)
  app.removeAllContentTypeParsers()
  // By its name too, because Fastify looks a parser for everything else up anew at each request.
  for (const type of ['application/json', '*']) {
    app.addContentTypeParser(type, (request: FastifyRequest, payload: IncomingMessage, done: Done) => {
      const { max_bytes } = request.bodyBudget ?? budget
      const refusal = isJson(request) ? undefined : new DomainError({ kind: 'unsupported_media_type' })
      const hold = holdFor(request, request.bodyBudget ?? budget)
      readBytes(payload, { max_bytes, within_ms, hold, refusal }, (read) => {
        if (read instanceof DomainError) return done(null, read)
        if (request.routeOptions.config.keeps_bytes === true) request.bodyBytes = read
        done(null, read.length === 0 ? undefined : parseJson(read))
      })
    })
  }
}

/** Gives the parsed JSON of a request's body, undefined when it was empty; throws what was wrong with it. */
export function takeBody(request: FastifyRequest): unknown {
  const { body } = request
  request.body = undefined // nothing else keeps it once the handler is done with it
  if (body instanceof DomainError) throw body
  return body
}

/** Begins to account for the body of a request. */
export function holdFor(request: FastifyRequest, budget: BodyBudget): BodyHold {
  const hold = budget.hold(() => request.clientAddress())
  request.bodyHold = hold
  return hold
}

/**
 * Accounts for a body until `handle` is done with it: also when the client has gone meanwhile, since the body is still there.
 * What is refused while it is read is given back at once.
 */
export function holdingBody<T>(request: FastifyRequest, handle: () => Promise<T>): Promise<T> {
  const hold = request.bodyHold
  return hold?.counts === true ? handle().finally(() => hold.release()) : handle()
}

function isJson(request: FastifyRequest): boolean {
  const { headers } = request
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') return false
  const type = headers['content-type']
  return type === 'application/json' || /^application\/json\s*(?:;|$)/i.test(type ?? '')
}

const limits = { max_depth: max_json_depth, max_values: max_json_values } as const

/** JSON is UTF-8 (RFC 8259 8.1); a byte order mark is passed over, invalid UTF-8 is not. */
function parseJson(bytes: Buffer): unknown {
  const rule = brokenBound(bytes)
  if (rule !== undefined) {
    return new DomainError({ kind: 'validation', errors: [{ field: 'body', rule, limit: limits[rule] }] })
  }
  if (!isUtf8(bytes)) return new DomainError({ kind: 'malformed_json' })
  const text = bytes.toString('utf8')
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch {
    return new DomainError({ kind: 'malformed_json' })
  }
}
