import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { filesExecutedBy } from '../support/executed.ts'

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)
let orders = 0

async function earn(): Promise<string> {
  orders += 1
  const json = {
    phone_number: `0${freshPhone()}`,
    total_price: 100,
    order_number: `A-${orders}`,
    products: [{ product_name: 'Coffee', product_price: 100, quantity: 1 }],
  }
  const reply = await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json })
  expect(reply.status).toBe(200)
  return (reply.body.data as { uuid: string }).uuid
}

it('prints', async () => {
  const order = await earn()
  const out: string[] = []
  out.push('EARN', ...(await filesExecutedBy(earn)))
  const chooser = await stage.choosing(500)
  out.push(
    'REFUND',
    ...(await filesExecutedBy(() =>
      stage.app.act(order, 'refund', { key: stage.shop.private_key, json: { amount: 10 } }),
    )),
  )
  const review = await chooser.me.submit(chooser.page, 'choose', { use: 'most' })
  out.push('CONFIRM', ...(await filesExecutedBy(() => chooser.me.submit(review, 'confirm', {}))))
  console.log(out.join('\n'))
  expect(readFileSync('ARCHITECTURE.md', 'utf8')).toContain('a')
})
