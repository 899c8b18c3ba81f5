import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Route } from './api/route.ts'
import { createFrame, type FrameDeps, pathFailure } from './frame.ts'
import type { Pages } from './pages/page.ts'
import type { BodyBudgets } from './transport/body-budget.ts'
import { createListener, defaultLimits, type Limits, type Listener } from './transport/listener.ts'
import { trustProxies } from './transport/proxy.ts'

export interface ServerOptions<Services> {
  /** PEM texts. */
  readonly tls: { readonly cert: string; readonly key: string }
  /** Addresses and CIDR ranges of TLS-terminating proxies. */
  readonly trust_proxy: readonly string[]
  readonly log: Log
  readonly metrics: Metrics
  readonly rows: readonly Route<Services>[]
  /** Pages for people, outside of `/api`. */
  readonly pages?: Pages<Services>
  readonly deps: FrameDeps<Services>
  readonly limits?: Partial<Limits>
  /** Tells browsers to come by HTTPS only, for two years: for a name that will keep its certificate. */
  readonly hsts?: boolean
  /** What bodies may take of the memory, if not the usual. */
  readonly budgets?: BodyBudgets
}

export interface Server {
  /** `host` undefined means every address; port 0 a free one. Gives the port that it listens on. */
  listen(at: { readonly host: string | undefined; readonly port: number }): Promise<number>
  /** Gives new connections another certificate; those that are open keep theirs. */
  renew(tls: { readonly cert: string; readonly key: string }): void
  /** Fails `/readyz` from now on, while requests are still accepted. */
  announceStop(): void
  /**
   * Sends clients elsewhere without failing a request: announces the stop, serves as ever for `drain_ms`, and then ends each
   * connection with its next answer. Resolves when none is left, or after `settle_ms` more: a connection that stays silent
   * so long is closed unasked, and a client that speaks at that moment has no answer.
   */
  drain(times: { readonly drain_ms: number; readonly settle_ms: number }): Promise<void>
  /** Stops accepting, lets what runs finish for at most `grace_ms`, and closes everything. */
  close(grace_ms?: number): Promise<void>
}

const hsts = { 'strict-transport-security': 'max-age=63072000' }

/** How often it is looked whether connections have gone. */
const look_ms = 20

const default_grace_ms = 20_000

/** How long a connection that has not sent a whole request may stay open while the server closes. */
const idle_grace_ms = 500

/** Puts the HTTPS server together: listener, limits, Fastify, route table. Nothing listens yet. */
export async function createServer<Services>(options: ServerOptions<Services>): Promise<Server> {
  let stopping = false
  let closing = false
  const headers = options.hsts ? hsts : {}
  const proxies = trustProxies(options.trust_proxy)
  const listeners: Listener[] = []
  const limits = { ...defaultLimits, ...options.limits }
  const { app, findPath } = createFrame({
    ...options,
    limits,
    proxies,
    headers,
    isStopping: () => stopping,
    isClosing: () => closing,
    serverFactory: (handle) => {
      const listener = createListener({
        tls: options.tls,
        metrics: options.metrics,
        limits,
        proxies,
        headers,
        handle,
        pathFailure: (url) => pathFailure(findPath, url),
        allowsAnyOrigin: (url) => findPath(url)?.cors === true,
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
    renew: ({ cert, key }) => listener.renew({ cert, key }),
    announceStop() {
      stopping = true
    },
    async drain({ drain_ms, settle_ms }) {
      stopping = true
      await sleep(drain_ms)
      closing = true
      await settle(listener, settle_ms)
    },
    async close(grace_ms = default_grace_ms) {
      stopping = true
      closing = true
      await end(listener, grace_ms)
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

/** Ends connections with their next answer, and resolves when none is left, or in time. */
async function settle({ connections }: Listener, settle_ms: number): Promise<void> {
  const until_ms = performance.now() + settle_ms
  connections.endWithAnswers()
  while (connections.count > 0 && performance.now() < until_ms) await sleep(look_ms)
}

/** Accepts no more, and resolves when no connection is left; connections that finish their answer are closed as they fall idle. */
async function end(listener: Listener, grace_ms: number): Promise<void> {
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
  }, look_ms)
  listener.closeIdle()
  await closed
  clearInterval(sweep)
  listener.close()
}
