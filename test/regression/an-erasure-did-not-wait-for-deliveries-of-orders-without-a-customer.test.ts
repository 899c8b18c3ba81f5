import { expect, test } from 'vitest'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { namedByCheckout } from '../support/delivery-under-way.ts'

// The checkout of an order without a customer names the phone until it is erased. An erasure looked for deliveries under way only
// afterwards, and did not find those of such orders: what their receivers answered stayed.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)
const by = { source: 'command', name: 'Sara' } as const

test('what a receiver answers about an order that only its checkout ties to the person is erased', async () => {
  const { program_id } = stage.shop.merchant
  const { phone, leased_until, answer, answers } = await namedByCheckout(database.owner, stage)
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
