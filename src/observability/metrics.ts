import type { Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { createServer } from '../lib/node-http.ts'

/** The HTTP frame reports here; features register their own metrics on `registry`. */
export interface Metrics {
  readonly registry: Registry
  /** `route` is the pattern of the path, never the URL: URLs have no bound. */
  observeRequest(method: string, route: string, status: number, duration_s: number): void
  /** Counts what arrived and never became a request that a route could see. */
  countConnectionError(kind: string): void
}

let process_metrics: Registry | undefined

/**
 * The metrics of the process. All registries share them, because their observers of the event loop and garbage collection
 * never end.
 */
function ofProcess(): Registry {
  if (process_metrics === undefined) {
    process_metrics = new Registry()
    collectDefaultMetrics({ register: process_metrics })
  }
  return process_metrics
}

/** Makes a registry with the metrics of the process and of the HTTP frame. */
export function createMetrics(): Metrics {
  const registry = Registry.merge([ofProcess()])
  const requests = new Counter({
    name: 'nuqta_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'nuqta_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const connectionErrors = new Counter({
    name: 'nuqta_http_connection_errors_total',
    help: 'Connections that were answered or cut before any route: malformed HTTP, plain HTTP, failed handshakes.',
    labelNames: ['kind'],
    registers: [registry],
  })
  return {
    registry,
    observeRequest(method, route, status, duration_s) {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, duration_s)
    },
    countConnectionError(kind) {
      connectionErrors.inc({ kind })
    },
  }
}

export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

export interface MetricsSources {
  readonly registry: Registry
  /** The process can do its work, and is not stopping. */
  readonly isReady: () => Promise<boolean>
}

/**
 * Serves `/metrics`, `/healthz` and `/readyz` in plain HTTP to the operator's collectors and supervisors. A worker, which
 * has no API, is watched here.
 */
export async function startMetrics(
  at: { readonly host: string; readonly port: number },
  sources: MetricsSources,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    answer(request.url?.split('?', 1)[0], sources).then(
      ({ status, type, text }) => response.writeHead(status, { 'content-type': type }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(at, resolve)
  })
  return { port: portOf(server), close: () => closed(server) }
}

async function answer(
  path: string | undefined,
  { registry, isReady }: MetricsSources,
): Promise<{ readonly status: number; readonly type: string; readonly text: string }> {
  if (path === '/metrics') return { status: 200, type: registry.contentType, text: await registry.metrics() }
  const type = 'text/plain'
  if (path === '/healthz') return { status: 200, type, text: 'healthy\n' }
  if (path !== '/readyz') return { status: 404, type, text: 'There are /metrics, /healthz and /readyz.\n' }
  const ready = await isReady().catch(() => false)
  return ready ? { status: 200, type, text: 'ready\n' } : { status: 503, type, text: 'not ready\n' }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the metrics server does not listen on a port')
  return address.port
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

export interface BuildInfo {
  readonly version: string
  readonly environment: string
  readonly role: string
}

/** Makes the metric that says which version runs, and as what. */
export function createBuildInfo(registry: Registry, { version, environment, role }: BuildInfo): void {
  new Gauge({
    name: 'nuqta_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node', 'environment', 'role'],
    registers: [registry],
  }).set({ version, node: process.versions.node, environment, role }, 1)
}

interface Connections {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

/** Makes the metrics of the pool of database connections. */
export function createPoolMetrics(registry: Registry, connections: () => Connections): void {
  const gauge = (name: string, help: string, field: keyof Connections) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(connections()[field])
      },
    })
  gauge('nuqta_db_connections', 'Connections of this process to the database.', 'total')
  gauge('nuqta_db_connections_idle', 'Of them, those that nobody uses.', 'idle')
  gauge('nuqta_db_waiting', 'Callers of this process that wait for a connection.', 'waiting')
}
