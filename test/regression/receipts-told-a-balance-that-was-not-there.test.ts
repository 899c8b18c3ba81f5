import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { blockCustomer } from '../../src/features/people/block.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { wordsOf } from '../support/shopper.ts'

const database = testDatabase()
const stage = checkoutStage(database)

// A blocked wallet shows nothing, and has no points to use. The receipt made of it a balance of 0.
it('the receipt of a customer who was blocked shows no balance', async () => {
  const { me, path, phone, page } = await stage.choosing(30_000)
  const paid = wordsOf(await me.submit(page, 'confirm', { use: 'all' }))
  expect(paid).toContain('You saved SAR 100.00 with your points. You now have 10,000 points.')
  expect(paid).toContain('Your balance now 10,000 points')
  const { program_id } = stage.shop.merchant
  const customer_id = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  const by = { source: 'command', name: 'Sara' } as const
  await blockCustomer(database.db, { program_id, customer_id }, { reason: 'Stolen', by })
  const blocked = wordsOf(await me.open(path))
  expect(blocked).toContain('You saved SAR 100.00 with your points.')
  expect(blocked).not.toContain('You now have')
  expect(blocked).not.toContain('Your balance now')
})

// A code for one's own number in one tab, and "continue without points" in another: the order earned for the number that the
// store had sent, and the receipt added what it earned to the balance of the reader.
it('the receipt of an order that earned for another number shows no balance', async () => {
  const given = freshPhone()
  const mine = await customerWith(database.db, stage.shop.merchant, { points: 700 })
  const { path, order_uuid } = await stage.open({ phone_number: given })
  const me = stage.shopper()
  const first_tab = await me.open(path)
  await stage.prove(me, path, mine)
  await me.submit(first_tab, 'continue')
  await stage.app.actBy(stage.shop, order_uuid, 'complete', {})
  expect((await stage.balanceOf(given))[0]).toBeGreaterThan(0)
  expect(await stage.balanceOf(mine)).toEqual([700, 0])
  const receipt = wordsOf(await me.open(path))
  expect(receipt).toContain('Points earned')
  expect(receipt).not.toContain('You now have')
  expect(receipt).not.toContain('Your balance now')
})

// A merge gives a number free. The browser that had proven it kept its receipts, and they told it the balance of whoever had
// the number by then: another person.
it('the receipt of a given-up number shows nothing of its new owner', async () => {
  const { merchant } = stage.shop
  const { program_id } = merchant
  const { me, path, phone, page } = await stage.choosing(30_000)
  await me.submit(page, 'confirm', { use: 'all' })
  const into_phone = await customerWith(database.db, merchant, { points: 10 })
  const from = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  const by = { source: 'command', name: 'Sara' } as const
  const { db } = database
  await mergeCustomers({ db, clock: stage.app.clock }, { program_id, from, into_phone, locale: 'en', by })
  await customerWith(database.db, merchant, { phone, points: 4_321 })
  const receipt = wordsOf(await me.open(path))
  expect(receipt).toContain('You saved SAR 100.00 with your points.')
  expect(receipt).not.toContain('4,321')
})
