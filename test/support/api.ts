import { afterAll, beforeAll } from 'vitest'
import { createDeps, type ServiceParts } from '../../src/app/services.ts'
import type { Environment } from '../../src/config/config.ts'
import { dashboardRoutes } from '../../src/dashboard-routes.ts'
import { Database, type PoolOptions } from '../../src/db/pool.ts'
import type { KeepRequest } from '../../src/domain/answered.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import type { ProgramChanges } from '../../src/features/merchants/program-queries.ts'
import { createProgram, setProgram } from '../../src/features/merchants/programs.ts'
import type { MerchantChanges } from '../../src/features/merchants/queries.ts'
import { addMerchants, findMerchant, type MadeMerchant, setMerchant } from '../../src/features/merchants/service.ts'
import type { DashboardAuth } from '../../src/http/dashboard/auth.ts'
import { createServer } from '../../src/http/server.ts'
import { type Clock, OffsetClock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/observability/log.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { sandboxSms } from '../../src/providers/sms/sandbox.ts'
import { pages, routes, type Services } from '../../src/routes.ts'
import type { CallOptions, Reply } from '../http/client.ts'
import { localAuthority } from './authority.ts'
import { createCheckedClient } from './checked-client.ts'
import type { TestDatabase } from './database.ts'
import { onlyMerchants, paymentsOn } from './payments.ts'
import { secret_key } from './secret-key.ts'
import { patience } from './server.ts'

/** Settings that a test may change. The others are a sandbox's defaults. */
export type AppSettings = Partial<Omit<ServiceParts, 'clock' | 'batches'>> & {
  readonly pool?: PoolOptions
  /** Another connection to the database. The caller closes it. */
  readonly db?: Database
  /** Set it when `public_url` must lead to the server. Default: any free port. */
  readonly port?: number
  /** Replaces sign-in to the dashboard, such as the sessions of the database. */
  readonly dashboard?: Partial<DashboardAuth>
  /** Keeps the requests of merchants. */
  readonly keepRequest?: KeepRequest
}

/** One running server of the service, as a process of it would be: its own connections, services and log. */
export interface App<C extends Clock = OffsetClock> {
  readonly db: Database
  readonly port: number
  readonly ca: string
  /** Moves business time; one for all servers that share a `clock`. */
  readonly clock: C
  /** Every line of the log. */
  readonly logged: string[]
  readonly services: Services
  /** Sends a request to `/api` + path and checks the answer against the route table. */
  call(method: string, path: string, request?: CallOptions): Promise<Reply>
  get(path: string, key: string, request?: CallOptions): Promise<Reply>
  post(path: string, key: string, json?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** The same with the whole path. */
  send(method: string, path: string, request?: CallOptions): Promise<Reply>
  /** Asks for a page, outside of `/api`. */
  page(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
  stop(): Promise<void>
}

/** The settings of a sandbox on loopback. No name resolves unless a test says so. */
export const defaults: Omit<ServiceParts, 'clock'> = {
  environment: 'sandbox',
  lock_window_s: 10,
  checkout_ttl_s: 1_800,
  public_url: 'https://localhost:8443',
  secret_key,
  webhook: { allow_loopback: true, resolve: async () => [] },
  payments: onlyMerchants,
  translator: undefined,
  sms: sandboxSms,
  mail: undefined,
  password_cost: { N: 2 ** 4, r: 8, p: 1 },
}

/** Starts a server of the service on a test database. Call `stop` when it is not needed any more. */
export async function startApp(database: TestDatabase, settings?: AppSettings): Promise<App>
export async function startApp<C extends Clock>(
  database: TestDatabase,
  settings: AppSettings,
  clock: C,
): Promise<App<C>>
export async function startApp(
  database: TestDatabase,
  { pool, db: given, port: wanted = 0, dashboard, keepRequest, ...settings }: AppSettings = {},
  clock: Clock = new OffsetClock(),
): Promise<App<Clock>> {
  const db =
    given ?? new Database(database.url, { ...patience, application_name: 'nuqta-test', plans: 'by_key', ...pool })
  const tls = await localAuthority()
  const logged: string[] = []
  const whole = { ...defaults, ...settings }
  const payments = settings.payments ?? paymentsOn(db, clock, whole)
  const made = createDeps(db, { ...whole, payments, clock })
  const deps = { ...made, keepRequest, dashboard: { ...made.dashboard, ...dashboard } }
  const server = await createServer({
    tls,
    trust_proxy: [],
    log: createLog({ level: 'debug', stream: { write: (line) => logged.push(line) } }),
    metrics: createMetrics(),
    rows: routes,
    dashboard: dashboardRoutes,
    pages,
    deps,
  })
  const port = await server.listen({ host: '127.0.0.1', port: wanted })
  const client = createCheckedClient(port, tls.ca)
  const send: App['send'] = (method, path, request) => client.call(method, path, request)
  const call: App['call'] = (method, path, request) => send(method, `/api${path}`, request)
  return {
    db,
    port,
    ca: tls.ca,
    clock,
    services: deps.services,
    logged,
    call,
    get: (path, key, request) => call('GET', path, { key, ...request }),
    post: (path, key, json, headers = {}) => call('POST', path, { key, json, headers }),
    send,
    page: (path, headers = {}) => send('GET', path, { headers }),
    async stop() {
      client.close()
      await server.close(1_000)
      if (given === undefined) await db.close()
    },
  }
}

/** A server for the whole test file, started after its database and stopped before it. */
export function testApp(database: TestDatabase, settings: AppSettings = {}): () => App {
  let app: App | undefined
  beforeAll(async () => {
    app = await startApp(database, settings)
  })
  afterAll(() => app?.stop())
  return () => {
    if (app === undefined) throw new Error('The server is started before the tests: use it in tests and hooks only.')
    return app
  }
}

let numbered = 0

/** A program with a name of its own. */
export async function makeProgram(
  db: Database,
  changes: ProgramChanges = {},
  { environment = 'sandbox' }: { readonly environment?: Environment } = {},
): Promise<{ readonly program_id: number; readonly name: string }> {
  await claimDeployment(db, environment)
  const program = await createProgram(db, { name: `Program ${++numbered}`, environment, now: new Date() })
  if (Object.keys(changes).length > 0) await setProgram(db, program.name, { changes, now: new Date() })
  return program
}

export interface MerchantOptions {
  readonly program_id?: number
  readonly name?: string
  readonly environment?: Environment
  readonly changes?: MerchantChanges
  readonly key_status?: boolean
}

/** A merchant with its keys. Default: verified, published, in a program of its own. */
export async function makeMerchant(db: Database, options: MerchantOptions = {}): Promise<MadeMerchant> {
  const { environment = 'sandbox', changes = {}, key_status } = options
  const program_id = options.program_id ?? (await makeProgram(db, {}, { environment })).program_id
  const name = options.name ?? `Shop ${++numbered}`
  const now = new Date()
  const [merchant] = await db.transaction((tx) =>
    addMerchants(tx, { program_id, environment, now, name, verified: true, published: true }),
  )
  if (merchant === undefined) throw new Error('no merchant was made')
  if (Object.keys(changes).length > 0 || key_status !== undefined) {
    const row = await findMerchant(db, String(merchant.merchant_id))
    await setMerchant(db, row, { environment, now, changes, key_status })
  }
  return merchant
}

let sent = 0

/** A purchase that earns, with an order number of its own. */
export function purchase(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    phone_number: '0512345678',
    total_price: 100,
    products: [{ product_name: 'Coffee', product_price: 50, quantity: 2 }],
    order_number: `P-${++sent}`,
    ...changes,
  }
}
