import { describe, expect, test } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { wordsOf } from '../support/shopper.ts'

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const stage = checkoutStage(database, { collector: 'sandbox' })

/** A confirmed checkout whose customer has seen the provider's page of cards, and perhaps tried one. */
async function atTheCards(choice: Readonly<Record<string, string>>, card: string | null) {
  const { me, page, path, order_uuid } = await stage.choosing(3000)
  const cards = await me.submit(page, 'confirm', choice)
  if (card !== null) await me.submit(cards, 'card', { card })
  const act = (action: string) => stage.app.act(order_uuid, action, { key: stage.shop.private_key })
  return { act, cards, me, words: async () => wordsOf(await me.open(path)) }
}

const some = { use: 'part', amount: '1000' }
const none = { use: 'none' }

// What went wrong: a customer went to the provider, did not pay there, and paid at the counter; the store completed the order.
// The receipt named the payment that had come to nothing: "Paid with Online payment".
describe.each([
  { after: 'no card', card: null, choice: none, method: 'Paid with Payment to the store' },
  { after: 'a declined card', card: 'declined', choice: none, method: 'Paid with Payment to the store' },
  { after: 'no card but points', card: null, choice: some, method: 'Paid with Points, and payment to the store' },
  { after: 'both', card: 'declined', choice: some, method: 'Paid with Points, and payment to the store' },
])('the receipt after $after', ({ card, choice, method }) => {
  test('says that the store took the money, once it has completed the order', async () => {
    const { act, words } = await atTheCards(choice, card)
    expect(await act('complete')).toMatchObject({ status: 200 })
    expect(await words()).toContain(method)
  })

  test('says so for an order that the store has authorized and captured', async () => {
    const { act, words } = await atTheCards(choice, card)
    expect(await act('authorize')).toMatchObject({ status: 200 })
    expect(await words()).toContain(method)
    expect(await act('capture')).toMatchObject({ status: 200 })
    expect(await words()).toContain(method)
  })
})

test('a payment that comes after the store has completed the order goes back, and is not what the receipt names', async () => {
  const { act, cards, me, words } = await atTheCards(some, null)
  expect(await act('complete')).toMatchObject({ status: 200 })
  await me.submit(cards, 'card', { card: 'succeeds' })
  const said = await words()
  expect(said).toContain('We received a payment of SAR 95.00 that this order could no longer take.')
  expect(said).toContain('Paid with Points, and payment to the store')
})
