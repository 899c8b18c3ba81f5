import { connect, type TLSSocket } from 'node:tls'
import { Driver, unfinished } from './driver.ts'

/**
 * A load generator that costs little beside the service: one request at a time on each keep-alive TLS connection, bodies
 * made by the caller, answers delimited by their Content-Length.
 */
export interface LoadOptions {
  /** Of this machine. */
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
  /**
   * Opens a connection again after an answer that ends it (`Connection: close`), and after it broke: a request that got no
   * answer is then `broken` and is not sent again. Without this, a connection that ends is an error. The latency of a
   * request contains the time that its new connection took.
   */
  readonly reconnects?: boolean
}

export interface LoadResult {
  readonly seconds: number
  /** Answers by status, and requests that were `unfinished` or `broken`. */
  readonly statuses: Readonly<Record<string, number>>
  /**
   * Latencies of answers with status 200 and of unfinished requests, in milliseconds: with a pace, from the planned time of
   * a request, so that it also waits while the answer before it is late.
   */
  readonly p50_ms: number
  readonly p99_ms: number
  readonly longest_ms: number
}

/** The answers of 200 a second. */
export function acceptedPerSecond({ statuses, seconds }: Pick<LoadResult, 'statuses' | 'seconds'>): number {
  return (statuses['200'] ?? 0) / seconds
}

/** Runs the load and counts the answers; throws when a connection breaks, unless it `reconnects`. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const opening = Array.from({ length: options.connections }, () => open(options))
  // One that cannot be opened yet may be opened again by its first request.
  const sockets = await Promise.all(
    options.reconnects === true ? opening.map((socket) => socket.catch(() => undefined)) : opening,
  )
  const latencies_ms: number[] = []
  const statuses: Record<string, number> = {}
  const started_ms = performance.now()
  const until_ms = started_ms + options.duration_ms
  const every_ms = options.pace_per_s === undefined ? 0 : (options.connections / options.pace_per_s) * 1000
  await Promise.all(
    sockets.map((socket, index) =>
      new Driver({
        next: (at_ms) => (at_ms < until_ms ? options.request(index) : undefined),
        // Spread over the interval, so that connections do not send in step.
        first_ms: started_ms + (every_ms * index) / options.connections,
        every_ms,
        retry_until_ms: options.retries === true ? until_ms : undefined,
        reopen: options.reconnects === true ? () => open(options) : undefined,
        ended(status, took_ms) {
          statuses[status] = (statuses[status] ?? 0) + 1
          if (status === '200' || status === unfinished) latencies_ms.push(took_ms)
        },
      }).run(socket),
    ),
  )
  const seconds = (performance.now() - started_ms) / 1000
  latencies_ms.sort((a, b) => a - b)
  const at = (share: number) => latencies_ms[Math.min(latencies_ms.length - 1, Math.floor(latencies_ms.length * share))]
  const [p50_ms, p99_ms, longest_ms] = [at(0.5) ?? Number.NaN, at(0.99) ?? Number.NaN, at(1) ?? Number.NaN]
  return { seconds, statuses, p50_ms, p99_ms, longest_ms }
}

function open({ port, ca }: LoadOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost' }, () => resolve(socket))
    socket.setNoDelay(true)
    socket.once('error', reject)
    // A connection that ends in its handshake is closed without an error.
    socket.once('close', () => reject(new Error('the server closed a connection at its start')))
  })
}
