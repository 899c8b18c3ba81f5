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
   * Requests a second over all connections; as many as the service answers, unless given. All that are planned within the duration are
   * sent, late ones after it.
   */
  readonly pace_per_s?: number
}

export interface LoadResult {
  readonly seconds: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  /**
   * Latencies of answers with status 200, in milliseconds: with a pace, from the planned time of a request, so that it also waits while
   * the answer before it is late.
   */
  readonly p50_ms: number
  readonly p99_ms: number
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
        },
        (status, took_ms) => {
          statuses[status] = (statuses[status] ?? 0) + 1
          if (status === '200') latencies_ms.push(took_ms)
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
}

/** Sends one request after another until the plan gives none. */
function drive(
  socket: TLSSocket,
  { next, first_ms, every_ms }: Plan,
  answered: (status: string, took_ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let began_ms = 0
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
      const request = next(planned_ms)
      if (request === undefined) {
        socket.end(resolve)
        return
      }
      // A timer may fire up to a millisecond early.
      began_ms = Math.min(planned_ms, performance.now())
      socket.write(request)
    }
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const length = answerLength(rest)
      if (length === undefined || rest.length < length) return
      answered(rest.toString('latin1', 9, 12), performance.now() - began_ms)
      rest = rest.subarray(length)
      schedule()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed a connection under load')))
    schedule()
  })
}

const headEnd = Buffer.from('\r\n\r\n')
const lengthHeader = Buffer.from('content-length: ')

/** The length of the first answer in `bytes`; undefined until its head has arrived. */
function answerLength(bytes: Buffer): number | undefined {
  const head = bytes.indexOf(headEnd)
  if (head === -1) return undefined
  const at = bytes.indexOf(lengthHeader)
  if (at === -1 || at > head) throw new Error('an answer without content-length')
  return head + headEnd.length + Number.parseInt(bytes.toString('latin1', at + lengthHeader.length, head), 10)
}
