import { expect, test } from 'vitest'
import { eraseCustomer } from '../../src/features/deployment/erasure.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults, purchase } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { openedCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { deliveryUnderWay } from '../support/delivery-under-way.ts'
import { freshPhone } from '../support/earnings.ts'

// The checkout of an order without a customer names the phone until it is erased. An erasure looked for deliveries under way only
// afterwards, and did not find those of such orders: what their receivers answered stayed.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)
const by = { source: 'command', name: 'Sara' } as const

test('what a receiver answers about an order that only its checkout ties to the person is erased', async () => {
  const { program_id } = stage.shop.merchant
  const phone = freshPhone()
  const { order_uuid } = await openedCheckout(stage.app.services, stage.shop, { given: phone })
  const json = purchase({ phone_number: phone })
  await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json })
  await stage.app.actBy(stage.shop, order_uuid, 'cancel', {})
  const { leased_until, answer, answers } = await deliveryUnderWay(database.owner, stage.shop.merchant, order_uuid)
  const waits: Date[] = []
  const waitUntil = async (at: Date) => {
    waits.push(at)
    await answer({ phone })
  }
  await eraseCustomer(
    { owner: database.owner, secrets: createSecretBox(defaults.secret_key), by, waitUntil },
    { program_id, phone, typed: phone },
  )
  expect(waits).toEqual([leased_until])
  expect(await answers()).toEqual([{ status: 200, response: null }])
})
