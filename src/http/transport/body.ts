import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError, type Failure } from '../../domain/failures.ts'
import { brokenBound, max_json_depth, max_json_values } from '../../lib/json-scan.ts'
import { type BodyBudget, type BodyHold, medium_bytes } from './body-budget.ts'
import { linger_ms } from './body-discard.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What its body takes of the memory for bodies; undefined until a body is read. */
    bodyHold: BodyHold | undefined
    /** What its body may take; set by the key check. */
    bodyBudget: BodyBudget | undefined
    /**
     * The body was not whole when the check of the key or the session began, so that check runs again before the handler.
     */
    bodyPending: boolean
  }
}

type Done = (error: null, body: unknown) => void

/**
 * Replaces Fastify's body parsers with one reader for every content type. A failure is kept in place of the body, and
 * `takeBody` throws it: an error given to Fastify here would close the connection.
 */
export function installBodyReader(
  app: FastifyInstance,
  { budget, within_ms }: { readonly budget: BodyBudget; readonly within_ms: number },
): void {
  app.decorateRequest('bodyHold', undefined)
  app.decorateRequest('bodyBudget', undefined)
  app.decorateRequest('bodyPending', false)
  app.removeAllContentTypeParsers()
  const turns = createTurns()
  // Registered by name too, because Fastify searches for the parser of `*` anew at each request.
  for (const type of ['application/json', '*']) {
    app.addContentTypeParser(type, (request: FastifyRequest, payload: IncomingMessage, done: Done) => {
      const { max_bytes } = request.bodyBudget ?? budget
      const refusal = isJson(request) ? undefined : new DomainError({ kind: 'unsupported_media_type' })
      const hold = holdFor(request, request.bodyBudget ?? budget)
      readBytes(payload, { max_bytes, within_ms, hold, refusal }, (read) => {
        if (read instanceof DomainError) return done(null, read)
        if (request.routeOptions.config.keeps_bytes === true) request.bodyBytes = read
        const parse = (): void => done(null, read.length === 0 ? undefined : parseJson(read))
        if (read.length > medium_bytes) turns(parse)
        else parse()
      })
    })
  }
}

/**
 * Looks a sender up, and notes whether the body was still on its way when that began. If so, the caller looks the sender up
 * again after the body: they may have been shut out meanwhile.
 */
export async function checkBeforeBody(request: FastifyRequest, check: () => Promise<void>): Promise<void> {
  const checked = check()
  // A body that came together with the headers is read within this turn of the event loop.
  setImmediate(() => {
    request.bodyPending = !request.raw.complete
  })
  await checked
}

/**
 * Runs one piece of work in each turn of the event loop, so that many large bodies that arrive together do not keep
 * everybody else waiting until all of them are parsed.
 */
export function createTurns(): (work: () => void) => void {
  const waiting: (() => void)[] = []
  const next = (): void => {
    const work = waiting.shift()
    if (waiting.length > 0) setImmediate(next)
    work?.()
  }
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(next)
  }
}

/** Gives the parsed JSON of a body, undefined when it was empty. Throws the failure of a body that was refused. */
export function takeBody(request: FastifyRequest): unknown {
  const { body } = request
  request.body = undefined // so that the handler alone decides how long it stays in memory
  if (body instanceof DomainError) throw body
  return body
}

/** Begins to account for the body of a request. */
export function holdFor(request: FastifyRequest, budget: BodyBudget): BodyHold {
  const hold = budget.hold(() => request.clientAddress())
  request.bodyHold = hold
  return hold
}

/** Accounts for a body until `handle` ends, even when the client has gone: the body is still in memory. */
export function withBodyHeld<T>(request: FastifyRequest, handle: () => Promise<T>): Promise<T> {
  const hold = request.bodyHold
  return hold?.counts === true ? handle().finally(() => hold.release()) : handle()
}

function isJson({ headers }: FastifyRequest): boolean {
  if (isEncoded(headers)) return false
  const type = headers['content-type']
  return type === 'application/json' || /^application\/json\s*(?:;|$)/i.test(type ?? '')
}

/** Whether a body is compressed, which no reader undoes. */
export function isEncoded({ 'content-encoding': encoding }: IncomingMessage['headers']): boolean {
  return encoding !== undefined && encoding.trim().toLowerCase() !== 'identity'
}

const limits = { max_depth: max_json_depth, max_values: max_json_values } as const

/** JSON is UTF-8 (RFC 8259 8.1). A byte order mark is ignored; invalid UTF-8 is refused. */
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

/** First allocation for a body of unknown length. */
const min_buffer_bytes = 4_096

export interface ReadLimits {
  readonly max_bytes: number
  /** For the whole body, counted from when reading begins. */
  readonly within_ms: number
  /** Accounts for the body. Released here when the body is refused, else by the caller. */
  readonly hold: BodyHold
  /** Refuses every body but an empty one, which has no type that could be wrong. */
  readonly refusal?: DomainError | undefined
}

/** Reads a body. Calls `done` once: with its bytes, or with the refusal as soon as that is known. */
export function readBytes(
  payload: IncomingMessage,
  { max_bytes, within_ms, hold, refusal }: ReadLimits,
  done: (read: Buffer | DomainError) => void,
): void {
  const declared = payload.headers['content-length']
  const most_bytes = Number(declared ?? max_bytes)
  const buffer = new GrowingBuffer(declared === undefined ? min_buffer_bytes : most_bytes)
  let timer: NodeJS.Timeout | undefined

  const finish = (read: Buffer | DomainError): void => {
    clearTimeout(timer)
    payload.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
    if (read instanceof DomainError) hold.release()
    done(read)
  }
  const refuse = (reason: DomainError): void => {
    finish(reason)
    setTimeout(() => payload.complete || payload.socket.destroy(), linger_ms).unref()
  }
  const check = (bytes: number): DomainError | undefined => {
    if (refusal !== undefined && bytes > 0) return refusal
    const failure: Failure | undefined =
      bytes > max_bytes ? { kind: 'body_too_large' } : hold.reserve(bytes, Math.min(most_bytes, max_bytes))
    return failure === undefined ? undefined : new DomainError(failure)
  }
  const onData = (chunk: Buffer): void => {
    const reason = check(buffer.length + chunk.length)
    if (reason === undefined) buffer.add(chunk)
    else refuse(reason)
  }
  const onEnd = (): void => finish(buffer.bytes())
  const onBroken = (): void => finish(new DomainError({ kind: 'malformed_request' }))

  const reason = check(Number(declared ?? 0))
  if (reason !== undefined) refuse(reason)
  else if (payload.destroyed) onBroken()
  else {
    payload.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
    if (!payload.complete) timer = setTimeout(() => refuse(new DomainError({ kind: 'request_timeout' })), within_ms)
  }
}

const nothing = Buffer.alloc(0)

/** Copies chunks into one buffer. A list of chunks of a byte each would take a hundred times their size. */
class GrowingBuffer {
  readonly #first_allocation: number
  #store: Buffer = nothing
  #length = 0

  /** @param first_allocation how much to allocate, once a second chunk comes */
  constructor(first_allocation: number) {
    this.#first_allocation = first_allocation
  }

  get length(): number {
    return this.#length
  }

  add(chunk: Buffer): void {
    if (this.#length === 0) {
      this.#store = chunk // most bodies are one chunk, which needs no copy
    } else {
      this.#makeRoom(this.#length + chunk.length)
      chunk.copy(this.#store, this.#length)
    }
    this.#length += chunk.length
  }

  bytes(): Buffer {
    return this.#store.subarray(0, this.#length)
  }

  #makeRoom(needed: number): void {
    if (needed <= this.#store.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#length, this.#first_allocation))
    this.#store.copy(larger, 0, 0, this.#length)
    this.#store = larger
  }
}
