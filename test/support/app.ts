import { afterAll, beforeAll } from 'vitest'
import { isDatabaseUnavailable } from '../../src/db/failure.ts'
import type { Database } from '../../src/db/pool.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { createEarn } from '../../src/features/earning/story.ts'
import { createAuthenticate } from '../../src/features/keys/authenticate.ts'
import { createMerchants } from '../../src/features/merchants/story.ts'
import { createReadOrder } from '../../src/features/orders/story.ts'
import { createProgram } from '../../src/features/programs/story.ts'
import { createRefundOrder } from '../../src/features/refunds/story.ts'
import { createUpdateShipping } from '../../src/features/shipping/story.ts'
import { createMoveOrder } from '../../src/features/transitions/story.ts'
import { createTranslateLabel } from '../../src/features/translation/story.ts'
import { routes, type Services } from '../../src/http/routes.ts'
import { createServer, type Server } from '../../src/http/server.ts'
import { ensureLocalAuthority } from '../../src/http/tls.ts'
import { createLog } from '../../src/log.ts'
import { createMetrics } from '../../src/metrics.ts'
import { merchantPayments } from '../../src/providers/payment/merchant.ts'
import type { PaymentProviders } from '../../src/providers/payment/port.ts'
import type { Translator } from '../../src/providers/translation/port.ts'
import { type CallOptions, type Client, createClient, type Reply } from '../http/client.ts'
import { inTemporaryFolder } from '../http/support.ts'
import type { TestDatabase } from './database.ts'
import { TestClock } from './earnings.ts'

export const app_noon = '2026-02-01T09:00:00.000Z'

export interface ServiceOptions {
  readonly clock: TestClock
  readonly translator?: Translator | undefined
  readonly payments?: PaymentProviders
  readonly translation_budget_ms?: number
}

/** The services of all routes on a database, as the composition root makes them. */
export function servicesOn(db: Database, { clock, translator, payments, ...options }: ServiceOptions): Services {
  const budget = options.translation_budget_ms === undefined ? {} : { budget_ms: options.translation_budget_ms }
  const translateLabel = createTranslateLabel({ db, clock, translator, ...budget })
  const readOrder = createReadOrder(db)
  return {
    clock,
    readOrder,
    earn: createEarn({ db, clock, lock_window_s: 10 }),
    moveOrder: createMoveOrder({ db, clock }),
    refundOrder: createRefundOrder({ db, clock, payments: payments ?? { merchant: merchantPayments } }),
    updateShipping: createUpdateShipping({ db, clock, readOrder, translateLabel }),
  }
}

/** A merchant with the key it calls with. */
export interface Shop {
  readonly merchant: Merchant
  readonly private_key: string
  readonly public_key: string
}

let programs = 0

/** Merchants of a program of their own, verified and published. */
async function makeShops(db: Database, count: number, program_id?: number): Promise<Shop[]> {
  const now = new Date('2026-01-31T09:00:00Z')
  programs += 1
  const place = { environment: 'sandbox', now, verified: true, published: true } as const
  const id = program_id ?? (await createProgram(db, { name: `Shops ${programs}`, ...place })).program_id
  const made = await createMerchants(db, { ...place, program_id: id, name: 'Shop', count })
  const authenticate = createAuthenticate(db)
  return Promise.all(
    made.map(async ({ private_key, public_key }) => {
      const merchant = await authenticate('private', private_key)
      if (merchant === null) throw new Error('a merchant was made that has no key')
      return { merchant, private_key, public_key }
    }),
  )
}

export async function oneShop(db: Database): Promise<Shop> {
  const [shop] = await makeShops(db, 1)
  if (shop === undefined) throw new Error('no merchant was made')
  return shop
}

/** The whole API on a test database, over HTTPS. */
export interface TestApp {
  readonly clock: TestClock
  readonly services: Services
  /** What was logged, a line each. */
  readonly logged: string[]
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  /** `POST /api/v1/orders/{orderUuid}/{action}`. */
  act(order_uuid: string, action: string, options?: CallOptions): Promise<Reply>
}

/** Serves the API for the tests of one file. Call it after `testDatabase`. */
export function testApp(database: TestDatabase, options: Omit<ServiceOptions, 'clock'> = {}): TestApp {
  const clock = new TestClock(app_noon)
  const logged: string[] = []
  let running: { server: Server; client: Client; services: Services } | undefined
  beforeAll(async () => {
    const { db } = database
    const services = servicesOn(db, { clock, ...options })
    const tls = await inTemporaryFolder((folder) => ensureLocalAuthority(folder, []))
    const server = await createServer({
      tls,
      trust_proxy: [],
      rows: routes,
      metrics: createMetrics(),
      log: createLog({ level: 'debug', stream: { write: (line) => logged.push(line) } }),
      deps: { services, authenticate: createAuthenticate(db), isDatabaseUnavailable, ready: () => db.isWritable() },
    })
    const port = await server.listen({ host: '127.0.0.1', port: 0 })
    running = { server, client: createClient(port, tls.ca), services }
  })
  afterAll(async () => {
    running?.client.close()
    await running?.server.close(1_000)
  })
  function started() {
    if (running === undefined) throw new Error('the server is started before the tests: use it in tests only')
    return running
  }
  const call: TestApp['call'] = (method, path, given) => started().client.call(method, path, given)
  return {
    clock,
    logged,
    call,
    act: (order_uuid, action, given) => call('POST', `/api/v1/orders/${order_uuid}/${action}`, given),
    get services() {
      return started().services
    },
  }
}
