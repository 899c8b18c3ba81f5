import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { testBrowser, useOnce } from '../support/browser.ts'
import { settled } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

const account = { email: 'a@b.example', name: 'Sara', locale: null, has_password: true, totp: false, passkeys: 0 }
const answers = {
  '/account': { ...account, recovery_codes: 0 },
  '/account/passkeys': [],
  '/sessions': [],
  '/sign-in/passkey/options': { challenge: 'AAAA', rpId: 'localhost', allowCredentials: [] },
  '/account/passkeys/options': { challenge: 'AAAA', rp: { name: 'Nuqta' }, user: { id: 'AAAA' }, pubKeyCredParams: [] },
}

/** Opens a page whose requests are answered, and fails what it loads from then on. */
async function openWithoutNetwork(path: string): Promise<Page> {
  const { origin } = staff
  const page = await browser.open({ origin, device: 'desktop', maySay: /ERR_FAILED|404/ })
  useOnce(page)
  for (const [path, data] of Object.entries(answers))
    await page
      .context()
      .route(`${origin}/dashboard/api${path}`, (route) =>
        route.fulfill({ json: { status: true, message: '', appended_data: {}, data } }),
      )
  await page.goto(`${origin}/dashboard${path}`)
  await settled(page)
  return page
}

const isAsset = /\/dashboard\/assets\//

// The package for passkeys could not be loaded: the page said that the browser had made no passkey, or used none.
it.each([
  { path: '/sign-in', button: 'Sign in with a passkey' },
  { path: '/account', button: 'Add a passkey' },
])('$path says that the service cannot be reached when it cannot load passkeys', async ({ path, button }) => {
  const page = await openWithoutNetwork(path)
  if (path === '/account') await page.getByLabel('Name of the device').fill('Office laptop')
  const isAway = (url: URL) => isAsset.test(url.pathname) || url.pathname === `/dashboard${path}`
  await page.route(isAway, (route) => route.abort())
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
  await page.unroute(isAway)
  // The package is loaded now, and finds no key on this device.
  await page.getByRole('button', { name: button }).click()
  await page
    .getByRole('alert')
    .getByText(/The passkey was not used|The browser made no passkey/)
    .waitFor()
})

// Each try said that the passkey was not used, until the reader loaded the page anew.
it('the sign-in is loaded anew when the package for passkeys belongs to a build that is gone', async () => {
  const page = await openWithoutNetwork('/sign-in')
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads += 1
  })
  await page.route(isAsset, (route) =>
    loads === 0 ? route.fulfill({ status: 404, body: 'Not found' }) : route.continue(),
  )
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect.poll(() => loads).toBe(1)
})
