import { expect, test } from 'vitest'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

const database = testDatabase()
const app = testApp(database)

/** Texts that name the same order to the server. */
const spellings = (order_uuid: string) => [
  order_uuid,
  order_uuid.toUpperCase(),
  order_uuid.replace('-', '%2D'),
  order_uuid.replace('0', '%30'),
]

async function approvedOrder() {
  const merchant = await makeMerchant(app().db)
  const earned = await app().post('/v1/orders/earning', merchant.private_key, purchase({ total_price: 100 }))
  const { uuid } = earned.body.data as { readonly uuid: string }
  return { merchant, order_uuid: uuid }
}

const replays = (replies: readonly { headers: Readonly<Record<string, unknown>> }[]) =>
  replies.map(({ headers }) => headers['idempotency-replayed'])

// What went wrong: an Idempotency-Key counted for the path as it was sent. A repeated refund that wrote the uuid of its order in
// upper case, or encoded a letter of it, named the same order and was made once more.
test('a refund is made once under its key, however its order is spelt', async () => {
  const { merchant, order_uuid } = await approvedOrder()
  const replies = []
  for (const spelt of spellings(order_uuid)) {
    const headers = { 'idempotency-key': 'refund-1' }
    replies.push(await app().post(`/v1/orders/${spelt}/refund`, merchant.private_key, { amount: 10 }, headers))
  }
  expect(replays(replies)).toEqual([undefined, 'true', 'true', 'true'])
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect(await refundsOf(order_uuid)).toEqual([1000])
})

test('the same holds for a refund in the dashboard', async () => {
  const { merchant, order_uuid } = await approvedOrder()
  const { program_id, merchant_id } = merchant
  const person = await makePerson(app(), { program_id, merchant_id, role: 'owner' })
  const replies = []
  for (const spelt of spellings(order_uuid)) {
    const path = `/merchants/${merchant_id}/orders/${spelt}/refund`
    replies.push(await person.call('POST', path, { amount: 10 }, { 'idempotency-key': 'refund-1' }))
  }
  expect(replays(replies)).toEqual([undefined, 'true', 'true', 'true'])
  expect(await refundsOf(order_uuid)).toEqual([1000])
})

async function refundsOf(order_uuid: string): Promise<number[]> {
  const text = 'select refund_halalas from order_refund where order_uuid = $1'
  const rows = await database.owner.run<{ refund_halalas: number }>({ text, values: [order_uuid] })
  return rows.map(({ refund_halalas }) => Number(refund_halalas))
}
