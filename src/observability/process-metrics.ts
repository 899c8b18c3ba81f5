import { Counter, Gauge, type Registry } from 'prom-client'
import { orderSources } from '../domain/earning.ts'

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

interface Counted {
  readonly what: 'points' | 'orders'
  readonly kind: string
  readonly amount: number
}

/** The words of operators for the kinds of transfers. */
const pointKinds: Readonly<Record<string, string>> = {
  earn: 'issued',
  hold: 'held',
  post: 'redeemed',
  release: 'released',
  reverse: 'reversed',
  return: 'returned',
  adjust: 'adjusted',
}

/** Makes the metrics of points and orders, and gives the counter of what this process commits. */
export function createBusinessMetrics(registry: Registry): (counted: readonly Counted[]) => void {
  const registers = [registry]
  const points = new Counter({
    name: 'nuqta_points_total',
    help: 'Points moved by this process: issued, redeemed, reversed, returned, held, released, adjusted (either way).',
    labelNames: ['kind'],
    registers,
  })
  const orders = new Counter({
    name: 'nuqta_orders_total',
    help: 'Orders made by this process: purchase, product_rating, store_rating, checkout (opened).',
    labelNames: ['kind'],
    registers,
  })
  // A series has to be there before its first increase, or its rate misses that increase.
  for (const kind of Object.values(pointKinds)) points.inc({ kind }, 0)
  for (const kind of orderSources) orders.inc({ kind }, 0)
  return (counted) => {
    for (const { what, kind, amount } of counted)
      if (what === 'points') points.inc({ kind: pointKinds[kind] ?? kind }, amount)
      else orders.inc({ kind }, amount)
  }
}

/** Asks at most once in `every_ms`, however often somebody collects. After a failure, the next call asks again. */
export function atMostEvery<T>(
  every_ms: number,
  ask: () => Promise<T>,
  now_ms: () => number = () => performance.now(),
): () => Promise<T> {
  let asked: { readonly at_ms: number; readonly answer: Promise<T> } | undefined
  return () => {
    if (asked !== undefined && now_ms() - asked.at_ms < every_ms) return asked.answer
    const answer = ask()
    const mine = { at_ms: now_ms(), answer }
    asked = mine
    answer.catch(() => {
      if (asked === mine) asked = undefined
    })
    return answer
  }
}
