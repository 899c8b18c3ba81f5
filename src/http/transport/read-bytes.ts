import type { IncomingMessage } from 'node:http'
import { DomainError, type Failure } from '../../domain/failures.ts'
import type { BodyHold } from './body-budget.ts'

/** How long the rest of a body that was refused unread may go on arriving, before the connection is cut. */
const linger_ms = 5_000

/** Room for a body whose length is not announced. */
const least_room_bytes = 4_096

export interface ReadLimits {
  readonly max_bytes: number
  /** For all of it, counted from when the reading begins. */
  readonly within_ms: number
  /** Accounts for the body while it arrives and afterwards; released here when nothing is read. */
  readonly hold: BodyHold
  /** What any body is refused with; an empty one has no type that could be wrong. */
  readonly refusal?: DomainError | undefined
}

/** Reads a body as it comes; gives its bytes, or what it is refused with as soon as that is known. */
export function readBytes(
  payload: IncomingMessage,
  { max_bytes, within_ms, hold, refusal }: ReadLimits,
  done: (read: Buffer | DomainError) => void,
): void {
  const declared = payload.headers['content-length']
  const most_bytes = Number(declared ?? max_bytes)
  const gathered = new Gathered(declared === undefined ? least_room_bytes : most_bytes)
  let patience: NodeJS.Timeout | undefined

  const finish = (read: Buffer | DomainError): void => {
    clearTimeout(patience)
    payload.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
    if (read instanceof DomainError) hold.release()
    done(read)
  }
  const refuse = (reason: DomainError): void => {
    finish(reason)
    setTimeout(() => payload.complete || payload.socket.destroy(), linger_ms).unref()
  }
  const judge = (bytes: number): DomainError | undefined => {
    if (refusal !== undefined && bytes > 0) return refusal
    const failure: Failure | undefined =
      bytes > max_bytes ? { kind: 'body_too_large' } : hold.cover(bytes, Math.min(most_bytes, max_bytes))
    return failure === undefined ? undefined : new DomainError(failure)
  }
  const onData = (chunk: Buffer): void => {
    const reason = judge(gathered.length + chunk.length)
    if (reason === undefined) gathered.add(chunk)
    else refuse(reason)
  }
  const onEnd = (): void => finish(gathered.bytes())
  const onBroken = (): void => finish(new DomainError({ kind: 'malformed_request' }))

  const reason = judge(Number(declared ?? 0))
  if (reason !== undefined) refuse(reason)
  else if (payload.destroyed) onBroken()
  else {
    payload.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
    if (!payload.complete) patience = setTimeout(() => refuse(new DomainError({ kind: 'request_timeout' })), within_ms)
  }
}

const nothing = Buffer.alloc(0)

/**
 * The bytes of a body in one piece. They are copied into a store of the announced size, or one that doubles: kept as they
 * come, chunks of a byte each would take a hundred times their size.
 */
class Gathered {
  readonly #least_room: number
  #store: Buffer = nothing
  #length = 0

  /** @param least_room how much to make room for, once the first chunk is not all */
  constructor(least_room: number) {
    this.#least_room = least_room
  }

  get length(): number {
    return this.#length
  }

  add(chunk: Buffer): void {
    if (this.#length === 0) {
      // Most bodies are one chunk, which is taken as it is.
      this.#store = chunk
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
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#length, this.#least_room))
    this.#store.copy(larger, 0, 0, this.#length)
    this.#store = larger
  }
}
