import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, dayOf } from '../../src/domain/day.ts'
import { DomainError } from '../../src/domain/failures.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { asPoints, DEFAULT_SAR_PER_POINT, type MicroSarPerPoint } from '../../src/domain/points.ts'
import { rateAt } from '../../src/domain/rates.ts'
import { decideRedemption } from '../../src/domain/redemption.ts'
import { findCustomer } from '../../src/features/customers/queries.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { loadMerchant } from '../../src/features/merchants/merchant.ts'
import { changeProgram } from '../../src/features/merchants/program-settings.ts'
import type { SettleParts } from '../../src/features/payments/settle.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { excludeOrder, includeOrder } from '../../src/features/settlement/exclusion.ts'
import { closeSettlements, justAfter } from '../../src/features/settlement/service.ts'
import { adjustWallet } from '../../src/features/wallet/adjust.ts'
import { CliError } from '../../src/lib/errors.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { Services } from '../../src/routes.ts'
import { rebuildAll } from '../support/activity.ts'
import { type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { formOf, openedCheckout, paymentsOf, type TestCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, earningShops, earnOn, freshPhone, TestClock } from '../support/earnings.ts'
import { elapsedTime } from '../support/elapsed.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { reportOf } from '../support/liability.ts'
import { customerWith } from '../support/orders.ts'
import { performDue, providersOf, reconcilePayments, releaseExpired } from '../support/payments.ts'
import { secret_key } from '../support/secret-key.ts'

// Guarantee: whatever customers, merchants, operators, the provider and the clock do at the same time, each request succeeds
// or is refused with a reason; then the ledger verifies with all figures, reports of liability agree, and the provider keeps
// exactly the money that is recorded.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks', 'due messages'] })
const numRuns = process.env['NUQTA_TEST_LONG'] === '1' ? 500 : 4
const elapsed = elapsedTime()
const by = { source: 'command', name: 'Sara' } as const
const fees = { fee_earn_bp: 250, fee_redeem_bp: 125, fee_vat_bp: 1_500 }
/** The ends of a month and of a day in Riyadh, also of a leap year, and noon. */
const starts = [
  '2026-01-31T20:30:00.000Z',
  '2026-02-28T20:40:00.000Z',
  '2028-02-28T20:59:00.000Z',
  '2026-02-01T09:00:00.000Z',
]

const usual = ['earn', 'open', 'confirm', 'pay', 'settle', 'refund', 'move', 'tick'] as const
const rare = [
  'continue',
  'change',
  'expire',
  'merge',
  'erase',
  'adjust',
  'rate',
  'close',
  'exclude',
  'include',
  'reconcile',
] as const
const kind = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...usual) },
  { weight: 2, arbitrary: fc.constantFrom(...rare) },
)
const step = fc.record({
  kind,
  who: fc.nat(3),
  into: fc.nat(3),
  shop: fc.nat(1),
  amount: fc.constantFrom(1, 2, 3, 99, 1_000, 9_999),
  order: fc.nat(20),
  which: fc.nat(9),
})
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never
/** What happens at the same time, again and again. */
const sequence = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 25 })
/** Who collects at the second merchant, and how large the amounts are. */
const place = fc.record({
  start: fc.constantFrom(...starts),
  second: fc.constantFrom('sale', 'two_step', 'merchant'),
  scale: fc.constantFrom(1, 1_000_000),
})
type Place = typeof place extends fc.Arbitrary<infer One> ? One : never

it(`features that meet leave ledger, figures and money right, in ${numRuns} random histories`, {
  timeout: 900_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(sequence, place, async (steps, where) => {
      const world = await newWorld(where)
      for (const batch of steps) {
        elapsed.pass()
        world.clock.advance(1)
        await Promise.all(batch.map((one) => world.play(one).catch(refused)))
      }
      await world.end()
      await world.check()
    }),
    { numRuns },
  )
})

/** Requests may be refused; anything else is a mistake. */
function refused(error: unknown): void {
  if (!(error instanceof DomainError || error instanceof CliError)) throw error
}

interface Made {
  readonly uuid: Uuid
  readonly shop: number
  readonly checkout?: TestCheckout
}

async function newWorld({ start, second, scale }: Place): Promise<World> {
  const { db, owner } = database
  const shops = await earningShops(db, 2)
  const [first, other] = shops
  if (first === undefined || other === undefined) throw new Error('no merchants')
  const { program_id, merchant_id } = other.merchant
  const set = 'update merchant set payment_provider = $3, payment_flow = $4 where program_id = $1 and merchant_id = $2'
  const collector = second === 'merchant' ? ['merchant', 'sale'] : ['sandbox', second]
  await owner.run({ text: set, values: [program_id, merchant_id, ...collector] })
  const phones = [freshPhone(), freshPhone(), freshPhone(), freshPhone()]
  for (const phone of phones.slice(1)) await customerWith(db, first.merchant, { points: 1_000, phone })
  return new World([first, other], { phones, scale, clock: new TestClock(start) })
}

/** Two merchants of a program, four phones, and a provider. */
class World {
  readonly clock: TestClock
  readonly #provider = new BookedProvider()
  readonly #parts: SettleParts
  readonly #services: Services
  readonly #shops: readonly [Shop, Shop]
  readonly #phones: readonly Phone[]
  readonly #scale: number
  readonly #orders: Made[] = []
  #ahead_ms = 0

  constructor(
    shops: readonly [Shop, Shop],
    { phones, scale, clock }: Pick<Place, 'scale'> & { readonly phones: readonly Phone[]; readonly clock: TestClock },
  ) {
    this.clock = clock
    this.#parts = { db: database.db, clock, payments: providersOf({ sandbox: this.#provider }) }
    this.#services = servicesOn(database.db, { ...this.#parts, clock })
    this.#shops = shops
    this.#phones = phones
    this.#scale = scale
  }

  get #program_id(): number {
    return this.#shops[0].merchant.program_id
  }

  #phone(n: number): Phone {
    return this.#phones[n] ?? freshPhone()
  }

  #shop(n: number): Shop {
    return this.#shops[n === 0 ? 0 : 1]
  }

  async #merchant(n: number): Promise<Merchant> {
    const merchant = await loadMerchant(database.db, this.#program_id, this.#shop(n).merchant.merchant_id)
    if (merchant === null) throw new Error('no such merchant')
    return merchant
  }

  #chosen({ order }: Step): Made | undefined {
    return this.#orders[order % Math.max(1, this.#orders.length)]
  }

  #disputed({ uuid, shop }: Made) {
    const { program_id, merchant_id } = this.#shop(shop).merchant
    return { program_id, merchant_id, order_uuid: uuid, now: this.clock.now() }
  }

  async #confirm(checkout: TestCheckout, { amount, which }: Step): Promise<void> {
    const form = await formOf(this.#services, checkout, { client_address: checkout.token })
    const { merchant, total_halalas, customer } = form.view
    const available_points = asPoints(Math.max(0, customer?.available ?? 0))
    const facts = { available_points, total_halalas, value: rateAt(merchant.program.rates, this.clock.now()) }
    const choice = which < 3 ? 'all' : asPoints(Math.min(available_points, amount * this.#scale))
    const redemption = decideRedemption(facts, choice)
    if (redemption.kind === 'redemption') await this.#services.confirmCheckout(form, redemption)
  }

  async #continue(checkout: TestCheckout): Promise<void> {
    await this.#services.continueWithoutPoints(
      await formOf(this.#services, checkout, { client_address: checkout.token }),
      null,
    )
  }

  async #tasks(): Promise<void> {
    this.#ahead_ms += 40_000_000
    await performDue(database.db, this.#parts.payments, { clock: this.clock, at_ms: Date.now() + this.#ahead_ms })
  }

  readonly #steps: Readonly<Record<Step['kind'], (one: Step) => Promise<unknown>>> = {
    earn: async ({ who, shop, amount }) => {
      const earning = earningOf(await this.#merchant(shop), {
        total: amount * 100 * this.#scale,
        phone: this.#phone(who),
      })
      await earnOn(database.db, this.clock)(earning)
      this.#orders.push({ uuid: earning.order_uuid, shop })
    },
    open: async (one) => {
      const { who, into, shop, amount, which } = one
      const given = which < 4 ? this.#phone(into) : null
      const options = { total: amount * 10 * this.#scale, phone: this.#phone(who), given }
      const checkout = await openedCheckout(
        this.#services,
        { ...this.#shop(shop), merchant: await this.#merchant(shop) },
        options,
      )
      this.#orders.push({ uuid: checkout.order_uuid, shop, checkout })
      if (which < 2) return this.#continue(checkout)
      await this.#services.proveSession(checkout.token, checkout.browser, this.#phone(who))
      return which < 8 ? this.#confirm(checkout, one) : undefined
    },
    confirm: async (one) => {
      const checkout = this.#chosen(one)?.checkout
      if (checkout !== undefined) await this.#confirm(checkout, one)
    },
    continue: async (one) => {
      const checkout = this.#chosen(one)?.checkout
      if (checkout !== undefined) await this.#continue(checkout)
    },
    change: async (one) => {
      const checkout = this.#chosen(one)?.checkout
      if (checkout !== undefined) await this.#services.changeChoice(await formOf(this.#services, checkout))
    },
    pay: async (one) => {
      const made = await paymentsOf(database.db, this.#chosen(one)?.uuid ?? '00000000-0000-0000-0000-000000000000')
      const payment = made[one.which % Math.max(1, made.length)]
      if (payment === undefined) return
      const state = payment.kind === 'auth' ? 'authorized' : 'paid'
      if (this.#provider.books.get(payment.payment_uuid)?.state === 'pending')
        this.#provider.arrive(payment.payment_uuid, one.which === 9 ? 'failed' : state, one.which === 8 ? 5 : undefined)
      await this.#services.settlePayment(this.#program_id, payment.payment_uuid)
    },
    settle: async () => {
      await this.#tasks()
    },
    refund: async (one) => {
      const order = this.#chosen(one)
      const amount_halalas = one.which < 4 ? null : asHalalas(one.which < 7 ? one.amount : one.amount * this.#scale)
      if (order !== undefined)
        await this.#services.refundOrder(await this.#merchant(order.shop), order.uuid, {
          amount_halalas,
          reason: 'Too small',
        })
    },
    move: async (one) => {
      const order = this.#chosen(one)
      const action = (['complete', 'cancel', 'authorize', 'capture'] as const)[one.who] ?? 'complete'
      if (order !== undefined) await this.#services.moveOrder(await this.#merchant(order.shop), order.uuid, { action })
    },
    tick: async ({ which }) => {
      this.clock.advance([60, 600, 1_900, 7_200, 86_400, 8 * 86_400, 31 * 86_400][which] ?? 60)
    },
    expire: () => releaseExpired(this.#parts),
    merge: async ({ who, into }) => {
      const from = await database.db.one(findCustomer(this.#program_id, this.#phone(who)))
      const asked = { program_id: this.#program_id, into_phone: this.#phone(into), locale: 'en', by } as const
      if (from !== undefined)
        await mergeCustomers({ db: database.db, clock: this.clock }, { ...asked, from: from.customer_id })
    },
    erase: async ({ who, which }) => {
      const phone = this.#phone(who)
      const erasing = { owner: database.owner, secrets: createSecretBox(secret_key), by }
      if (which < 4) await eraseCustomer(erasing, { program_id: this.#program_id, phone, typed: phone })
    },
    adjust: async ({ who, which, amount }) => {
      const phone = this.#phone(who)
      const points = asPoints(which < 3 ? -amount * this.#scale : amount * this.#scale * 10)
      const { program } = await this.#merchant(0)
      await adjustWallet(database.db, this.clock, { program, phone, typed: phone, points, reason: 'A gift', by })
    },
    rate: async ({ which }) => {
      const micro_sar_per_point = ([5_000, 10_000, 777, 1_000_000][which] ?? 100) as MicroSarPerPoint
      await changeProgram(database.db, this.#program_id, { rate: { micro_sar_per_point }, now: this.clock.now() })
    },
    close: async ({ which, shop }) => {
      const now = this.clock.now()
      const program = { program_id: this.#program_id, first_value: DEFAULT_SAR_PER_POINT, ...fees }
      const one = which < 5 ? { merchant_id: this.#shop(shop).merchant.merchant_id } : {}
      await closeSettlements(database.db, { program, ...one, until: justAfter(now), now })
    },
    exclude: async (one) => {
      const order = this.#chosen(one)
      if (order !== undefined) await excludeOrder(database.db, { ...this.#disputed(order), reason: 'In dispute' })
    },
    include: async (one) => {
      const order = this.#chosen(one)
      if (order !== undefined) await includeOrder(database.db, this.#disputed(order))
    },
    reconcile: () => reconcilePayments(this.#parts),
  }

  play(one: Step): Promise<unknown> {
    return this.#steps[one.kind](one)
  }

  /** Every payment is read from the provider, and every task is performed. */
  async end(): Promise<void> {
    elapsed.pass()
    for (const { uuid } of this.#orders)
      for (const { payment_uuid } of await paymentsOf(database.db, uuid))
        await this.#services.settlePayment(this.#program_id, payment_uuid)
    for (let times = 0; times < 4; times += 1) await this.#tasks()
    this.clock.advance(2 * 86_400)
  }

  async check(): Promise<void> {
    for (const days of [1, 30])
      expect(
        await reportOf(database.db, this.clock, {
          program_id: this.#program_id,
          day: addDays(dayOf(this.clock.now()), -days),
        }),
      ).toMatchObject({
        state: 'complete',
      })
    await rebuildAll(database.db, this.#program_id)
    expect(await ledgerDifferences(database.owner, { programs: [this.#program_id], figures: true })).toEqual([])
    const recorded = await database.db.one({
      text: `select coalesce(sum(case kind when 'collected' then amount_halalas else -amount_halalas end), 0)::bigint as halalas
          from provider_money where program_id = $1`,
      values: [this.#program_id],
    })
    const paid = [...this.#provider.books.values()].filter(({ state }) => state === 'paid')
    const halalas = paid.reduce(
      (sum, { amount_halalas, refunded_halalas }) => sum + amount_halalas - refunded_halalas,
      0,
    )
    expect(recorded).toEqual({ halalas })
  }
}
