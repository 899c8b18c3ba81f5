import { expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { Shopper } from '../support/shopper.ts'

const database = testDatabase({ leaves: ['due deliveries'] })
const stage = checkoutStage(database, { collector: 'sandbox' })

const langOf = ({ text }: { readonly text: string }) => /<html lang="(\w+)"/.exec(text)?.[1]

async function opened(phone_number?: string) {
  const me = new Shopper(stage.app.call, 'https://localhost:8443', { 'accept-language': 'en' })
  return { me, page: await me.open(await linkOf('ar', phone_number)) }
}

/** The link of a checkout that the store opens in a language. */
async function linkOf(lang: 'ar' | 'en', phone_number?: string): Promise<string> {
  const path = `/api/v1/orders/checkout/${stage.shop.public_key}?lang=${lang}`
  const { body } = await stage.app.call('POST', path, { json: { total_price: 100, order_number: '1', phone_number } })
  return new URL((body.data as { checkout_url: string }).checkout_url).pathname
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

it('so is the wallet, which a receipt leads to, and the next store is heard again', async () => {
  const { me, page } = await opened()
  const receipt = await me.submit(await me.submit(page, 'continue'), 'card', { card: 'succeeds' })
  const href = /href="(\/wallet\?[^"]*)"/.exec(receipt.text)?.[1] ?? ''
  const wallet = await me.open(href.replaceAll('&amp;', '&'))
  const code = await me.submit(wallet, 'phone', { phone: freshPhone() })
  expect([receipt, wallet, code].map(langOf)).toEqual(['ar', 'ar', 'ar'])
  expect(langOf(await me.open(await linkOf('en')))).toBe('en')
})
