import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Locale } from '../../src/domain/locale.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { type App, defaults, startApp } from './api.ts'
import { resetLimits } from './checkout-stage.ts'
import type { TestDatabase } from './database.ts'
import { TestClock } from './earnings.ts'
import { Shopper } from './shopper.ts'
import { agreed, type Customer, customerOf, makeWalletProgram, signedIn } from './wallets.ts'

/** A program with two stores, and its wallets over HTTP. */
export interface WalletStage {
  readonly app: App<TestClock>
  readonly clock: TestClock
  readonly program_id: number
  readonly cafe: Merchant
  readonly books: Merchant
  /** A customer with a browser of their own. */
  visitor(locale?: Locale): Shopper
  /** Someone whose phone has been proven in a browser of their own. */
  signedIn(phone: Phone, locale?: Locale): Promise<Shopper>
  customer(phone: Phone, name?: string | null): Customer
}

/** Serves wallets for the tests of one file. Call it after `testDatabase`. */
export function walletStage(database: TestDatabase): WalletStage {
  const clock = new TestClock('2026-10-03T14:05:00.000Z')
  let running: App<TestClock> | undefined
  let program: Awaited<ReturnType<typeof makeWalletProgram>> | undefined
  beforeAll(async () => {
    running = await startApp(database, { db: database.db }, clock)
    program = await makeWalletProgram(database, 'نقاط الحي', ['Corner Café', 'مكتبة الحكمة'])
  })
  afterAll(() => running?.stop())
  // All tests share one address, and ask for more codes than one address may within an hour.
  beforeEach(() => resetLimits(database))

  function ready<Value>(value: Value | undefined): Value {
    if (value === undefined) throw new Error('the stage is set before the tests: use it in tests only')
    return value
  }

  const stage: WalletStage = {
    clock,
    get app() {
      return ready(running)
    },
    get program_id() {
      return ready(program).program_id
    },
    get cafe() {
      return ready(program?.stores[0])
    },
    get books() {
      return ready(program?.stores[1])
    },
    visitor: (locale = 'en') => new Shopper(stage.app.send, defaults.public_url, { 'accept-language': locale }),
    async signedIn(phone, locale) {
      await agreed(database, stage.program_id, phone)
      return signedIn(stage.app.services, stage.visitor(locale), { program_id: stage.program_id, phone })
    },
    customer: (phone, name) => customerOf(stage.app.services, phone, name),
  }
  return stage
}
