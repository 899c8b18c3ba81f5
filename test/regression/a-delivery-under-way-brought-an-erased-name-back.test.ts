import { expect, test } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { deliveryUnderWay } from '../support/delivery-under-way.ts'

// A worker that had a delivery before the erasure wrote down afterwards what the receiver answered. A receiver that repeats what
// it gets brought the name of the customer back.

const database = testDatabase()
const stage = checkoutStage(database)
const phone = '512345670' as Phone
const by = { source: 'command', name: 'Sara' } as const

test('what a receiver answers to a delivery that was under way is erased, too', async () => {
  const { program_id } = stage.shop.merchant
  const json = {
    ...{ phone_number: phone, total_price: 10, order_number: '1', metadata: { name: 'Noura' } },
    products: [{ product_name: 'Ring', product_price: 10, quantity: 1 }],
  }
  const { body } = await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json })
  const { uuid } = body.data as { readonly uuid: string }
  const { leased_until, answer, answers } = await deliveryUnderWay(database.owner, stage.shop.merchant, uuid)
  const waits: Date[] = []
  const waitUntil = async (at: Date) => {
    waits.push(at)
    await answer({ name: 'Noura' })
  }
  await eraseCustomer(
    { owner: database.owner, secrets: createSecretBox(defaults.secret_key), by, waitUntil },
    { program_id, phone, typed: phone },
  )
  expect(waits).toEqual([leased_until])
  expect(await answers()).toEqual([{ status: 200, response: null }])
})
