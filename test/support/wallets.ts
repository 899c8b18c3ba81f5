import type { Database } from '../../src/db/pool.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { asPoints } from '../../src/domain/points.ts'
import { day_s } from '../../src/domain/spans.ts'
import { createAuthenticate } from '../../src/features/merchants/authenticate.ts'
import { createProgram } from '../../src/features/merchants/programs.ts'
import { createMerchants } from '../../src/features/merchants/service.ts'
import { newSecretText, newUuid } from '../../src/lib/ids.ts'
import type { Services } from '../../src/routes.ts'
import { formOf } from './checkouts.ts'
import type { TestDatabase } from './database.ts'
import { earningOf, orderOf, type TestClock } from './earnings.ts'
import { codeIn, type Shopper, type Visit } from './shopper.ts'

/** A program whose merchants collect payments themselves. The first one of a file is the deployment's first. */
export async function makeWalletProgram(
  database: TestDatabase,
  name: string,
  names: readonly string[],
  settings: { readonly activation?: 'automatic' | 'required' } = {},
): Promise<{ readonly program_id: number; readonly stores: readonly Merchant[] }> {
  const place = { environment: 'sandbox', now: new Date(), verified: true, published: true } as const
  const { program_id } = await createProgram(database.db, { name, ...place })
  await database.owner.run({
    text: 'update program set activation = $2 where program_id = $1',
    values: [program_id, settings.activation ?? 'automatic'],
  })
  const made = []
  for (const store of names)
    made.push(...(await createMerchants(database.db, { ...place, program_id, name: store, count: 1 })))
  await database.owner.run({
    text: "update merchant set payment_provider = 'merchant' where program_id = $1",
    values: [program_id],
  })
  const authenticate = createAuthenticate(database.db)
  const stores = await Promise.all(made.map(({ private_key }) => authenticate('private', private_key)))
  return { program_id, stores: stores.filter((store) => store !== null) }
}

/** Actions of a customer, by the service's own functions, at the clock's time. */
export interface Customer {
  readonly phone: Phone
  /** A purchase of this many halalas. Returns its order. */
  buy(at: Merchant, total: number, order_number?: string): Promise<Uuid>
  rate(at: Merchant, product_name: string | null): Promise<void>
  /** Points held for an order whose payment the merchant collects. */
  reserve(
    at: Merchant,
    order: { readonly total: number; readonly points: number; readonly order_number?: string },
  ): Promise<Uuid>
}

export function customerOf(services: Services, phone: Phone, name: string | null = null): Customer {
  return {
    phone,
    async buy(merchant, total, order_number = `R-${newUuid().slice(-6)}`) {
      return orderOf(await services.earn(earningOf(merchant, { phone, name, total, order_number }))).order_uuid
    },
    async rate(merchant, product_name) {
      const source = product_name === null ? 'store_rating' : 'product_rating'
      const audit = { product_id: product_name, product_name, rating: 5, comment: null }
      await services.earn(earningOf(merchant, { phone, source, order_number: newUuid(), audit, items: null }))
    },
    async reserve(merchant, { total, points, order_number = `web-${newUuid().slice(-6)}` }) {
      const { program_id, merchant_id } = merchant
      const order_uuid = newUuid()
      const nothing = { shipping_halalas: null, tax_halalas: null, discount_halalas: null, shipping_address: null }
      const unknown = { items: null, metadata: null, phone: null, name: null, callback_url: null }
      const ids = { program_id, merchant_id, order_uuid, order_number }
      const { checkout_url } = await services.openCheckout({
        ...ids,
        total_halalas: asHalalas(total),
        ...nothing,
        ...unknown,
      })
      const [token, browser] = [checkout_url.split('/').at(-1) ?? '', newSecretText()]
      await services.proveSession(token, browser, phone)
      const choice = { points: asPoints(points), due_halalas: asHalalas(total - Math.floor(points / 2)) }
      const outcome = await services.confirmCheckout(await formOf(services, { token, browser }), choice)
      if (outcome.kind !== 'reserved' && outcome.kind !== 'approved')
        throw new Error(`${outcome.kind} instead of a hold`)
      return order_uuid
    },
  }
}

/** Two months of a customer's life with points: every kind of movement, and a hold that is still open. */
export async function liveWithPoints(
  services: Services,
  {
    phone,
    name,
    clock,
    stores: [cafe, books],
  }: { phone: Phone; name: string; clock: TestClock; stores: readonly Merchant[] },
): Promise<void> {
  if (cafe === undefined || books === undefined) throw new Error('two stores are needed')
  const customer = customerOf(services, phone, name)
  const refund = (merchant: Merchant, order: Uuid, halalas: number | null, reason: string | null) =>
    services.refundOrder(merchant, order, { amount_halalas: halalas === null ? null : asHalalas(halalas), reason })
  const coffee = await customer.buy(cafe, 8_450, '1001')
  await customer.rate(cafe, 'قهوة عربية 250 جم')
  clock.advance(6 * day_s)
  const novels = await customer.buy(books, 19_995, 'INV-2207')
  clock.advance(2 * day_s)
  const used = await customer.reserve(books, { total: 12_000, points: 1_200, order_number: 'INV-2261' })
  await services.moveOrder(books, used, { action: 'complete' })
  clock.advance(5 * day_s)
  await refund(books, novels, 5_000, 'نسخة تالفة')
  await refund(books, used, 6_000, 'Returned by the customer')
  clock.advance(9 * day_s)
  const dropped = await customer.reserve(cafe, { total: 4_000, points: 500, order_number: '1038' })
  clock.advance(1_800)
  await services.moveOrder(cafe, dropped, { action: 'cancel' })
  clock.advance(7 * day_s)
  await customer.rate(cafe, null)
  await refund(cafe, coffee, null, null)
  clock.advance(4 * day_s)
  await customer.reserve(cafe, { total: 6_400, points: 300, order_number: '1052' })
  clock.advance(3_600)
}

/** Asks for a code and enters it: the page after it. */
export async function signIn(me: Shopper, phone: string, path = '/wallet'): Promise<Visit> {
  const asked = await me.submit(await me.open(path), 'phone', { phone })
  return me.submit(asked, 'code', { code: codeIn(asked) })
}

/** A browser in which the phone has been proven. */
export async function signedIn(
  { walletSessions }: Services,
  me: Shopper,
  of: { readonly program_id: number; readonly phone: Phone },
): Promise<Shopper> {
  const begun = await walletSessions.begin(of)
  const proven = await walletSessions.prove(begun.token)
  if (proven === null) throw new Error('a sign-in ended at once')
  me.cookies.set('__Host-nuqta-wallet', proven.token)
  return me
}

/** Every change of a customer's available points in the ledger, oldest first: the wallet's version and the points. */
export async function ledgerOf(db: Database, program_id: number, phone: string): Promise<[number, number][]> {
  const rows = await db.run<{ account_version: number; amount: number }>({
    text: `select e.account_version, e.amount from customer c
      join entry e on e.program_id = c.program_id and e.account_id = c.customer_id and e.bucket = 'available'
      where c.program_id = $1 and c.phone = $2 order by e.account_version`,
    values: [program_id, phone],
  })
  return rows.map(({ account_version, amount }) => [account_version, amount])
}

/** Records the consent of a customer whom an earning made active. */
export async function agreed(database: TestDatabase, program_id: number, phone: Phone): Promise<void> {
  await database.owner.run({
    text: `insert into consent (program_id, consent_uuid, customer_id, terms_version, locale, source, created_at)
      select program_id, gen_random_uuid(), customer_id, '2026-11', 'ar', 'wallet', now() from customer
      where program_id = $1 and phone = $2 on conflict do nothing`,
    values: [program_id, phone],
  })
}
