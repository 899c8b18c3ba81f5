import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults } from '../support/api.ts'
import { app_noon, oneShop, servicesOn } from '../support/app.ts'
import { openedCheckout, provenCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone, TestClock, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'

// A merge forgot the number that it gave up, and checkouts without a customer have no other link to the person. An erasure of the
// customer who stays left that number, and the name beside it, in them.

const database = testDatabase({ leaves: ['due messages'] })
const clock = new TestClock(app_noon)
const by = { source: 'command', name: 'Sara' } as const

test('an erasure finds checkouts by the numbers that merges have given up, but not those of their next owners', async () => {
  const { db, owner } = database
  const shop = await oneShop(db)
  const { program_id } = shop.merchant
  const services = servicesOn(db, { clock })
  const proven = await provenCheckout(db, services, shop, { points: 10 })
  const given_up = proven.phone
  const sent = await openedCheckout(services, shop, { given: given_up })
  for (const { order_uuid } of [proven, sent]) await services.moveOrder(shop.merchant, order_uuid, { action: 'cancel' })
  const into_phone = await customerWith(db, shop.merchant, { points: 10 })
  const from = (await walletOf(db, program_id, given_up))?.customer_id as Uuid
  await mergeCustomers({ db, clock }, { program_id, from, into_phone, locale: 'en', by })
  const of_next_owner = await openedCheckout(services, shop, { given: given_up })
  const of_another = await openedCheckout(services, shop, { given: freshPhone() })

  await eraseCustomer(
    { owner, secrets: createSecretBox(defaults.secret_key), by },
    { program_id, phone: into_phone, typed: into_phone },
  )
  const naming = 'select order_uuid from checkout_session where phone is not null or proven_phone is not null'
  const left = await owner.run<{ order_uuid: Uuid }>({ text: naming, values: [] })
  expect(left.map(({ order_uuid }) => order_uuid).sort()).toEqual(
    [of_next_owner.order_uuid, of_another.order_uuid].sort(),
  )
  const numbers = 'select from account where given_up_phone is not null'
  expect(await owner.run({ text: numbers, values: [] })).toEqual([])
})
