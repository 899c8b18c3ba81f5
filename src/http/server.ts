import type { AddressInfo } from 'node:net'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { createFrame, type FrameDeps, pathFailure } from './frame.ts'
import { createListener, defaultLimits, type Limits, type Listener } from './listener.ts'
import { trustProxies } from './proxy.ts'
import type { Route } from './route.ts'

export interface ServerOptions<Services> {
  /** PEM texts. */
  readonly tls: { readonly cert: string; readonly key: string }
  /** Addresses and CIDR ranges of TLS-terminating proxies. */
  readonly trust_proxy: readonly string[]
  readonly log: Log
  readonly metrics: Metrics
  readonly rows: readonly Route<Services>[]
  readonly deps: FrameDeps<Services>
  readonly limits?: Partial<Limits>
}

export interface Server {
  /** `host` undefined means every address; port 0 a free one. Gives the port that it listens on. */
  listen(at: { readonly host: string | undefined; readonly port: number }): Promise<number>
  /** Fails `/readyz` from now on, while requests are still accepted. */
  announceStop(): void
  /** Stops accepting, lets what runs finish for at most `grace_ms`, and closes everything. */
  close(grace_ms?: number): Promise<void>
}

const default_grace_ms = 20_000

/** How long a connection that has not sent a whole request may stay open while the server closes. */
const idle_grace_ms = 500

/** Puts the HTTPS server together: listener, limits, Fastify, route table. Nothing listens yet. */
export async function createServer<Services>(options: ServerOptions<Services>): Promise<Server> {
  let stopping = false
  const proxies = trustProxies(options.trust_proxy)
  const listeners: Listener[] = []
  const { app, findPath } = createFrame({
    ...options,
    proxies,
    isStopping: () => stopping,
    serverFactory: (handle) => {
      const listener = createListener({
        tls: options.tls,
        metrics: options.metrics,
        limits: { ...defaultLimits, ...options.limits },
        proxies,
        handle,
        pathFailure: (url) => pathFailure(findPath, url),
      })
      listeners.push(listener)
      return listener.server
    },
  })
  await app.ready()
  const [listener] = listeners
  if (listener === undefined) throw new Error('Fastify made no server')

  return {
    listen: (at) => listen(listener, at),
    announceStop() {
      stopping = true
    },
    async close(grace_ms = default_grace_ms) {
      stopping = true
      await drain(listener, grace_ms)
      await app.close()
    },
  }
}

function listen({ server }: Listener, { host, port }: { host: string | undefined; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(host === undefined ? { port } : { port, host }, () => {
      server.off('error', reject)
      const address: AddressInfo | string | null = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

/** Resolves when no connection is left; connections that finish their answer are closed as they fall idle. */
async function drain(listener: Listener, grace_ms: number): Promise<void> {
  const { server, connections } = listener
  const began_ms = performance.now()
  connections.endWithAnswers()
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve()) // an error means that it was not listening
  })
  const sweep = setInterval(() => {
    const waited_ms = performance.now() - began_ms
    listener.closeIdle()
    if (waited_ms >= grace_ms) connections.cutAll()
    else if (waited_ms >= Math.min(idle_grace_ms, grace_ms)) connections.cutIdle()
  }, 20)
  listener.closeIdle()
  await closed
  clearInterval(sweep)
  listener.close()
}
