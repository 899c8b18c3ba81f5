import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer, type TLSSocket } from 'node:tls'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** The event of a delivery, and when its first byte came, rounded up to a whole millisecond. */
export interface ReceivedDelivery {
  readonly event_id: string
  readonly first_byte_ms: number
}

export interface BenchReceiver {
  readonly port: number
  /** The deliveries received since the last call. */
  tally(): Promise<readonly ReceivedDelivery[]>
  stop(): Promise<void>
}

interface Certificate {
  readonly cert: string
  readonly key: string
}

/**
 * Starts a receiver with the certificate of a bench's server, in its own thread, so that the load generator does not delay its
 * clock.
 */
export async function startBenchReceiver({ data_dir }: { readonly data_dir: string }): Promise<BenchReceiver> {
  const certificate: Certificate = {
    cert: await readFile(join(data_dir, 'tls', 'server.pem'), 'utf8'),
    key: await readFile(join(data_dir, 'tls', 'server.key'), 'utf8'),
  }
  const worker = new Worker(new URL(import.meta.url), { workerData: certificate })
  const next = async <T>(): Promise<T> => (await once(worker, 'message'))[0] as T
  const port = await next<number>()
  return {
    port,
    tally() {
      const answer = next<readonly ReceivedDelivery[]>()
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
/** More connections come at once than the default backlog holds. */
const backlog = 4_096
const headEnd = Buffer.from('\r\n\r\n')
const idHeader = /\r\nx-webhook-id: (\S+)/i

/** Answers deliveries with as little work as possible, one request at a time on a connection. */
function receive(certificate: Certificate): void {
  let received: ReceivedDelivery[] = []
  const server = createServer(certificate, (socket: TLSSocket) => {
    let rest: Buffer = Buffer.alloc(0)
    let first_byte_ms = 0
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      if (rest.length === 0) first_byte_ms = Date.now() + 1
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const length = requestLength(rest)
      if (length === undefined || rest.length < length) return
      if (rest.toString('latin1', 0, hang.length) === hang) {
        // Never answered: the sender gives up.
        rest = rest.subarray(length)
        return
      }
      received.push({ event_id: idHeader.exec(rest.toString('latin1', 0, length))?.[1] ?? '', first_byte_ms })
      rest = rest.subarray(length)
      socket.write(answer)
    })
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog }, () => {
    const address = server.address()
    parentPort?.postMessage(typeof address === 'object' && address !== null ? address.port : 0)
  })
  parentPort?.on('message', () => {
    parentPort?.postMessage(received)
    received = []
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
