import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { purchase } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { openedCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { secrets } from '../support/deliveries.ts'
import { freshPhone, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { waitForLocks } from '../support/wait.ts'

// An erasure emptied the checkouts that name a number which a merge had given up, and then, for as long as it takes to read all
// stored answers, anybody could merge another number into the customer. The checkouts that name that one kept it for good.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)
const by = { source: 'command', name: 'Sara' } as const
const run = <Row>(text: string, ...values: unknown[]) => database.owner.run<Row>({ text, values })

test('a number that is merged while its customer is erased is erased from checkouts, too', async () => {
  const { merchant, private_key } = stage.shop
  const { program_id } = merchant
  const phone = freshPhone() as Phone
  const headers = { 'idempotency-key': 'one' }
  await stage.app.call('POST', '/api/v1/orders/earning', {
    key: private_key,
    json: purchase({ phone_number: phone }),
    headers,
  })
  const given_up = await customerWith(database.db, merchant, { points: 10 })
  const from = (await walletOf(database.db, program_id, given_up))?.customer_id as Uuid
  // The store sent the number that is given up, and somebody else proved theirs and bought.
  const other = await customerWith(database.db, merchant, { points: 10 })
  const checkout = await openedCheckout(stage.app.services, stage.shop, { given: given_up, phone: other })
  expect(await stage.app.services.proveSession(checkout.token, checkout.browser, other)).toBe('proven')
  const buyer = (await walletOf(database.db, program_id, other))?.customer_id
  await run('update orders set customer_id = $2 where order_uuid = $1', checkout.order_uuid, buyer)

  let erasing: Promise<unknown> = Promise.resolve()
  await database.owner.transaction(async (tx) => {
    await tx.run({ text: 'select from idempotency where program_id = $1 for update', values: [program_id] })
    erasing = eraseCustomer({ owner: database.owner, secrets, by }, { program_id, phone, typed: phone })
    await waitForLocks(database.owner)
    const ask = { program_id, from, into_phone: phone, locale: 'en', by } as const
    await mergeCustomers({ db: database.db, clock: stage.app.clock }, ask)
  })
  await erasing
  expect(
    await run('select phone, proven_phone from checkout_session where order_uuid = $1', checkout.order_uuid),
  ).toEqual([{ phone: null, proven_phone: other }])
  expect(await run('select given_up_phone from account where account_id = $1', from)).toEqual([
    { given_up_phone: null },
  ])
})
