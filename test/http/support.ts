import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Day } from '../../src/domain/day.ts'
import type { Flow } from '../../src/domain/failures.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { asPoints, DEFAULT_POINTS_PER_SAR, DEFAULT_SAR_PER_POINT } from '../../src/domain/points.ts'
import type { Route } from '../../src/http/api/route.ts'
import type { DashboardAuth } from '../../src/http/dashboard/auth.ts'
import type { DashboardRoute } from '../../src/http/dashboard/route.ts'
import { createFormKeys } from '../../src/http/pages/form.ts'
import type { Pages } from '../../src/http/pages/page.ts'
import { createServer, type Server } from '../../src/http/server.ts'
import type { BodyBudgets } from '../../src/http/transport/body-budget.ts'
import type { Limits } from '../../src/http/transport/listener.ts'
import type { LocalAuthority } from '../../src/http/transport/server-certificate.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { createLog } from '../../src/observability/log.ts'
import { createMetrics, type Metrics } from '../../src/observability/metrics.ts'
import { localAuthority } from '../support/authority.ts'
import { secret_key } from '../support/secret-key.ts'
import { type Client, createClient } from './client.ts'

const account_id = '0193e7a1-0000-7000-8000-000000000000' as Uuid

const flows: Readonly<Record<Flow, boolean>> = {
  earning: true,
  product_rating: true,
  store_rating: true,
  checkout: true,
}

export function merchant(changes: Partial<Merchant> = {}): Merchant {
  return {
    program: {
      program_id: 1,
      account_id,
      activation: 'automatic',
      rates: [{ begins_on: '2026-01-01' as Day, micro_sar_per_point: DEFAULT_SAR_PER_POINT }],
      locale: 'en',
    },
    program_id: 1,
    merchant_id: 7,
    account_id,
    name: 'Sample',
    verified: true,
    published: true,
    flows,
    points_per_sar_e4: DEFAULT_POINTS_PER_SAR,
    product_rating_points: asPoints(50),
    store_rating_points: asPoints(100),
    refund_window_days: 30,
    integration_active: true,
    ...changes,
  }
}

export const keys = {
  good: 'sk_test_good',
  unverified: 'sk_test_unverified',
  unpublished: 'sk_test_unpublished',
  flowless: 'sk_test_flowless',
  public: 'pk_test_good',
} as const

const merchants = new Map<string, Merchant>([
  [`private ${keys.good}`, merchant()],
  [`private ${keys.unverified}`, merchant({ verified: false, published: false })],
  [`private ${keys.unpublished}`, merchant({ published: false })],
  [`private ${keys.flowless}`, merchant({ flows: { ...flows, earning: false, checkout: false } })],
  [`public ${keys.public}`, merchant()],
])

/** A real HTTPS server with the rows of the test, and no database. */
export interface TestServer extends Client {
  readonly server: Server
  readonly port: number
  readonly tls: LocalAuthority
  readonly metrics: Metrics
  /** The lines of the log. */
  readonly logged: string[]
  /** How the pretended database behaves. */
  readonly database: { ready: boolean; error: Error | undefined }
  stop(): Promise<void>
}

/** The dashboard's rows, and who is signed in. */
export interface TestDashboard<Services> {
  readonly rows: readonly DashboardRoute<Services>[]
  readonly auth: DashboardAuth
}

export interface TestOptions {
  readonly limits?: Partial<Limits>
  readonly budgets?: BodyBudgets
  readonly trust_proxy?: readonly string[]
  readonly hsts?: boolean
  readonly redirect_browsers_to?: string
  /** Default: any free port. */
  readonly port?: number
}

/** A key that seals nothing of value. */
export const formKeys = createFormKeys(createSecretBox(secret_key), 'https://nuqta.example')

/** Nobody uses the dashboard. */
export const nobodySignedIn: DashboardAuth = {
  readSession: async () => null,
  loadMerchant: async () => null,
  loadProgram: async () => null,
  requireRecent: async () => undefined,
  readStanding: async () => null,
  origin: 'https://nuqta.example',
}

/** A handler throws it when the pretended database is away. */
export class DatabaseAway extends Error {}

export async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'nuqta-http-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

export async function startServer<Services>(
  rows: readonly Route<Services>[],
  services: Services,
  {
    limits = {},
    trust_proxy = [],
    hsts = false,
    redirect_browsers_to,
    port: wanted = 0,
    budgets,
    pages,
    dashboard,
  }: TestOptions & { readonly pages?: Pages<Services>; readonly dashboard?: TestDashboard<Services> } = {},
): Promise<TestServer> {
  const tls = await localAuthority()
  const logged: string[] = []
  const metrics = createMetrics()
  const database: TestServer['database'] = { ready: true, error: undefined }
  const server = await createServer({
    tls,
    trust_proxy,
    limits,
    hsts,
    redirect_browsers_to,
    rows,
    ...(pages === undefined ? {} : { pages }),
    ...(dashboard === undefined ? {} : { dashboard: dashboard.rows }),
    ...(budgets === undefined ? {} : { budgets }),
    metrics,
    log: createLog({ level: 'debug', stream: { write: (line) => logged.push(line) } }),
    deps: {
      services,
      authenticate: async (kind, key) => {
        if (database.error !== undefined) throw database.error
        return merchants.get(`${kind} ${key}`) ?? null
      },
      isDatabaseUnavailable: (error) => error instanceof DatabaseAway,
      forms: formKeys,
      dashboard: dashboard?.auth ?? nobodySignedIn,
      ready: async () => database.ready,
    },
  })
  const port = await server.listen({ host: '127.0.0.1', port: wanted })
  const client = createClient(port, tls.ca)
  return {
    ...client,
    server,
    port,
    tls,
    metrics,
    logged,
    database,
    async stop() {
      client.close()
      await server.close(1_000)
    },
  }
}
