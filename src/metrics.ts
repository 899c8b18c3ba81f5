import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** What the HTTP frame reports; others register their own metrics on `registry`. */
export interface Metrics {
  readonly registry: Registry
  /** `route` is the pattern of the path, never the URL: URLs have no bound. */
  observeRequest(method: string, route: string, status: number, duration_s: number): void
  /** What arrived and was not a request that any route could see. */
  countConnectionError(kind: string): void
}

/** Makes a registry with the metrics of the process and of the HTTP frame. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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

/** Serves `/metrics` on a port of the loopback address, in plain HTTP: it is for a collector on the same machine. */
export async function startMetrics(port: number, registry: Registry): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Metrics are at /metrics.\n')
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return { port: portOf(server), close: () => closed(server) }
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
