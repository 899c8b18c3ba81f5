import { request } from 'node:https'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Backend {
  readonly port: number
  /** The certificate of the authority that clients must trust. */
  readonly ca: string
}

export interface Balancer {
  readonly port: number
  /** The backends that receive new connections now. */
  ready(): readonly Backend[]
  /** Replaces a backend that is gone. The new one receives connections once it is ready. */
  replace(gone: Backend, by: Backend): void
  close(): Promise<void>
}

const check_ms = 100
const patience_ms = 2_000

/**
 * Forwards TCP like a load balancer: new connections go in turn to the backends whose `/readyz` is 200. It polls them often,
 * and open connections stay where they are. It repeats nothing: a connection that a backend refuses or breaks, breaks for
 * the client.
 */
export async function startBalancer(backends: readonly Backend[]): Promise<Balancer> {
  const all = new Set(backends)
  const ready = new Set<Backend>()
  const sockets = new Set<Socket>()
  let [turn, over] = [0, false]

  const server = createServer((client) => {
    const able = [...ready]
    const backend = able[turn++ % able.length]
    if (backend === undefined) return client.destroy()
    const behind = connect({ port: backend.port, host: '127.0.0.1' })
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => other.destroy())
      socket.on('close', () => sockets.delete(socket))
      socket.pipe(other)
    }
    return undefined
  })

  async function watch(): Promise<void> {
    while (!over) {
      await Promise.all(
        Array.from(all, async (backend) => {
          const well = await isReady(backend)
          if (well && all.has(backend)) ready.add(backend)
          else ready.delete(backend)
        }),
      )
      await sleep(check_ms)
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const watching = watch()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the balancer has no port')
  return {
    port: address.port,
    ready: () => [...ready],
    replace(gone, by) {
      all.delete(gone)
      ready.delete(gone)
      all.add(by)
    },
    async close() {
      over = true
      await watching
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function isReady({ port, ca }: Backend): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ port, ca, host: 'localhost', path: '/readyz', agent: false, timeout: patience_ms })
    asked.on('response', (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(false))
    asked.end()
  })
}
