import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Traces } from '../observability/traces.ts'
import type { Route } from './api/route.ts'
import type { DashboardRoute } from './dashboard/route.ts'
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
  /** Present while spans are sent. */
  readonly traceRequest?: Traces['request'] | undefined
  readonly rows: readonly Route<Services>[]
  /** The dashboard's own API. */
  readonly dashboard?: readonly DashboardRoute<Services>[]
  /** Pages for people, outside of `/api`. */
  readonly pages?: Pages<Services>
  readonly deps: FrameDeps<Services>
  readonly limits?: Partial<Limits>
  /** Where browsers that came by plain HTTP are sent, without a trailing slash; undefined sends nobody. */
  readonly redirect_browsers_to?: string | undefined
  /** Tells browsers to use only HTTPS for two years. For a host that will keep its certificate. */
  readonly hsts?: boolean
  /** Replaces the default budgets for bodies. */
  readonly budgets?: BodyBudgets
}

export interface Server {
  /** An undefined `host` means every address; port 0 means a free port. Gives the port. */
  listen(at: { readonly host: string | undefined; readonly port: number }): Promise<number>
  /** Uses another certificate for new connections. */
  renew(tls: { readonly cert: string; readonly key: string }): void
  /** Fails `/readyz` from now on, but still accepts requests. */
  announceStop(): void
  /**
   * Sends clients elsewhere without failing a request: announces the stop, serves as before for `drain_ms`, then ends
   * each connection with its next answer. Resolves when no connection is left, or after `settle_ms` more. A connection
   * that is still idle then will be closed, so a request sent on it at that moment gets no answer.
   */
  drain(times: { readonly drain_ms: number; readonly settle_ms: number }): Promise<void>
  /** Stops accepting, gives running requests `grace_ms` to finish, and closes everything. */
  close(grace_ms?: number): Promise<void>
}

const hsts = { 'strict-transport-security': 'max-age=63072000' }

/** How often to check whether connections have ended. */
const poll_ms = 20

const default_grace_ms = 20_000

/** How long a connection without a whole request may stay open while the server closes. */
const idle_grace_ms = 500

/** Builds the HTTPS server from listener, limits, Fastify and route table. It does not listen yet. */
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
        redirect_browsers_to: options.redirect_browsers_to,
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
      await closeListener(listener, grace_ms)
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

/** Ends connections with their next answer. Resolves when none is left, or when time is up. */
async function settle({ connections }: Listener, settle_ms: number): Promise<void> {
  const until_ms = performance.now() + settle_ms
  connections.endWithAnswers()
  while (connections.count > 0 && performance.now() < until_ms) await sleep(poll_ms)
}

/** Accepts no more connections and closes each as it becomes idle. Resolves when none is left. */
async function closeListener(listener: Listener, grace_ms: number): Promise<void> {
  const { server, connections } = listener
  const began_ms = performance.now()
  connections.endWithAnswers()
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve()) // its only error is that the server was not listening
  })
  const sweep = setInterval(() => {
    const waited_ms = performance.now() - began_ms
    listener.closeIdle()
    if (waited_ms >= grace_ms) connections.cutAll()
    else if (waited_ms >= Math.min(idle_grace_ms, grace_ms)) connections.cutIdle()
  }, poll_ms)
  listener.closeIdle()
  await closed
  clearInterval(sweep)
  listener.close()
}
