import { expect, test } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { Shopper } from '../support/shopper.ts'
import { readTable } from '../support/tables.ts'

// The language in which the pages of a checkout begin: the shop's page is in it, so the next page is not in another.

const database = testDatabase()
const stage = checkoutStage(database)

const anybody = (headers: Readonly<Record<string, string>>) =>
  new Shopper(stage.app.call, 'https://localhost:8443', headers)

async function opened(query: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const path = `/api/v1/orders/checkout/${stage.shop.public_key}${query}`
  const json = { total_price: 100, order_number: '1' }
  const { status, body } = await stage.app.call('POST', path, { json, headers })
  expect(status).toBe(200)
  return new URL((body.data as { checkout_url: string }).checkout_url).pathname
}

const langOf = ({ text }: { readonly text: string }) => /<html lang="(\w+)"/.exec(text)?.[1]

const rows = readTable(`
  query     | accept              | browser | page
            |                     | ar      | ar
            |                     | en      | en
            |                     |         | en
            | *                   | ar      | ar
            | fr-FR,fr;q=0.9      | ar      | ar
            | ar-SA,ar;q=0.9,en   | en      | ar
            | en                  | ar      | en
  ?lang=ar  | en                  | en      | ar
  ?lang=en  | ar                  | ar      | en
  ?lang=AR  |                     | en      | ar
  ?lang=fr  | ar                  | en      | ar
  ?lang=fr  |                     | ar      | ar
`)

test.each(rows)('opened with $query and "$accept", a browser that prefers "$browser" sees $page', async (row) => {
  const { query = '', accept = '', browser = '', page } = row as Record<string, string>
  const path = await opened(query, accept === '' ? {} : { 'accept-language': accept })
  const me = anybody(browser === '' ? {} : { 'accept-language': browser })
  expect(langOf(await me.open(path))).toBe(page)
})

test('the language that the customer chooses wins from then on, also in answers to forms', async () => {
  const path = await opened('?lang=ar', {})
  const me = anybody({ 'accept-language': 'en' })
  expect(langOf(await me.open(path))).toBe('ar')
  expect(langOf(await me.submit(await me.open(`${path}?at=number`), 'phone', { phone: 'x' }))).toBe('ar')
  expect(langOf(await me.open(`${path}?lang=en`))).toBe('en')
  expect(langOf(await me.open(path))).toBe('en')
  expect(langOf(await me.submit(await me.open(`${path}?at=number`), 'phone', { phone: 'x' }))).toBe('en')
})

test('an unknown link is answered in the language of the browser', async () => {
  expect(langOf(await anybody({ 'accept-language': 'ar' }).open('/checkout/1-nothing'))).toBe('ar')
})
