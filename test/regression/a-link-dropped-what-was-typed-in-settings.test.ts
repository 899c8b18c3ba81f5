import { expect, it } from 'vitest'
import { testBrowser, useOnce } from '../support/browser.ts'
import { browserAsks, openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

const url = (path: string) => `${staff.origin}/dashboard${staff.pathOf(path)}`

// A link to another page dropped what was typed in a form of settings, without a question.
it.each([
  { locale: 'en', field: 'Points per SAR', link: 'Orders', title: 'Leave without saving?', stay: 'Cancel' },
  { locale: 'ar', field: 'نقاط لكل ريال', link: 'الطلبات', title: 'أتغادر دون حفظ؟', stay: 'إلغاء' },
] as const)('a form of settings asks before what was typed is left ($locale)', async (row) => {
  const page = await openDashboard(browser, {
    ...{ origin: staff.origin, path: staff.pathOf('settings/earning'), locale: row.locale },
  })
  useOnce(page)
  const field = page.getByLabel(row.field, { exact: true })
  const dialog = page.getByRole('dialog', { name: row.title })
  const link = page.getByRole('link', { name: row.link, exact: true }).filter({ visible: true }).first()
  expect(await browserAsks(page)).toBe(false)
  await field.fill('7')
  await expect.poll(() => browserAsks(page)).toBe(true)
  await link.click()
  await dialog.getByRole('button', { name: row.stay }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('7')
  expect(page.url()).toBe(url('settings/earning'))
  await link.click()
  await dialog.getByRole('button').last().click()
  await page.waitForURL(url('orders'))
  // Until the next page has loaded, the form is still there, with what was typed.
  await page.getByRole('heading', { level: 1, name: row.link }).waitFor()
  await page.goBack()
  expect(await field.inputValue()).toBe('10')
})

it('a form of settings asks at Forward too, and nothing once it is saved or discarded', async () => {
  const path = staff.pathOf('settings/earning')
  const page = await openDashboard(browser, { origin: staff.origin, path })
  useOnce(page)
  const link = page.getByRole('link', { name: 'Orders', exact: true }).first()
  const field = page.getByLabel('Points per SAR', { exact: true })
  await field.fill('11')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('You have unsaved changes').waitFor({ state: 'detached' })
  expect(await browserAsks(page)).toBe(false)
  await link.click()
  await page.waitForURL(url('orders'))
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  await page.goBack()
  await field.fill('12')
  await page.evaluate('history.forward()')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await field.inputValue()).toBe('12')
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await link.click()
  await page.waitForURL(url('orders'))
})

it('a webhook that is deleted with a change of its name is left without a question', async () => {
  const made = await staff.pages.as('owner', 'POST', '/webhooks', { name: 'Shop', url: 'https://shop.example/events' })
  const { uuid } = made.body.data as { uuid: string }
  const page = await openDashboard(browser, { origin: staff.origin, path: staff.pathOf(`webhooks/${uuid}`) })
  useOnce(page)
  await page.getByRole('textbox', { name: 'Name' }).fill('Market')
  await page.getByText('You have unsaved changes').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL(url('webhooks'))
})
