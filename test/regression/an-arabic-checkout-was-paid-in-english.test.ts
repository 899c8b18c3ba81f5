import { expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { Shopper } from '../support/shopper.ts'

const database = testDatabase({ leaves: ['due deliveries'] })
const stage = checkoutStage(database, { collector: 'sandbox' })

const langOf = ({ text }: { readonly text: string }) => /<html lang="(\w+)"/.exec(text)?.[1]

async function opened(phone_number?: string) {
  const path = `/api/v1/orders/checkout/${stage.shop.public_key}?lang=ar`
  const { body } = await stage.app.call('POST', path, { json: { total_price: 100, order_number: '1', phone_number } })
  const me = new Shopper(stage.app.call, 'https://localhost:8443', { 'accept-language': 'en' })
  return { me, page: await me.open(new URL((body.data as { checkout_url: string }).checkout_url).pathname) }
}

// The store asked for Arabic pages. Those beside the checkout were in the language of the browser.
it('the payment page of a sandbox is in the language of its checkout, until the customer chooses another', async () => {
  const { me, page } = await opened()
  const cards = await me.submit(page, 'continue')
  expect(cards.path).toMatch(/^\/sandbox\/pay\//)
  const question = await me.submit(cards, 'card', { card: 'challenge' })
  const receipt = await me.submit(question, 'csrf', { passed: 'yes' })
  expect([page, cards, question, receipt].map(langOf)).toEqual(['ar', 'ar', 'ar', 'ar'])
  expect(langOf(await me.open(`${cards.path}&lang=en`))).toBe('en')
  expect(langOf(await me.open(cards.path))).toBe('en')
})

it('so are the terms and what is kept of customers, and opening them chooses no language', async () => {
  const { me, page } = await opened(freshPhone())
  const joining = await me.submit(page, 'continue')
  const links = [...joining.text.matchAll(/href="(\/(?:terms|wallet\/data)[^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
  expect(links).toHaveLength(3)
  for (const link of links) expect(langOf(await me.open(link)), link).toBe('ar')
  expect(langOf(await me.open('/terms'))).toBe('en')
})
