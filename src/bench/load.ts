import { connect, type TLSSocket } from 'node:tls'

/**
 * A load generator that costs little beside the service: one request at a time on each keep-alive TLS connection, bodies
 * made by the caller, answers delimited by their Content-Length.
 */
export interface LoadOptions {
  readonly host: string
  readonly port: number
  readonly ca: string
  readonly connections: number
  readonly duration_ms: number
  /** The bytes of the next request of a connection; undefined when it has none left. */
  readonly request: (connection: number) => Buffer | undefined
  /**
   * Requests a second over all connections; as many as the service answers, unless given. All that are planned within the
   * duration are sent, late ones after it.
   */
  readonly pace_per_s?: number
  /**
   * Sends a request that was answered with 429 again when the time of its Retry-After has passed, as integrators are told.
   * Its latency counts from the first try; one that is still refused at the end is `unfinished`, with the time it has
   * waited.
   */
  readonly retries?: boolean
}

export interface LoadResult {
  readonly seconds: number
  /** Answers by status, and requests that were `unfinished`. */
  readonly statuses: Readonly<Record<string, number>>
  /**
   * Latencies of answers with status 200 and of unfinished requests, in milliseconds: with a pace, from the planned time of
   * a request, so that it also waits while the answer before it is late.
   */
  readonly p50_ms: number
  readonly p99_ms: number
}

const unfinished = 'unfinished'

/** The answers of 200 a second. */
export function acceptedPerSecond({ statuses, seconds }: Pick<LoadResult, 'statuses' | 'seconds'>): number {
  return (statuses['200'] ?? 0) / seconds
}

/** Runs the load and counts the answers; throws when a connection breaks. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const sockets = await Promise.all(Array.from({ length: options.connections }, () => open(options)))
  const latencies_ms: number[] = []
  const statuses: Record<string, number> = {}
  const started_ms = performance.now()
  const until_ms = started_ms + options.duration_ms
  const every_ms = options.pace_per_s === undefined ? 0 : (options.connections / options.pace_per_s) * 1000
  await Promise.all(
    sockets.map((socket, index) =>
      drive(
        socket,
        {
          next: (at_ms) => (at_ms < until_ms ? options.request(index) : undefined),
          // Spread over the interval, so that connections do not send in step.
          first_ms: started_ms + (every_ms * index) / options.connections,
          every_ms,
          retry_until_ms: options.retries === true ? until_ms : undefined,
        },
        (status, took_ms) => {
          statuses[status] = (statuses[status] ?? 0) + 1
          if (status === '200' || status === unfinished) latencies_ms.push(took_ms)
        },
      ),
    ),
  )
  const seconds = (performance.now() - started_ms) / 1000
  latencies_ms.sort((a, b) => a - b)
  const at = (share: number) => latencies_ms[Math.min(latencies_ms.length - 1, Math.floor(latencies_ms.length * share))]
  return { seconds, statuses, p50_ms: at(0.5) ?? Number.NaN, p99_ms: at(0.99) ?? Number.NaN }
}

function open({ host, port, ca }: LoadOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, ca, servername: 'localhost' }, () => resolve(socket))
    socket.setNoDelay(true)
    socket.once('error', reject)
  })
}

interface Plan {
  /** The request of a moment; undefined when there is none left. */
  readonly next: (at_ms: number) => Buffer | undefined
  /** When the first request is sent, and the time until the next; 0 sends it right after the answer. */
  readonly first_ms: number
  readonly every_ms: number
  /** Until then, requests answered with 429 are sent again; undefined to send none again. */
  readonly retry_until_ms: number | undefined
}

/** Sends one request after another until the plan gives none. */
function drive(
  socket: TLSSocket,
  { next, first_ms, every_ms, retry_until_ms }: Plan,
  answered: (status: string, took_ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let began_ms = 0
    let request: Buffer | undefined
    let rest: Buffer = Buffer.alloc(0)
    let turn = 0
    const schedule = (): void => {
      const planned_ms = every_ms > 0 ? first_ms + every_ms * turn : performance.now()
      const wait_ms = planned_ms - performance.now()
      turn += 1
      if (wait_ms > 1) setTimeout(send, wait_ms, planned_ms)
      else send(planned_ms)
    }
    const send = (planned_ms: number): void => {
      request = next(planned_ms)
      if (request === undefined) {
        socket.end(resolve)
        return
      }
      // A timer may fire up to a millisecond early.
      began_ms = Math.min(planned_ms, performance.now())
      socket.write(request)
    }
    /** Sends the request again after its wait. If the end comes first, it is unfinished. */
    const retry = (wait_ms: number, until_ms: number): void => {
      const left_ms = until_ms - performance.now()
      if (wait_ms < left_ms) {
        setTimeout(() => request && socket.write(request), wait_ms)
        return
      }
      answered(unfinished, performance.now() - began_ms)
      socket.end(resolve)
    }
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const answer = readAnswer(rest)
      if (answer === undefined) return
      rest = rest.subarray(answer.length)
      answered(answer.status, performance.now() - began_ms)
      if (answer.status === '429' && retry_until_ms !== undefined) retry(answer.retry_after_s * 1_000, retry_until_ms)
      else schedule()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed a connection under load')))
    schedule()
  })
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

const lengthHeader = Buffer.from('content-length: ')
const retryHeader = Buffer.from('retry-after: ')

/** The number in a header of an answer whose head ends at `end`. */
function numberIn(bytes: Buffer, header: Buffer, end: number): number | undefined {
  const at = bytes.indexOf(header)
  if (at === -1 || at > end) return undefined
  return Number.parseInt(bytes.toString('latin1', at + header.length, end), 10)
}
