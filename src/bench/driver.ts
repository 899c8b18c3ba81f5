import type { TLSSocket } from 'node:tls'

/** The status of a request that was refused until the end. */
export const unfinished = 'unfinished'
/** The status of a request that got no answer. */
const broken = 'broken'

export interface Plan {
  /** The request of a moment; undefined when there is none left. */
  readonly next: (at_ms: number) => Buffer | undefined
  /** When the first request is sent, and the time until the next; 0 sends it right after the answer. */
  readonly first_ms: number
  readonly every_ms: number
  /** Until then, requests answered with 429 are sent again; undefined to send none again. */
  readonly retry_until_ms: number | undefined
  /** Opens another connection in place of one that has ended; undefined where none may end. */
  readonly reopen: (() => Promise<TLSSocket>) | undefined
  /** Called when a request has ended. */
  readonly ended: (status: string, took_ms: number) => void
}

/** Sends one request after another until its plan gives none. */
export class Driver {
  readonly #plan: Plan
  readonly #done = Promise.withResolvers<void>()
  /** Undefined after an end, until the next request. */
  #socket: TLSSocket | undefined
  #request: Buffer | undefined
  #began_ms = 0
  #turn = 0
  /** What has come of the next answer. */
  #rest: Buffer = Buffer.alloc(0)
  #waiting = false

  constructor(plan: Plan) {
    this.#plan = plan
  }

  /** Begins with a connection, or opens one for the first request. */
  run(socket: TLSSocket | undefined): Promise<void> {
    if (socket !== undefined) this.#use(socket)
    this.#schedule()
    return this.#done.promise
  }

  #use(socket: TLSSocket): void {
    this.#socket = socket
    this.#rest = Buffer.alloc(0)
    const ownOnly = (handle: () => void): void => {
      if (this.#socket === socket) handle()
    }
    socket.on('data', (chunk: Buffer) => ownOnly(() => this.#read(chunk)))
    socket.once('error', (error) => ownOnly(() => this.#lost(error)))
    socket.once('close', () => ownOnly(() => this.#lost(new Error('the server closed a connection under load'))))
  }

  #schedule(): void {
    const { every_ms, first_ms } = this.#plan
    const planned_ms = every_ms > 0 ? first_ms + every_ms * this.#turn : performance.now()
    const wait_ms = planned_ms - performance.now()
    this.#turn += 1
    if (wait_ms > 1) setTimeout(() => this.#begin(planned_ms), wait_ms)
    else this.#begin(planned_ms)
  }

  #begin(planned_ms: number): void {
    this.#request = this.#plan.next(planned_ms)
    if (this.#request === undefined) {
      this.#stop()
      return
    }
    // A timer may fire up to a millisecond early.
    this.#began_ms = Math.min(planned_ms, performance.now())
    this.#send(this.#request)
  }

  #send(request: Buffer): void {
    const { reopen } = this.#plan
    this.#waiting = true
    if (this.#socket !== undefined) this.#socket.write(request)
    else
      reopen?.().then(
        (socket) => {
          this.#use(socket)
          socket.write(request)
        },
        () => this.#break(),
      )
  }

  #read(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const answer = readAnswer(this.#rest)
    if (answer === undefined) return
    const { reopen, retry_until_ms } = this.#plan
    const closes = reopen !== undefined && endsConnection(this.#rest)
    this.#rest = this.#rest.subarray(answer.length)
    this.#waiting = false
    if (closes) this.#drop()?.end()
    this.#end(answer.status)
    if (answer.status === '429' && retry_until_ms !== undefined)
      this.#retry(answer.retry_after_s * 1_000, retry_until_ms)
    else this.#schedule()
  }

  /** Sends the request again after its wait. If the end comes first, it is unfinished. */
  #retry(wait_ms: number, until_ms: number): void {
    if (wait_ms < until_ms - performance.now()) {
      setTimeout(() => this.#request && this.#send(this.#request), wait_ms)
      return
    }
    this.#end(unfinished)
    this.#stop()
  }

  #lost(error: Error): void {
    this.#drop()?.destroy()
    if (this.#plan.reopen === undefined) this.#done.reject(error)
    else if (this.#waiting) this.#break()
  }

  /** The request under way gets no answer. */
  #break(): void {
    this.#waiting = false
    this.#end(broken)
    this.#schedule()
  }

  #end(status: string): void {
    this.#plan.ended(status, performance.now() - this.#began_ms)
  }

  #stop(): void {
    const socket = this.#drop()
    if (socket === undefined) this.#done.resolve()
    else socket.end(() => this.#done.resolve())
  }

  /** Forgets the connection, whose end means nothing from now on. */
  #drop(): TLSSocket | undefined {
    const socket = this.#socket
    this.#socket = undefined
    return socket
  }
}

const headEnd = Buffer.from('\r\n\r\n')

interface Answer {
  /** Of its head and body. */
  readonly length: number
  readonly status: string
  /** 0 without the header. */
  readonly retry_after_s: number
}

/** The first answer in `bytes`; undefined until all of it has arrived. */
function readAnswer(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf(headEnd)
  if (end === -1) return undefined
  const body = numberIn(bytes, lengthHeader, end)
  if (body === undefined) throw new Error('an answer without content-length')
  const length = end + headEnd.length + body
  if (bytes.length < length) return undefined
  const status = bytes.toString('latin1', 9, 12)
  return { length, status, retry_after_s: status === '429' ? (numberIn(bytes, retryHeader, end) ?? 0) : 0 }
}

/** Whether the answer at the beginning of `bytes` is the last of its connection. */
function endsConnection(bytes: Buffer): boolean {
  return /\r\nconnection: close\r\n/i.test(bytes.toString('latin1', 0, bytes.indexOf(headEnd) + 2))
}

const lengthHeader = Buffer.from('content-length: ')
const retryHeader = Buffer.from('retry-after: ')

/** The number in a header of an answer whose head ends at `end`. */
function numberIn(bytes: Buffer, header: Buffer, end: number): number | undefined {
  const at = bytes.indexOf(header)
  if (at === -1 || at > end) return undefined
  return Number.parseInt(bytes.toString('latin1', at + header.length, end), 10)
}
