import { expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { wordsOf } from '../support/shopper.ts'

// Beside amounts that are written with separators, 12500 sheets were hard to tell from 1250.

const database = testDatabase()
const stage = checkoutStage(database)

it.each(['en', 'ar'] as const)('quantities have separators as amounts do: %s', async (lang) => {
  const products = [{ product_name: 'A4', product_price: 1250, quantity: 12_500 }]
  const { path } = await stage.open({ total_price: 1250, products })
  expect(wordsOf(await stage.shopper(lang).open(path))).toContain('12,500 ×')
})
