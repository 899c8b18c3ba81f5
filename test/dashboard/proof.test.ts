import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { expectAccessible, screenshot, testBrowser, useOnce } from '../support/browser.ts'
import { openDashboard, password } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

// What gives rights or secrets away asks again who is there, over the page, when the sign-in was a while ago.

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

let merchant: { readonly program_id: number; readonly merchant_id: number }

beforeAll(async () => {
  merchant = await makeMerchant(app().db, { name: 'Sidra Coffee' })
})

const age = ({ staff_uuid }: Person) =>
  app().db.run({
    text: 'update staff_session set proven_at = $1 where staff_uuid = $2',
    values: [new Date(Date.now() - 3_600_000), staff_uuid],
  })

async function visit(path: string, viewer: Person, locale: 'en' | 'ar' = 'en'): Promise<Page> {
  const at = `/m/${merchant.merchant_id}/${path}`
  return openDashboard(browser, { origin, path: at, viewer, locale, mayFail: /\/dashboard\/api\// })
}

const words = {
  en: {
    open: 'Invite somebody',
    send: 'Invite',
    title: 'Is it you?',
    word: 'Password',
    go: 'Continue',
    close: 'Close',
  },
  ar: {
    ...{ open: 'دعوة شخص', send: 'إرسال الدعوة', title: 'هل هذا أنت؟' },
    ...{ word: 'كلمة المرور', go: 'متابعة', close: 'إغلاق' },
  },
} as const

it.each(['en', 'ar'] as const)('keeps what was typed, and goes on after the password (%s)', async (locale) => {
  const { open, send, title, word, go, close } = words[locale]
  const owner = await makePerson(app(), { ...merchant, role: 'owner' }, password)
  await age(owner)
  const page = await visit('team', owner, locale)
  await page.getByRole('button', { name: open }).click()
  const form = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: send, exact: true }) })
  const email = form.getByRole('textbox')
  await email.fill(`friend-${locale}@shop.example`)
  await form.getByRole('button', { name: send, exact: true }).click()
  const proof = page.getByRole('dialog', { name: title })
  const field = proof.getByLabel(word, { exact: true })
  await field.and(page.locator(':focus')).waitFor()
  await expectAccessible(page)
  await screenshot(page, `proof-${locale}`)

  // Who would rather not is back at the form as it was.
  await proof.getByRole('button', { name: close }).click()
  await proof.waitFor({ state: 'detached' })
  expect([await email.inputValue(), await form.getByRole('alert').count()]).toEqual([
    `friend-${locale}@shop.example`,
    0,
  ])

  await form.getByRole('button', { name: send, exact: true }).click()
  await field.fill('not the password')
  await proof.getByRole('button', { name: go }).click()
  await proof.getByRole('alert').waitFor()
  await field.fill(password)
  const held = Promise.withResolvers<void>()
  useOnce(page)
  await page.route('**/session/confirm', (route) => held.promise.then(() => route.continue()))
  await proof.getByRole('button', { name: go }).click()
  // Closed while the password is sent, the dialog would give up what waits for it.
  await page.keyboard.press('Escape')
  expect(await proof.getByRole('button', { name: close }).isDisabled()).toBe(true)
  held.resolve()
  await form.waitFor({ state: 'detached' })
  await page.getByText(`friend-${locale}@shop.example`).first().waitFor()
  expect(await proof.count()).toBe(0)
})

it('takes a passkey of somebody who has no password', async () => {
  const owner = await makePerson(app(), { ...merchant, role: 'owner' })
  const page = await openDashboard(browser, { origin, path: '/account', viewer: owner, mayFail: /\/dashboard\/api\// })
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const options = {
    ...({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const),
    ...{ isUserVerified: true, automaticPresenceSimulation: true },
  }
  await device.send('WebAuthn.addVirtualAuthenticator', { options })
  await page.getByLabel('Name of the device').fill('Office laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('Office laptop').waitFor()
  await age(owner)
  await page.getByRole('button', { name: 'Make new ones' }).click()
  const proof = page.getByRole('dialog', { name: 'Is it you?' })
  expect(await proof.getByLabel('Password', { exact: true }).count()).toBe(0)
  await proof.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).waitFor()
  expect(await proof.count()).toBe(0)
})
