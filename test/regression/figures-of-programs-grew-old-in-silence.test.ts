import { beforeAll, expect, it } from 'vitest'
import { createProgram } from '../../src/features/merchants/programs.ts'
import { makeProgram, testApp } from '../support/api.ts'
import { expectToFit, screenshot, testBrowser, useOnce } from '../support/browser.ts'
import { moveTo, openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()
let viewer: Person
let program_id: number

beforeAll(async () => {
  await makeProgram(app().db)
  program_id = (await createProgram(app().db, { name: 'Mall', environment: 'sandbox', now: new Date() })).program_id
  viewer = await makePerson(app(), 'operator')
})

// The start page read the figures of each program once: they stayed as they were for as long as it was open, and nothing said
// from when they were.
it.each(['en', 'ar'] as const)(
  'the figures of each program say from when they are, and are read again (%s)',
  async (locale) => {
    const { data } = (await viewer.call('GET', `/programs/${program_id}/overview?days=30`)).body
    const page = await openDashboard(browser, { origin, path: '/account', viewer, device: 'phone', locale })
    useOnce(page)
    let points = 4_100
    await page.route(`**/programs/${program_id}/overview?days=30`, (route) => {
      points += 1
      const found = { ...(data as object), building: false, as_of: `2026-02-01T09:${points % 100}0:00.000Z` }
      const json = { status: true, message: '', appended_data: {}, data: { ...found, outstanding_points: points } }
      return route.fulfill({ json })
    })
    await page.clock.install()
    await moveTo(page, '/')
    const card = page.getByRole('listitem').filter({ hasText: 'Mall' }).first()
    await card.getByText('4,101').waitFor()
    expect(await card.locator('time').getAttribute('datetime')).toBe('2026-02-01T09:10:00.000Z')
    await expectToFit(page)
    await screenshot(page, `programs-as-of-${locale}`)
    await page.clock.fastForward(61_000)
    await card.getByText('4,102').waitFor()
    expect(await card.locator('time').getAttribute('datetime')).toBe('2026-02-01T09:20:00.000Z')
  },
)
