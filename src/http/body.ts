import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Failure, Refused } from '../domain/failures.ts'

export const max_body_bytes = 1_048_576

/** How long the rest of a body that was refused unread may go on arriving, before the connection is cut. */
const linger_ms = 5_000

type Done = (error: null, body: unknown) => void

/**
 * Replaces Fastify's body parsers: one reader for every content type. What is wrong with a body is kept in its place
 * and thrown by `takeBody`, since an error given to Fastify here would close the connection.
 */
export function installBodyReader(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // By its name too, because Fastify looks a parser for everything else up anew at each request.
  for (const type of ['application/json', '*']) {
    app.addContentTypeParser(type, (request: FastifyRequest, payload: IncomingMessage, done: Done) => {
      readBody(request, payload, done)
    })
  }
}

/** Gives the parsed JSON of a request's body, undefined when it was empty; throws what was wrong with it. */
export function takeBody(request: FastifyRequest): unknown {
  const { body } = request
  if (body instanceof Refused) throw body
  return body
}

function readBody(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const refusal = isJson(request) ? undefined : new Refused({ kind: 'unsupported_media_type' })
  readBytes(payload, { max_bytes: max_body_bytes, refusal }, (read) => {
    if (read instanceof Refused) done(null, read)
    else done(null, read.length === 0 ? undefined : parseJson(read))
  })
}

export interface ReadLimits {
  readonly max_bytes: number
  /** What any body is refused with; an empty one has no type that could be wrong. */
  readonly refusal?: Refused | undefined
}

/** Reads a body as it comes; gives its bytes, or what it is refused with as soon as that is known. */
export function readBytes(
  payload: IncomingMessage,
  { max_bytes, refusal }: ReadLimits,
  done: (read: Buffer | Refused) => void,
): void {
  const chunks: Buffer[] = []
  let received_bytes = 0

  const finish = (read: Buffer | Refused): void => {
    payload.off('data', onData).off('end', onEnd).off('error', onError)
    done(read)
  }
  const refuse = (reason: Refused): void => {
    finish(reason)
    setTimeout(() => payload.complete || payload.socket.destroy(), linger_ms).unref()
  }
  const onData = (chunk: Buffer): void => {
    received_bytes += chunk.length
    if (refusal !== undefined) refuse(refusal)
    else if (received_bytes > max_bytes) refuse(refusing('body_too_large'))
    else chunks.push(chunk)
  }
  const onEnd = (): void => finish(joined(chunks))
  const onError = (): void => finish(refusing('malformed_request'))

  const declared_bytes = Number(payload.headers['content-length'] ?? 0)
  if (refusal !== undefined && declared_bytes > 0) refuse(refusal)
  else if (declared_bytes > max_bytes) refuse(refusing('body_too_large'))
  else payload.on('data', onData).on('end', onEnd).on('error', onError)
}

function refusing(kind: 'body_too_large' | 'malformed_request' | 'malformed_json'): Refused {
  const failure: Failure = { kind }
  return new Refused(failure)
}

function isJson(request: FastifyRequest): boolean {
  const { headers } = request
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') return false
  const type = headers['content-type']
  return type === 'application/json' || /^application\/json\s*(?:;|$)/i.test(type ?? '')
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
}

/** JSON is UTF-8 (RFC 8259 8.1); a byte order mark is passed over, invalid UTF-8 is not. */
function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return refusing('malformed_json')
  const text = bytes.toString('utf8')
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch {
    return refusing('malformed_json')
  }
}
