import { beforeAll, beforeEach } from 'vitest'
import { createPaymentProviders } from '../../src/app/ports.ts'
import type { Locale } from '../../src/domain/locale.ts'
import type { Phone } from '../../src/domain/phone.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { PaymentProviders } from '../../src/providers/payment/port.ts'
import { defaults } from './api.ts'
import { type AppAtNoon, appAtNoon, oneShop, type ServiceOptions, type Shop } from './app.ts'
import { sellBy } from './checkouts.ts'
import type { TestDatabase } from './database.ts'
import { freshPhone } from './earnings.ts'
import { customerWith, pointsOf } from './orders.ts'
import { codeIn, Shopper, type Visit } from './shopper.ts'
import { makePerson, type Person } from './staff.ts'

/** A checkout's link, and the API's answer that contained it. */
export interface Link {
  readonly path: string
  readonly token: string
  readonly order_uuid: string
  readonly reference_number: string
}

/** A customer on the page that offers points. */
export interface Chooser extends Link {
  readonly me: Shopper
  readonly phone: Phone
  readonly page: Visit
}

export interface Stage {
  readonly app: AppAtNoon
  readonly shop: Shop
  /** A customer with a browser of their own. */
  shopper(locale?: Locale): Shopper
  /** A checkout of 100 SAR that the shop opens by the API. */
  open(asked?: Readonly<Record<string, unknown>>): Promise<Link>
  /** Proves a phone, from the page that asks for a number. */
  prove(me: Shopper, path: string, phone: string): Promise<Visit>
  /** Posted and held points of the customer with this phone. */
  balanceOf(phone: string): Promise<[posted: number, held: number]>
  /** An operator, or somebody with a role at a merchant, who is signed in. */
  person(at: Parameters<typeof makePerson>[1]): Promise<Person>
  /** A customer with points, and a checkout in which the phone is proven. */
  choosing(points: number, asked?: Readonly<Record<string, unknown>>, locale?: Locale): Promise<Chooser>
}

export type StageOptions = Omit<ServiceOptions, 'clock'> & {
  readonly collector?: 'sandbox' | 'merchant'
  /** Business time begins at the machine's, by which browsers keep cookies; else at noon of 1 February 2026. */
  readonly today?: boolean
}

/** A shop whose customers go through its checkouts over HTTP. Call it after `testDatabase`. */
export function checkoutStage(
  database: TestDatabase,
  { collector = 'merchant', today = false, ...options }: StageOptions = {},
): Stage {
  const { public_url = defaults.public_url } = options
  const app: AppAtNoon = appAtNoon(database, {
    payments: sandboxPayments(database, public_url, () => app.clock),
    ...options,
  })
  let shop: Shop | undefined
  let opened = 0
  beforeAll(async () => {
    shop = await oneShop(database.db)
    await sellBy(database.owner, shop, collector)
    if (today) app.clock.advance((Date.now() - app.clock.now().getTime()) / 1000)
  })
  // All tests share one address, and open more checkouts than one address may within an hour.
  beforeEach(() => resetLimits(database))

  const stage: Stage = {
    app,
    get shop() {
      if (shop === undefined) throw new Error('the shop is made before the tests: use it in tests only')
      return shop
    },
    person: (at) => makePerson({ db: database.db, send: app.call, services: app.services }, at),
    shopper: (locale = 'en') => new Shopper(app.call, public_url, { 'accept-language': locale }),
    async open(asked = {}) {
      opened += 1
      const json = { total_price: 100, order_number: `#${1000 + opened}`, ...asked }
      const reply = await app.call('POST', `/api/v1/orders/checkout/${stage.shop.public_key}`, { json })
      const { checkout_url, order_uuid, reference_number } = reply.body.data as Record<string, string>
      const path = new URL(checkout_url ?? '').pathname
      return {
        path,
        token: path.split('/').at(-1) ?? '',
        order_uuid: order_uuid ?? '',
        reference_number: reference_number ?? '',
      }
    },
    async prove(me, path, phone) {
      const sent = await me.submit(await me.open(`${path}?at=number`), 'phone', { phone })
      return me.submit(sent, 'code', { code: codeIn(sent) })
    },
    balanceOf: (phone) => pointsOf(database.db, stage.shop.merchant, phone as Phone),
    async choosing(points, asked = {}, locale = 'en') {
      const phone = freshPhone()
      if (points > 0) await customerWith(database.db, stage.shop.merchant, { points, phone })
      const link = await stage.open(asked)
      const me = stage.shopper(locale)
      return { ...link, me, phone, page: await stage.prove(me, link.path, phone) }
    },
  }
  return stage
}

/** The providers of a sandbox, made once the database is there. */
function sandboxPayments(database: TestDatabase, public_url: string, clockOf: () => Clock): PaymentProviders {
  const none = { url: undefined, account: undefined }
  const { environment, secret_key } = defaults
  let made: PaymentProviders | undefined
  return {
    of(owner, name) {
      made ??= createPaymentProviders({
        ...{ db: database.db, clock: clockOf(), secrets: createSecretBox(secret_key), environment, public_url },
        settings: { paytabs: none, moyasar: none },
      })
      return made.of(owner, name)
    },
  }
}

/** Resets all limits, as if a day had passed. */
export async function resetLimits(database: TestDatabase): Promise<void> {
  await database.owner.script('delete from rate_limit; delete from limit_counter')
}
