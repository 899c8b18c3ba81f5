import { expect, test } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'

const database = testDatabase()
const stage = checkoutStage(database)

const opened = (callback_url: string) =>
  stage.app.call('POST', `/api/v1/orders/checkout/${stage.shop.public_key}`, {
    json: { total_price: 100, order_number: '1', callback_url },
  })

// What went wrong: `https:shop.example` was accepted. Alone it is an address of that host, but in a link on one of our
// pages it is a path of ours. The link also kept line breaks, which parsers drop.
test.each([
  'https:shop.example',
  'https:/shop.example',
  'HTTPS:shop.example/done',
  'https://shop.example/\r\nX-Header: 1',
  'https://shop.\texample/',
  'ht\ntps://shop.example/',
  'https://shop.example/\u0085',
])('a callback_url that means another page in a link than by itself is refused: %j', async (callback_url) => {
  const { status, body } = await opened(callback_url)
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['callback_url']])
})

test.each(['https://shop.example', 'HTTP://shop.example/a b?x=1#y', ' https://متجر.example/شكرا '])(
  'one that means the same is taken, and is where the customer is led back to: %j',
  async (callback_url) => {
    const { status, body } = await opened(callback_url)
    expect(status).toBe(200)
    const { checkout_url } = body.data as { checkout_url: string }
    const page = await stage.shopper().open(new URL(checkout_url).pathname)
    const href = /<a href="([^"]*)">Back to/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(new URL(href, 'https://localhost:8443/checkout/x').host).toBe(new URL(callback_url).host)
  },
)
