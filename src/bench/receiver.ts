import { once } from 'node:events'
import { createServer, type TLSSocket } from 'node:tls'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** What a receiver has counted since it was asked last. */
export interface Tally {
  readonly deliveries: number
  /** Of each delivery, from the time in its envelope, which is just before the commit, to its first byte here. */
  readonly latencies_ms: readonly number[]
}

export interface BenchReceiver {
  readonly port: number
  /** Gives what was counted, and begins anew. */
  tally(): Promise<Tally>
  stop(): Promise<void>
}

interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A receiver of the bench in a thread of its own, so that the load generator's work does not delay its clock. */
export async function startBenchReceiver(certificate: Certificate): Promise<BenchReceiver> {
  const worker = new Worker(new URL(import.meta.url), { workerData: certificate })
  const next = async <T>(): Promise<T> => (await once(worker, 'message'))[0] as T
  const port = await next<number>()
  return {
    port,
    tally() {
      const answer = next<Tally>()
      worker.postMessage('tally')
      return answer
    },
    async stop() {
      await worker.terminate()
    },
  }
}

const answer = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok')
const hang = 'POST /hang '
const headEnd = Buffer.from('\r\n\r\n')
const timestampField = '"timestamp":"'

/** Answers deliveries with as little work as it can, one request at a time on a connection. */
function receive(certificate: Certificate): void {
  let deliveries = 0
  let latencies_ms: number[] = []
  const server = createServer(certificate, (socket: TLSSocket) => {
    let rest: Buffer = Buffer.alloc(0)
    let first_ms = 0
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      if (rest.length === 0) first_ms = Date.now()
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const length = requestLength(rest)
      if (length === undefined || rest.length < length) return
      if (rest.toString('latin1', 0, hang.length) === hang) {
        // Never answered: its connection ends with the sender's patience.
        rest = rest.subarray(length)
        return
      }
      const text = rest.toString('latin1', length - 80, length)
      const at = text.indexOf(timestampField) + timestampField.length
      deliveries += 1
      latencies_ms.push(first_ms - Date.parse(text.slice(at, at + 24)))
      rest = rest.subarray(length)
      socket.write(answer)
    })
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    parentPort?.postMessage(typeof address === 'object' && address !== null ? address.port : 0)
  })
  parentPort?.on('message', () => {
    parentPort?.postMessage({ deliveries, latencies_ms })
    deliveries = 0
    latencies_ms = []
  })
}

/** Bytes of the first whole request in `bytes`; undefined until its head has arrived. */
function requestLength(bytes: Buffer): number | undefined {
  const head = bytes.indexOf(headEnd)
  if (head === -1) return undefined
  const found = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))
  if (found === null) throw new Error('a delivery without content-length')
  return head + headEnd.length + Number(found[1])
}

if (!isMainThread && parentPort !== null) receive(workerData as Certificate)
