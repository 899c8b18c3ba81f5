import { beforeAll, expect, it } from 'vitest'
import { ensureFirstProgram } from '../../src/features/merchants/programs.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { freePort, testBrowser } from '../support/browser.ts'
import { openDashboard, visitPage } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, type Person } from '../support/staff.ts'

// How an operator works in a program, and goes from there to its merchants and back.

const port = await freePort()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

let merchant: { readonly program_id: number; readonly merchant_id: number }
let operator: Person

beforeAll(async () => {
  const fresh = { environment: 'sandbox', now: new Date() } as const
  const { program_id } = await app().db.transaction((tx) => ensureFirstProgram(tx, fresh))
  merchant = await makeMerchant(app().db, { name: 'Sidra Coffee', program_id })
  operator = await makePerson(app(), 'operator')
})

const ofProgram = (path: string) => `/p/${merchant.program_id}/${path}`
const url = (path: string) => `${origin}/dashboard${path}`

it('shows a program, and its merchants', async () => {
  await visitPage(browser, 'program', { origin, path: ofProgram(''), viewer: operator })
  await visitPage(browser, 'program-merchants', { origin, path: ofProgram('merchants'), viewer: operator })
})

it('leads an operator of one program straight there, to its merchants, and back', async () => {
  const page = await openDashboard(browser, { origin, path: '/', viewer: operator })
  await page.waitForURL(url(ofProgram('')))
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: /Find a page or a merchant/ }).fill('sidra')
  await page.getByRole('button', { name: /Sidra Coffee/ }).click()
  await page.waitForURL(url(`/m/${merchant.merchant_id}/`))
  await page.getByRole('link', { name: 'Default' }).click()
  await page.waitForURL(url(ofProgram('')))
  await page.getByRole('button', { name: /^Switch program/ }).click()
  await page.getByRole('menuitem', { name: 'All merchants' }).click()
  await page.waitForURL(url(ofProgram('merchants')))
  expect(await page.title()).toBe('Merchants · Nuqta')
})
