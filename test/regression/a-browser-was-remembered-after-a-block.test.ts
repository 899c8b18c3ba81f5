import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { blockCustomer, unblockCustomer } from '../../src/features/people/block.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { secrets } from '../support/deliveries.ts'
import { walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'

// A confirmation remembers the browser after it has asked the payment provider for a page. If the customer was blocked, merged or
// erased meanwhile, which ends remembered browsers, this one was added nevertheless: it was back when the block was lifted, and the
// number of an erased customer stayed for 30 days (docs/spec/customers.md#remembered-browser).

const database = testDatabase()
const stage = checkoutStage(database)
const by = { source: 'command', name: 'Sara' } as const

async function customer() {
  const { merchant } = stage.shop
  const phone = await customerWith(database.db, merchant, { points: 10 })
  const customer_id = (await walletOf(database.db, merchant.program_id, phone))?.customer_id as Uuid
  return { program_id: merchant.program_id, phone, customer_id }
}

const remember = (of: { readonly program_id: number; readonly phone: Phone; readonly customer_id: Uuid }) =>
  stage.app.services.rememberedBrowsers.remember({ ...of, device: null, cookie: undefined })
const rowsOf = (phone: Phone) =>
  database.owner.run({ text: 'select from remembered_browser where phone = $1', values: [phone] })

test('a browser is remembered for nobody who was blocked meanwhile, also once the block is lifted', async () => {
  const { phone, ...key } = await customer()
  await blockCustomer(database.db, key, { reason: 'Lost the phone', by })
  expect(await remember({ phone, ...key })).toBe('')
  await unblockCustomer(database.db, key, { by })
  expect(await rowsOf(phone)).toEqual([])
  expect(await remember({ phone, ...key })).not.toBe('')
  expect(await rowsOf(phone)).toHaveLength(1)
})

test('nor for somebody who was erased', async () => {
  const person = await customer()
  const { program_id, phone } = person
  await eraseCustomer({ owner: database.owner, secrets, by }, { program_id, phone, typed: phone })
  expect([await remember(person), await rowsOf(phone)]).toEqual(['', []])
})

test('nor for a number that was given up', async () => {
  const [person, other] = [await customer(), await customer()]
  const { program_id, customer_id: from, phone } = person
  const ask = { program_id, from, into_phone: other.phone, locale: 'en', by } as const
  await mergeCustomers({ db: database.db, clock: stage.app.clock }, ask)
  expect([await remember(person), await rowsOf(phone)]).toEqual(['', []])
})
