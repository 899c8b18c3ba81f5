import { expect, test } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { requireSigned, signed } from '../support/signing.ts'

// What went wrong: anybody with the public key from a shop's page could open a checkout of 0.00 with the order number of an
// order of 5,000 SAR and confirm it; a genuine webhook then reported `approved` for that number to the shop.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)

const forged = { order_number: 'SHOP-77', total_price: 0 }
const open = (json: object) => stage.app.call('POST', `/api/v1/orders/checkout/${stage.shop.public_key}`, { json })

interface Told {
  readonly name: string
  readonly payload: Record<string, unknown>
}

const told = () =>
  database.owner.run<Told>({
    text: `select name, payload from event where payload->>'order_number' = 'SHOP-77'`,
    values: [],
  })

const ordersOf = () =>
  database.owner.run({ text: `select order_uuid from orders where order_number = 'SHOP-77'`, values: [] })

test('unsigned, a forged checkout is `approved`; its id and total differ from those of the shop’s order', async () => {
  const real = await stage.open({ order_number: 'SHOP-77', total_price: 5000 })
  const { me, page, order_uuid } = await stage.choosing(10, forged)
  await me.submit(page, 'confirm', { use: 'none' })
  const [event, ...more] = await told()
  expect(more).toEqual([])
  expect(event).toMatchObject({
    name: 'approved',
    payload: { id: order_uuid, order_number: 'SHOP-77', total_price: 0 },
  })
  expect(event?.payload['id']).not.toBe(real.order_uuid)
})

test('where the shop requires signed checkouts, it is refused, and nothing is written', async () => {
  const secret = await requireSigned(database.owner, stage.shop.merchant)
  const by = { public_key: stage.shop.public_key, secret }
  const before = await ordersOf()
  const real = signed(by, { order_number: 'SHOP-77', total_price: 5000 })
  const tries: object[] = [
    forged,
    { ...real, ...forged },
    signed({ ...by, secret: 'a guess' }, forged),
    { ...forged, signature: '', signature_expires_at: real.signature_expires_at },
  ]
  for (const attempt of tries) {
    const { status, body } = await open(attempt)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, expect.arrayContaining(['signature'])])
  }
  expect(await ordersOf()).toEqual(before)
  expect((await open(real)).status).toBe(200)
})
