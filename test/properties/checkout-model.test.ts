import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { DomainError } from '../../src/domain/failures.ts'
import { most_payments } from '../../src/domain/payment.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { confirm, formOf, paymentsOf, provenCheckout, type TestCheckout, viewOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { elapsedTime } from '../support/elapsed.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { customerWith, eventNamesOf, pointsOf, rowOf } from '../support/orders.ts'
import { performDue, providersOf, releaseExpired } from '../support/payments.ts'

// Guarantee: after any sequence of actions by customer, provider, merchant and clock on one checkout, points, money,
// events
// and the page equal those of a model without tables.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const runs = process.env['NUQTA_TEST_LONG'] === undefined ? 40 : 1_000
const total = 10_000
const balance = 1_000
/** The time between two steps of a customer: longer than the cache of the provider's answers. */
const elapsed = elapsedTime()
let shop: Shop

beforeAll(async () => {
  shop = await oneShop(database.db)
})

type AtProvider = { readonly kind: 'pay' | 'decline' | 'settle'; readonly which: number }

type Command =
  | { readonly kind: 'confirm'; readonly points: number }
  | AtProvider
  | { readonly kind: 'continue' | 'resume' | 'change' | 'tick' | 'expire' | 'tell' | 'away' | 'back' }
  | { readonly kind: 'api'; readonly action: 'complete' | 'cancel' | 'authorize' | 'capture' }

const which = fc.nat({ max: 2 })
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('confirm' as const), points: fc.constantFrom(0, 400, 1_000, 1_001) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pay' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('decline' as const), which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('settle' as const), which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('resume' as const, 'change' as const, 'expire' as const, 'tell' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('continue' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('tick' as const, 'away' as const, 'back' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('api' as const),
      action: fc.constantFrom('complete' as const, 'cancel' as const, 'authorize' as const, 'capture' as const),
    }),
  },
)

const any = fc.array(command, { minLength: 1, maxLength: 25 })
/** Most sequences begin with a confirmation, because little can happen before it. */
const commands = fc.oneof(
  any,
  any.map((rest): Command[] => [{ kind: 'confirm', points: 400 }, ...rest]),
  any.map((rest): Command[] => [{ kind: 'continue' }, ...rest]),
  any.map((rest): Command[] => [{ kind: 'away' }, { kind: 'confirm', points: 1_000 }, { kind: 'back' }, ...rest]),
)

/** The state of a payment at its provider (`none`: unknown there) and in our database. */
interface ModelPayment {
  page: 'none' | 'open' | 'paid' | 'declined' | 'ended'
  ours: 'awaited' | 'taken' | 'failed'
}

/** The expected state: an order, a hold, and the payments in order. */
class Model {
  status: 'new' | 'approved' | 'authorized' | 'captured' | 'cancelled' = 'new'
  chosen = 0
  confirmed = false
  /** Continued without points. */
  continued = false
  over = false
  minutes = 0
  away = false
  events: string[] = []
  payments: ModelPayment[] = []
  spent = 0
  earned = 0

  get awaited(): ModelPayment | undefined {
    return this.payments.find(({ ours }) => ours === 'awaited')
  }

  get exhausted(): boolean {
    return this.payments.length >= most_payments
  }

  get late(): boolean {
    return this.minutes >= 30
  }

  get held(): number {
    return (this.status === 'new' && this.confirmed) || this.status === 'authorized' ? this.chosen : 0
  }

  get paidAmount(): number {
    return this.payments.some(({ ours }) => ours === 'taken') ? total - this.chosen / 2 : 0
  }

  get step(): string {
    if (this.status === 'cancelled') return 'cancelled'
    if (this.status !== 'new') return this.over ? 'closed' : 'finished'
    if (this.late) return 'expired'
    return this.confirmed ? 'pay' : 'choose'
  }

  #settled(status: 'approved' | 'captured', events: readonly string[]): void {
    this.status = status
    this.spent = this.chosen
    this.earned = (total - this.chosen / 2) / 10
    this.events.push(...events)
  }

  #release(): void {
    const awaited = this.awaited
    if (awaited !== undefined) awaited.ours = 'failed'
  }

  confirm(points: number): void {
    if (this.step === 'pay' && points === this.chosen && !this.continued) this.#open()
    if (this.step !== 'choose' || points > balance || this.exhausted) return
    this.confirmed = true
    this.chosen = points
    this.#begin()
  }

  continue(): void {
    if (this.step === 'pay' && this.chosen === 0) this.#open()
    if (this.step !== 'choose' || this.exhausted) return
    this.confirmed = true
    this.continued = true
    this.#begin()
  }

  #begin(): void {
    this.payments.push({ page: 'none', ours: 'awaited' })
    this.#open()
  }

  #open(): void {
    if (!this.away && this.awaited?.page === 'none') this.awaited.page = 'open'
  }

  /** Asks the provider; true if it has responded. */
  ask(payment: ModelPayment | undefined): void {
    if (payment === undefined || this.away || payment.ours !== 'awaited') return
    if (payment.page === 'paid') {
      payment.ours = 'taken'
      this.#settled('approved', ['approved'])
    } else if (payment.page !== 'open' && payment.page !== 'none') payment.ours = 'failed'
  }

  resume(): void {
    const paying = this.step === 'pay'
    this.ask(this.awaited)
    if (!paying || this.status !== 'new') return
    if (this.awaited !== undefined) this.#open()
    else if (!this.exhausted) this.#begin()
  }

  change(): void {
    const unsure = this.awaited !== undefined && this.away
    this.ask(this.awaited)
    if (this.step === 'pay' && !unsure) this.#undo()
  }

  #undo(): void {
    this.#release()
    this.confirmed = false
    this.continued = false
    this.chosen = 0
  }

  expire(): void {
    if (this.status !== 'new' || !this.confirmed || !this.late) return
    const unsure = this.awaited !== undefined && this.away && this.minutes < 40
    this.ask(this.awaited)
    if (this.status === 'new' && !unsure) this.#undo()
  }

  api(action: 'complete' | 'cancel' | 'authorize' | 'capture'): void {
    const was = this.status
    if (was !== 'new' && !(was === 'authorized' && (action === 'cancel' || action === 'capture'))) return
    if (was === 'new' && action === 'capture') return
    if (was === 'new') {
      this.over = !this.confirmed
      this.#release()
    }
    if (action === 'complete') this.#settled('approved', ['approved', 'completed'])
    else if (action === 'capture') this.#settled('captured', ['captured'])
    else {
      this.status = action === 'cancel' ? 'cancelled' : 'authorized'
      this.events.push(this.status)
    }
  }
}

/** The service with its fake ports. */
async function begin() {
  const clock = new TestClock(app_noon)
  const provider = new BookedProvider()
  const parts = { db: database.db, clock, payments: providersOf({ sandbox: provider }) }
  const services = servicesOn(database.db, parts)
  const phone = await customerWith(database.db, shop.merchant, { points: balance })
  const checkout = await provenCheckout(database.db, services, shop, { phone, given: phone })
  const release = () => releaseExpired(parts)
  // The test controls the clock, so tasks need not wait.
  let ahead_ms = 0
  const tell = async (): Promise<void> => {
    ahead_ms += 4_000_000
    await performDue(database.db, parts.payments, { clock, at_ms: Date.now() + ahead_ms })
  }
  return { clock, provider, services, checkout, release, tell }
}

type Real = Awaited<ReturnType<typeof begin>>

async function perform({ clock, provider, services, checkout, release, tell }: Real, it: Command): Promise<void> {
  const { order_uuid } = checkout
  const form = () => formOf(services, checkout, { client_address: checkout.token })
  if (it.kind === 'confirm') await confirm(services, checkout, { points: it.points })
  else if (it.kind === 'continue') await services.continueWithoutPoints(await form(), null)
  else if (it.kind === 'resume') await services.resumePayment(await form())
  else if (it.kind === 'change') await services.changeChoice(await form())
  else if (it.kind === 'tick') clock.advance(600)
  else if (it.kind === 'expire') await release()
  else if (it.kind === 'tell') await tell()
  else if (it.kind === 'away' || it.kind === 'back') provider.down = it.kind === 'away'
  else if (it.kind === 'api')
    await services.moveOrder(shop.merchant, order_uuid, { action: it.action }).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error
    })
  else if ('which' in it) await atProvider({ provider, services }, checkout, it)
}

async function atProvider(
  { provider, services }: Pick<Real, 'provider' | 'services'>,
  { order_uuid }: TestCheckout,
  { kind, which: number }: AtProvider,
): Promise<void> {
  const payment = (await paymentsOf(database.db, order_uuid))[number]
  if (payment === undefined) return
  if (kind === 'settle') await services.settlePayment(shop.merchant.program_id, payment.payment_uuid)
  else if (provider.books.get(payment.payment_uuid)?.state === 'pending')
    provider.arrive(payment.payment_uuid, kind === 'pay' ? 'paid' : 'failed')
}

function follow(model: Model, provider: BookedProvider, it: Command): void {
  if (it.kind === 'confirm') model.confirm(it.points)
  else if (it.kind === 'continue') model.continue()
  else if (it.kind === 'resume') model.resume()
  else if (it.kind === 'change') model.change()
  else if (it.kind === 'tick') model.minutes += 10
  else if (it.kind === 'expire') model.expire()
  else if (it.kind === 'tell') endPages(model, provider)
  else if (it.kind === 'away' || it.kind === 'back') model.away = it.kind === 'away'
  else if (it.kind === 'api') model.api(it.action)
  else if (it.kind === 'settle') model.ask(model.payments[it.which])
  else if ('which' in it) {
    const payment = model.payments[it.which]
    if (payment?.page === 'open') payment.page = it.kind === 'pay' ? 'paid' : 'declined'
  }
}

/** A released checkout can no longer be paid, once the provider has ended the page. */
function endPages(model: Model, { down }: BookedProvider): void {
  for (const payment of model.payments)
    if (!down && payment.ours === 'failed' && payment.page === 'open') payment.page = 'ended'
}

async function same({ services, checkout }: Real, model: Model): Promise<void> {
  const { order_status, total_points, redeemed_halalas } = await rowOf(database.db, checkout.order_uuid)
  const { step, customer } = await viewOf(services, checkout)
  expect({
    order_status,
    total_points,
    redeemed_halalas,
    step,
    available: customer?.available,
    wallet: await pointsOf(database.db, shop.merchant, checkout.phone),
    events: await eventNamesOf(database.db, checkout.order_uuid),
    payments: (await paymentsOf(database.db, checkout.order_uuid)).length,
  }).toEqual({
    order_status: model.status,
    total_points: model.chosen,
    redeemed_halalas: model.chosen / 2,
    step: model.step,
    available: balance - model.spent + model.earned - model.held,
    wallet: [balance - model.spent + model.earned, model.held],
    events: model.events,
    payments: model.payments.length,
  })
}

it('a checkout equals its model after every step of any sequence', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const [real, model] = [await begin(), new Model()]
      for (const it of sequence) {
        elapsed.pass()
        await perform(real, it)
        follow(model, real.provider, it)
        await same(real, model)
      }
      // Finally, every payment is read from the provider, and every surplus is paid back.
      real.provider.down = false
      model.away = false
      for (const it of model.payments.map((_, number) => ({ kind: 'settle' as const, which: number }))) {
        await perform(real, it)
        follow(model, real.provider, it)
      }
      for (let times = 0; times < 3; times += 1) await real.tell()
      await same(real, model)
      expect(real.provider.kept_halalas).toBe(model.paidAmount)
    }),
    { numRuns: runs },
  )
  expect(await ledgerDifferences(database.owner)).toEqual([])
})
