import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

// The removal of a passkey renews the session. A second one, before the page knew the new token, was refused, and the page asked
// for a password that somebody with passkeys may not have.
it('the second of two passkeys is removed with the token that the first removal gave', async () => {
  const account = { email: 'a@b.example', name: 'Sara', locale: null, has_password: false, totp: false, passkeys: 2 }
  const page = await openDashboard(browser, {
    ...{ origin: staff.origin, path: '/account', mayFail: /\/account\/|\/sessions?$/ },
    answers: { '/account': { ...account, recovery_codes: 0 }, '/sessions': [] },
  })
  const envelope = { status: true, message: '', appended_data: {} }
  const passkeys = ['Phone', 'Laptop'].map((name) => ({ passkey_uuid: crypto.randomUUID(), name, used_at: null }))
  await page.route('**/account/passkeys', (route) => route.fulfill({ json: { ...envelope, data: passkeys } }))
  await page.reload()
  const removals = page.getByRole('button', { name: /^Remove: / })
  await expect.poll(() => removals.count()).toBe(2)
  const read = Promise.withResolvers<void>()
  await page.route('**/dashboard/api/session', async (route) => {
    const answer = await route.fetch()
    const { data } = await answer.json()
    await read.promise
    await route.fulfill({ json: { ...envelope, data: { ...data, csrf: 'renewed' } } })
  })
  const tokens: (string | undefined)[] = []
  await page.route('**/account/passkeys/*', async (route) => {
    const token = route.request().headers()['x-csrf-token']
    tokens.push(token)
    if (tokens.length > 1 && token !== 'renewed')
      return route.fulfill({ status: 403, json: { ...envelope, status: false, message: 'Another tab …' } })
    passkeys.shift()
    return route.fulfill({ json: { ...envelope, data: {} } })
  })
  const remove = async () => {
    await removals.first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  }
  await remove()
  await expect.poll(() => removals.count()).toBe(1)
  await remove()
  read.resolve()
  await expect.poll(() => removals.count()).toBe(0)
  expect(tokens).toEqual([expect.not.stringMatching('renewed'), 'renewed'])
})
