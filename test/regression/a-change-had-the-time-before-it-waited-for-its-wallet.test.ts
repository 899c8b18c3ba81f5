import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { terms } from '../../src/domain/terms.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { confirm, formOf, openedCheckout, paymentOf, provenCheckout, settle } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, earnOn, freshPhone, TestClock, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { providersOf } from '../support/payments.ts'
import { waitForLocks } from '../support/wait.ts'

// A change read the clock before it waited for its wallet, and counted at that time. So a wallet could give points the day
// before it got them: the report of that day said that the customer owed them.

const database = testDatabase({ leaves: ['due payment tasks'] })
/** Five seconds before midnight in Riyadh. */
const evening = '2026-02-10T20:59:55.000Z'

/** Begins a change while another transaction has the wallet, which lets it go five seconds after midnight. */
async function acrossMidnight<T>(clock: TestClock, { shop, phone }: Waited, begin: () => Promise<T>): Promise<T> {
  const { program_id } = shop.merchant
  const wallet = await walletOf(database.db, program_id, phone)
  const changing = await database.db.transaction(async (tx) => {
    await tx.run({
      text: 'select from account where program_id = $1 and account_id = $2 for no key update',
      values: [program_id, wallet?.customer_id],
    })
    const begun = begin()
    await waitForLocks(database.owner)
    clock.advance(10)
    return { begun }
  })
  return changing.begun
}

interface Waited {
  readonly shop: Shop
  readonly phone: ReturnType<typeof freshPhone>
}

/** When the last transfer of a kind was made in a program. */
async function timeOf({ merchant }: Shop, kind: string): Promise<Date | undefined> {
  const text = 'select created_at from transfer where program_id = $1 and kind = $2 order by transfer_id desc limit 1'
  return (await database.db.one<{ created_at: Date }>({ text, values: [merchant.program_id, kind] }))?.created_at
}

async function customerOfShop({ agrees = true } = {}) {
  const clock = new TestClock(evening)
  const shop = await oneShop(database.db)
  const phone = await customerWith(database.db, shop.merchant, { points: 100, agrees })
  return { clock, shop, phone }
}

it('an earning that waits for its wallet counts once it has it', async () => {
  const { clock, shop, phone } = await customerOfShop()
  const earning = earningOf(shop.merchant, { phone, order_number: newUuid() })
  await acrossMidnight(clock, { shop, phone }, () => earnOn(database.db, clock)(earning))
  expect(await timeOf(shop, 'earn')).toEqual(clock.now())
})

it('points of a checkout that waits for its wallet are spent once it has it', async () => {
  const { clock, shop, phone } = await customerOfShop()
  const services = servicesOn(database.db, { clock })
  const checkout = await provenCheckout(database.db, services, shop, { phone, total: 50 })
  await acrossMidnight(clock, { shop, phone }, () => confirm(services, checkout, { points: 100, total: 50 }))
  expect(await timeOf(shop, 'hold')).toEqual(clock.now())
})

// The order has no wallet before it is paid: it earns for the number that the store sent, which joined meanwhile.
it.each(['payment', 'complete'] as const)(
  'an order without points (%s) that waits for the wallet of its customer earns once it has it',
  async (how) => {
    const { db } = database
    const clock = new TestClock(evening)
    const shop = await oneShop(db)
    const provider = new BookedProvider()
    const services = servicesOn(db, { clock, payments: providersOf({ sandbox: provider }) })
    const phone = freshPhone()
    const checkout = await openedCheckout(services, shop, { given: phone })
    const { order_uuid } = checkout
    await services.continueWithoutPoints(await formOf(services, checkout), null)
    await customerWith(db, shop.merchant, { points: 100, phone })
    const { payment_uuid } = await paymentOf(db, order_uuid)
    if (how === 'payment') provider.arrive(payment_uuid, 'paid')
    await acrossMidnight<unknown>(clock, { shop, phone }, () =>
      how === 'payment'
        ? settle(services, shop, payment_uuid)
        : services.moveOrder(shop.merchant, order_uuid, { action: how }),
    )
    expect(await timeOf(shop, 'earn')).toEqual(clock.now())
  },
)

it('a merge that waits for a wallet moves its points once it has it', async () => {
  const { clock, shop, phone } = await customerOfShop()
  const { program_id } = shop.merchant
  const into_phone = await customerWith(database.db, shop.merchant, { points: 20 })
  const from = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  const asked = { program_id, from, into_phone, locale: 'en', by: { source: 'command', name: 'Sara' } } as const
  await acrossMidnight(clock, { shop, phone }, () => mergeCustomers({ db: database.db, clock }, asked))
  expect(await timeOf(shop, 'adjust')).toEqual(clock.now())
})

it('a consent that waits for its wallet is given once it has it', async () => {
  const { clock, shop, phone } = await customerOfShop({ agrees: false })
  const { program_id } = shop.merchant
  const { onboard } = servicesOn(database.db, { clock })
  const asked = {
    program_id,
    phone,
    name: 'Sara',
    terms_version: terms.version,
    locale: 'en',
    source: 'wallet',
  } as const
  await acrossMidnight(clock, { shop, phone }, () => onboard(asked))
  const text = 'select max(created_at) as at from consent where program_id = $1'
  expect(await database.db.one({ text, values: [program_id] })).toEqual({ at: clock.now() })
})
