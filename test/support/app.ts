import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { OffsetClock } from '../../src/clock.ts'
import type { Environment } from '../../src/config.ts'
import type { Database, PoolOptions } from '../../src/db/pool.ts'
import { claimDeployment } from '../../src/features/deployment/story.ts'
import type { MerchantChanges } from '../../src/features/merchants/queries.ts'
import { addMerchants, findMerchant, type MadeMerchant, setMerchant } from '../../src/features/merchants/story.ts'
import type { ProgramChanges } from '../../src/features/programs/queries.ts'
import { createProgram, setProgram } from '../../src/features/programs/story.ts'
import { pages, routes } from '../../src/http/routes.ts'
import { createServer } from '../../src/http/server.ts'
import { ensureLocalAuthority } from '../../src/http/tls.ts'
import { createLog } from '../../src/log.ts'
import { createMetrics } from '../../src/metrics.ts'
import { createDeps, type ServiceParts } from '../../src/services.ts'
import { HttpsClient, type Reply, type Request } from './client.ts'
import { contractOf } from './contract.ts'
import type { TestDatabase } from './database.ts'

/** What a test may set differently; the rest is as in a sandbox that runs by its defaults. */
export type AppSettings = Partial<Omit<ServiceParts, 'clock' | 'batches'>> & {
  readonly pool?: PoolOptions
  /** Another way to the database, closed by whoever made it. */
  readonly db?: Database
}

/** One running server of the service, as a process of it would be: its own connections, services and log. */
export interface App {
  readonly db: Database
  readonly port: number
  readonly ca: string
  /** Moves business time; one for all servers that share a `clock`. */
  readonly clock: OffsetClock
  /** Every line of the log. */
  readonly logged: readonly string[]
  /** Sends a request to `/api` + path and holds the answer against the route table. */
  call(method: string, path: string, request?: Request): Promise<Reply>
  get(path: string, key: string, request?: Request): Promise<Reply>
  post(path: string, key: string, json?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** Sends a request to any path; nothing is held against a description. */
  send(method: string, path: string, request?: Request): Promise<Reply>
  /** Asks for a page, outside of `/api`. */
  page(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
  stop(): Promise<void>
}

/** As in a sandbox that listens on loopback only, where no name resolves: tests say which do. */
const defaults: Omit<ServiceParts, 'clock'> = {
  lock_window_s: 10,
  checkout_ttl_s: 1_800,
  public_url: 'https://localhost:8443',
  secret_key: 'a key of the tests, which seals nothing of value',
  webhook: { allow_loopback: true, resolve: async () => [] },
}
const checkContract = contractOf(routes)

let authority: Promise<Certificate> | undefined

interface Certificate {
  readonly cert: string
  readonly key: string
  /** PEM text of the authority that signed it. */
  readonly ca: string
}

/** One authority serves all servers of a test file. */
async function localAuthority(): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'nuqta-test-tls-'))
  try {
    const { cert, key, caPath } = await ensureLocalAuthority(folder, [])
    return { cert, key, ca: await readFile(caPath, 'utf8') }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Starts a server of the service on a test database. Call `stop` when it is not needed any more. */
export async function startApp(
  database: TestDatabase,
  { pool, db = database.connect({ plans: 'by_key', ...pool }), ...settings }: AppSettings = {},
  clock: OffsetClock = new OffsetClock(),
): Promise<App> {
  authority ??= localAuthority()
  const tls = await authority
  const logged: string[] = []
  const server = await createServer({
    tls,
    trust_proxy: [],
    log: createLog({ level: 'debug', stream: { write: (line) => logged.push(line) } }),
    metrics: createMetrics(),
    rows: routes,
    pages,
    deps: createDeps(db, { ...defaults, ...settings, clock }),
  })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const client = new HttpsClient(port, tls.ca)
  const call = async (method: string, path: string, request?: Request): Promise<Reply> => {
    const reply = await client.send(method, `/api${path}`, request)
    checkContract(reply)
    return reply
  }
  return {
    db,
    port,
    ca: tls.ca,
    clock,
    logged,
    call,
    get: (path, key, request) => call('GET', path, { key, ...request }),
    post: (path, key, json, headers = {}) => call('POST', path, { key, json, headers }),
    send: (method, path, request) => client.send(method, path, request),
    page: (path, headers = {}) => client.send('GET', path, { headers }),
    async stop() {
      client.close()
      await server.close(1_000)
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

export interface Place {
  readonly environment?: Environment
}

/** A program with a name of its own. */
export async function makeProgram(
  db: Database,
  changes: ProgramChanges = {},
  { environment = 'sandbox' }: Place = {},
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

/** A merchant with its keys, verified and published unless `changes` say otherwise, in a program of its own unless one is named. */
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
