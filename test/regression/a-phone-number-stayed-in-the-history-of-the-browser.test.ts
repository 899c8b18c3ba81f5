import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder, rowOf } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

// A search by phone stood in the URL, which every later user of a shop's computer finds in the history of its browser.

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

it.each(['orders', 'customers'])('a phone number that %s are searched for is kept beside the URL', async (list) => {
  const made = await earningOrder(database.db, staff.shop.merchant, { clock })
  const { order_number } = await rowOf(database.db, made.order_uuid)
  const page = await browser.open({ origin: staff.origin, device: 'desktop' })
  const urls = new Set<string>()
  page.on('framenavigated', (frame) => urls.add(frame.url()))
  await page.goto(`${staff.origin}/dashboard${staff.pathOf(list)}`)
  const field = page.getByRole('searchbox')
  await field.fill(`0${made.phone}`)
  await field.press('Enter')
  const found = page.getByRole('link', { name: list === 'orders' ? String(order_number) : 'No name' })
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await found.click()
  await page.waitForURL(new RegExp(`/${list}/.`))
  await page.goBack()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  expect(await field.inputValue()).toBe(`0${made.phone}`)
  expect([...urls].filter((url) => url.includes(String(made.phone)))).toEqual([])
  await page.goBack()
  await expect.poll(() => field.inputValue()).toBe('')
})

it('a list that is searched for a phone number is saved without it in the list of downloads', async () => {
  const made = await earningOrder(database.db, staff.shop.merchant, { clock })
  const page = await browser.open({ origin: staff.origin, device: 'desktop' })
  await page.goto(`${staff.origin}/dashboard${staff.pathOf('orders')}`)
  const field = page.getByRole('searchbox')
  await field.fill(`0${made.phone}`)
  await field.press('Enter')
  const saved = page.waitForEvent('download')
  await page.getByText('Download CSV').click()
  const file = await saved
  expect(file.url()).toMatch(/^blob:/)
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  expect((await readFile(await file.path(), 'utf8')).trim().split('\n')).toHaveLength(2)
})
