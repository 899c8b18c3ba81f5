import { Gauge, type Registry } from 'prom-client'

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
