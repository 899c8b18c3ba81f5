import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { testBrowser, useOnce, waitUntilQuiet } from '../support/browser.ts'
import { settled } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

type Saved = Readonly<Record<string, unknown>>

const saved = async (path: string): Promise<Saved> => (await staff.pages.as('owner', 'GET', path)).body.data as Saved

/** A colleague saves something else meanwhile. */
async function saveElsewhere(path: string, changes: Saved): Promise<void> {
  const { version, name, name_ar } = await saved(path)
  const names = path === '/brand' ? { name, name_ar } : {}
  const { status } = await staff.pages.as('owner', 'PATCH', path, { version, ...names, ...changes })
  expect(status).toBe(200)
}

async function open(path: string): Promise<Page> {
  const page = await browser.open({
    ...{ origin: staff.origin, device: 'desktop', mayFail: /\/dashboard\/api\// },
    // The clock of the page is set within its preview too, which admits no scripts.
    maySay: /^Blocked script execution/,
  })
  await page.goto(`${staff.origin}/dashboard${staff.pathOf(path)}`)
  await settled(page)
  return page
}

/** The reader comes back to the page after a while: it asks for what is saved now. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.fastForward(60_000)
  const asked = page.waitForResponse((response) => response.request().method() === 'GET')
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
  await asked
  await waitUntilQuiet(page)
}

// A page that asked again for what is saved dropped what was typed, or sent it on top of a version that nobody had seen.
it.each([
  {
    ...{ page: 'settings/earning', api: '/settings', field: 'Points per SAR', typed: '9' },
    other: { refund_window_days: 21 },
  },
  { ...{ page: 'settings/brand', api: '/brand', field: 'Name', typed: 'Sidra' }, other: { colour: '#1d4ed8' } },
])('what is typed in $page stays, and undoes nothing unseen that a colleague saves', async (row) => {
  const page = await open(row.page)
  useOnce(page)
  const field = page.getByLabel(row.field, { exact: true })
  await field.fill(row.typed)
  await saveElsewhere(row.api, row.other)
  await comeBack(page)
  expect(await field.inputValue()).toBe(row.typed)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog', { name: 'Somebody else changed this' }).waitFor()
  expect(await saved(row.api)).toMatchObject(row.other)
})

// The page knew only what had been saved before, and went back to it at once.
it('what a colleague has saved stays in the form of a person who takes it', async () => {
  const page = await open('settings/earning')
  const field = page.getByLabel('Points per SAR', { exact: true })
  await field.fill('7')
  await saveElsewhere('/settings', { points_per_sar: 8 })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' })
  await dialog.getByRole('button', { name: 'Take the saved values' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('8')
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
})

it('what nobody has touched follows what a colleague saves', async () => {
  const page = await open('settings/earning')
  useOnce(page)
  await saveElsewhere('/settings', { points_per_sar: 12 })
  await comeBack(page)
  await expect.poll(() => page.getByLabel('Points per SAR', { exact: true }).inputValue()).toBe('12')
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
})

it.each([
  { path: 'settings/earning', api: /\/settings$/, field: 'Points per SAR', values: ['13', '14'] },
  { path: 'settings/brand', api: /\/brand$/, field: 'Name', values: ['Sidra Coffee', 'Sidra Coffee House'] },
] as const)('what is typed in $path while it is being saved stays', async ({ path, api, field: label, values }) => {
  const page = await open(path)
  const held = Promise.withResolvers<void>()
  await page.route(api, async (route) => {
    if (route.request().method() === 'PATCH') await held.promise
    await route.continue()
  })
  const field = page.getByLabel(label, { exact: true })
  await field.fill(values[0])
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await field.fill(values[1])
  held.resolve()
  await page.getByText('Saved.').waitFor()
  expect(await field.inputValue()).toBe(values[1])
  await save.click()
  await page.getByText('You have unsaved changes').waitFor({ state: 'detached' })
  expect(Object.values(await saved(path === 'settings/brand' ? '/brand' : '/settings'))).toContainEqual(
    path === 'settings/brand' ? values[1] : Number(values[1]),
  )
})
