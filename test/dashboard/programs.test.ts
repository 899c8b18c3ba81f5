import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { setProgram } from '../../src/features/merchants/programs.ts'
import { makeMerchant, makeProgram, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard, visitPage } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

// Operators change the rules of a program, and a second person confirms.

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

let program_id: number
let sara: Person
let omar: Person

beforeAll(async () => {
  const program = await makeProgram(app().db)
  program_id = program.program_id
  await makeMerchant(app().db, { name: 'Sidra Coffee', program_id })
  await setProgram(app().db, program.name, { changes: { two_person_adjustments_over: 500 }, now: new Date() })
  sara = await makePerson(app(), 'operator')
  omar = await makePerson(app(), 'operator')
})

const ofProgram = (path: string) => `/p/${program_id}/${path}`
const read = async (path: string) => (await sara.call('GET', `/programs/${program_id}${path}`)).body.data as never

it('a rate and the rules are changed, a weaker rule waits, and the second person decides', async () => {
  const page = await openDashboard(browser, { origin, path: ofProgram('settings'), viewer: sara })
  await page.getByLabel('SAR a point').fill('0.02')
  await page.getByRole('button', { name: 'Set the rate' }).click()
  await page.getByText('0.02 SAR a point').waitFor()
  expect(await read('/rates')).toMatchObject({ sar_per_point: 0.02 })

  await page.getByLabel('Of points redeemed').fill('2.5')
  await page.getByLabel('Who runs the program').fill('Mall Company')
  await page.getByRole('switch', { name: 'A new rate needs two people' }).check()
  await page.getByLabel('Adjustments of more points than').fill('9000')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('What needs a second person waits').waitFor()
  expect(await read('/settings')).toMatchObject({
    ...{ fees: { earn: 0, redeem: 2.5, vat: 15 }, operator_name: 'Mall Company' },
    two_person: { rates: true, settlements: false, adjustments_over: 500 },
  })
  await page.getByLabel('SAR a point').fill('0.03')
  await page.getByRole('button', { name: 'Propose the rate' }).click()
  // The sentence of the change before may still be there; the field is empty once this one is answered.
  await expect.poll(() => page.getByLabel('SAR a point').inputValue()).toBe('')

  await page.getByRole('button', { name: 'New version' }).click()
  const dialog = page.getByRole('dialog', { name: 'New version' })
  await dialog.getByLabel('Version').fill('2100-01')
  await dialog.getByLabel('English text').fill('Our terms\n\nBe kind.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('2100-01').waitFor()
  const reply = await app().send('GET', `/terms?program=${program_id}&lang=en`, {})
  expect(reply.text).toContain('Be kind.')

  const second = await openDashboard(browser, { origin, path: ofProgram('proposals'), viewer: omar })
  const row = second.getByRole('row').filter({ hasText: '0.03 SAR a point' })
  await row.getByRole('button', { name: 'Confirm' }).click()
  await second.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await row.getByText('Confirmed').waitFor()
  expect(await read('/rates')).toMatchObject({ sar_per_point: 0.03 })
  const own = await openDashboard(browser, { origin, path: ofProgram('proposals'), viewer: sara })
  await own.getByRole('button', { name: 'Take back' }).click()
  await own.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await own.getByText('Rejected').waitFor()
})

/** Expects a page to show the new rate, and to write days as everywhere. */
async function expectDays(page: Page): Promise<void> {
  const text = await page.getByRole('main').textContent()
  expect(text).toContain('0.03')
  expect(text).not.toMatch(/\d{4}-\d\d-\d\d/)
}

it('the settings are accessible and fit, write days as everywhere, and keep the unit of a number off the number', () =>
  visitPage(browser, 'program-settings', {
    ...{ origin, path: ofProgram('settings'), viewer: sara },
    async check(page) {
      await expectDays(page)
      const field = page.getByText('%', { exact: true }).first().locator('xpath=ancestor::*[.//input][1]')
      const [input, unit] = [await field.locator('input').boundingBox(), await field.getByText('%').boundingBox()]
      expect(unit?.x).toBeGreaterThan((input?.x ?? 0) + (input?.width ?? 0) / 2)
    },
  }))

it('so are the proposals, with changes in reading direction', () =>
  visitPage(browser, 'proposals', {
    ...{ origin, path: ofProgram('proposals'), viewer: omar },
    async check(page, locale) {
      await expectDays(page)
      const [arrow, wrong] = locale === 'ar' ? ['←', '→'] : ['→', '←']
      expect(await page.getByRole('row').filter({ hasText: '0.03' }).textContent()).toContain(arrow)
      expect(await page.getByRole('main').textContent()).not.toContain(wrong)
    },
  }))
