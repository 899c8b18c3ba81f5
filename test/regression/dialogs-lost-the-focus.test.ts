import { expect, it } from 'vitest'
import { resize, testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'
import { waitFor } from '../support/wait.ts'

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

// Dialogs that are drawn only while they are open left the focus nowhere: the next Tab began at the top of the page.
it('closing a dialog gives the focus back to its button, or to the page where that is gone', async () => {
  const { order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
  const path = staff.pathOf(`orders/${order_uuid}`)
  const page = await openDashboard(browser, { origin: staff.origin, path, mayFail: /refund-preview/ })
  const buttonNamed = (name: string) => page.getByRole('button', { name, exact: true })
  const closesTo = async (name: string) => {
    const focused = buttonNamed(name).and(page.locator(':focus'))
    await buttonNamed(name).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    // A dialog takes the focus a moment after it is drawn.
    await expect.poll(() => focused.count(), { message: name }).toBe(0)
    await page.keyboard.press('Escape')
    await focused.waitFor()
  }
  await closesTo('Refund')
  await closesTo('Shipping status')
  // The drawer of a phone did so the first time.
  await resize(page, { width: 360, height: 740 })
  await closesTo('More')
  // This action takes its button away.
  await buttonNamed('Refund').click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: /^Refund \d/ })
  await confirm.click()
  await page.getByText('The refund is made.').waitFor()
  await page.locator('main:focus').waitFor()
  expect(await buttonNamed('Refund').count()).toBe(0)
})

// A button that waits is disabled and loses the focus, so the question for the password did not know where to give it back.
it('closing a dialog that an answer opened gives the focus back to the button that asked', async () => {
  const account = { email: 'a@b.example', name: 'Sara', locale: null, has_password: true, totp: false, passkeys: 0 }
  const page = await openDashboard(browser, {
    ...{ origin: staff.origin, path: '/account', mayFail: /\/account\/|\/sessions/ },
    answers: { '/account': { ...account, recovery_codes: 0 }, '/account/passkeys': [], '/sessions': [] },
  })
  await page.route('**/account/totp/begin', async (route) => {
    // Waiting in the page would need a policy that lets it evaluate texts.
    await waitFor('the button to lose the focus', () =>
      page.evaluate<boolean>('document.activeElement === document.body'),
    )
    const appended_data = { confirm_by: ['password'] }
    await route.fulfill({ status: 403, json: { status: false, message: 'Confirm', appended_data } })
  })
  const button = page.getByRole('button', { name: 'Set up', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await button.and(page.locator(':focus')).waitFor()
})
