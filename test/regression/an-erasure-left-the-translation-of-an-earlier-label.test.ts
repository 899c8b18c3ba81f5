import { expect, test } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'

// An erasure looked for the labels that orders have now. A label that another has replaced stayed among the translations, with
// the name in it, for up to 30 days.

const database = testDatabase()
const stage = checkoutStage(database, {
  translator: { translate: async ({ text }) => ({ kind: 'translated', text: `عربي: ${text}` }) },
})
const phone = '512345679' as Phone

test('an erasure deletes the translations of all labels that an order has had, and no others', async () => {
  const key = stage.shop.private_key
  const post = async (path: string, json: object) => {
    const { status, body } = await stage.app.call('POST', `/api/v1/orders/${path}`, { key, json })
    expect([path, status]).toEqual([path, 200])
    return body.data as { readonly uuid: string }
  }
  const bought = { total_price: 10, products: [{ product_name: 'Ring', product_price: 10, quantity: 1 }] }
  const { uuid } = await post('earning', { ...bought, phone_number: phone, order_number: '1' })
  const other = await post('earning', { ...bought, phone_number: '512345678', order_number: '2' })
  for (const name_en of ['Given to Noura', 'With her neighbour']) await post(`${uuid}/status`, { name_en })
  await post(`${other.uuid}/status`, { name_en: 'At the counter' })
  const { program_id } = stage.shop.merchant
  const by = { source: 'command', name: 'Sara' } as const
  await eraseCustomer(
    { owner: database.owner, secrets: createSecretBox(defaults.secret_key), by },
    { program_id, phone, typed: phone },
  )
  const left = await database.owner.run({ text: 'select text from translation', values: [] })
  expect(left).toEqual([{ text: 'At the counter' }])
})
