import { afterAll, beforeAll } from 'vitest'
import { createDeps, type ServiceParts } from '../../src/app/services.ts'
import type { Database } from '../../src/db/pool.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import type { PaymentProviders } from '../../src/providers/payment/port.ts'
import type { Translator } from '../../src/providers/translation/port.ts'
import type { Services } from '../../src/routes.ts'
import type { CallOptions, Reply } from '../http/client.ts'
import { type App, defaults, startApp } from './api.ts'
import type { TestDatabase } from './database.ts'
import { earningShops, TestClock } from './earnings.ts'

export const app_noon = '2026-02-01T09:00:00.000Z'

export interface ServiceOptions {
  readonly clock: TestClock
  readonly translator?: Translator | undefined
  readonly payments?: PaymentProviders
  readonly translation_budget_ms?: number
  readonly onOddPayment?: ServiceParts['onOddPayment']
  /** For browsers, which follow links: set `port` and `public_url` together, so that links lead to this server. */
  readonly port?: number
  readonly public_url?: string
}

/** The services of all routes on a database, as the composition root makes them. */
export function servicesOn(db: Database, { clock, ...settings }: ServiceOptions): Services {
  return createDeps(db, { ...defaults, ...settings, clock }).services
}

/** A merchant with the key it calls with. */
export interface Shop {
  readonly merchant: Merchant
  readonly private_key: string
  readonly public_key: string
}

/** A merchant of a program of its own, verified and published. */
export async function oneShop(db: Database): Promise<Shop> {
  const [shop] = await earningShops(db, 1)
  if (shop === undefined) throw new Error('no merchant was made')
  return shop
}

/** The fields of an answer that tests compare. */
export function answerOf({ status, body }: Reply) {
  return { status, message: body.message, data: body.data as Record<string, unknown> }
}

/** The whole API on a test database, over HTTPS. Every answer is checked against the API description. */
export interface AppAtNoon {
  readonly clock: TestClock
  readonly services: Services
  /** The lines of the log. */
  readonly logged: string[]
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  /** `POST /api/v1/orders/{orderUuid}/{action}`. */
  act(order_uuid: string, action: string, options?: CallOptions): Promise<Reply>
  /** The same with the private key of a shop. */
  actBy(shop: Shop, order_uuid: string, action: string, json?: unknown): Promise<Reply>
}

/** Serves the API for the tests of one file, at noon of 1 February 2026. Call it after `testDatabase`. */
export function appAtNoon(database: TestDatabase, options: Omit<ServiceOptions, 'clock'> = {}): AppAtNoon {
  const clock = new TestClock(app_noon)
  let running: App<TestClock> | undefined
  beforeAll(async () => {
    running = await startApp(database, { ...options, db: database.db }, clock)
  })
  afterAll(() => running?.stop())
  function started(): App<TestClock> {
    if (running === undefined) throw new Error('the server is started before the tests: use it in tests only')
    return running
  }
  const call: AppAtNoon['call'] = (method, path, given) => started().send(method, path, given)
  return {
    clock,
    call,
    act: (order_uuid, action, given) => call('POST', `/api/v1/orders/${order_uuid}/${action}`, given),
    actBy: ({ private_key: key }, order_uuid, action, json) =>
      call('POST', `/api/v1/orders/${order_uuid}/${action}`, json === undefined ? { key } : { key, json }),
    get logged() {
      return started().logged
    },
    get services() {
      return started().services
    },
  }
}
