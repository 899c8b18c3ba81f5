import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { filesExecutedBy } from '../support/executed.ts'

// ARCHITECTURE.md tells a newcomer which files to read. V8 tells which ones ran.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)

it('prints', async () => {
  const json = () => ({ phone_number: freshPhone().replace(/^/, '+966'), total_price: 100, order_number: `${Math.random()}`, products: [] })
  const key = stage.shop.private_key
  const earn = () => stage.app.call('POST', '/api/v1/orders/earning', { key, json: { ...json(), products: [{ product_name: 'a', product_price: 100, quantity: 1 }] } })
  const first = await earn()
  console.log(first.status, first.text)
  console.log((await filesExecutedBy(earn)).join('\n'))
})
