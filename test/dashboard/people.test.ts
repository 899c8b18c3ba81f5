import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addSandboxOwner, recoverOperator } from '../../src/features/staff/operators.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { resize, testBrowser } from '../support/browser.ts'
import {
  type DashboardVisit,
  openDashboard,
  password,
  settled,
  signIn,
  visitPage,
  visitPages,
} from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'
import { codeApp } from '../support/totp.ts'

// How people sign in and keep others out, in a browser: links, passwords, second factors, passkeys, teams.

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

let merchant: { readonly program_id: number; readonly merchant_id: number }
let owner: Person
let operator: Person

beforeAll(async () => {
  merchant = await makeMerchant(app().db, { name: 'Sidra Coffee' })
  owner = await makePerson(app(), { ...merchant, role: 'owner' }, password)
  operator = await makePerson(app(), 'operator')
  // An operator of two programs has a choice.
  await makeMerchant(app().db, { name: 'Lavender Market' })
})

const visit = (path: string, options: Partial<DashboardVisit> = {}) =>
  openDashboard(browser, { origin, path, ...options })
const atMerchant = (path: string) => `/m/${merchant.merchant_id}/${path}`
const url = (path: string) => `${origin}/dashboard${path}`
const make = (role: 'owner' | 'manager' | 'support') => makePerson(app(), { ...merchant, role }, password)

async function signOut(page: Page): Promise<void> {
  // A page that has only just opened takes the focus, which closes the menu.
  await settled(page)
  await page
    .getByRole('button', { name: /^Your account and preferences/ })
    .filter({ visible: true })
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(url('/sign-in'))
}

/** The path of a link to the dashboard. */
const pathOf = (link: string | null | undefined) => link?.replace(url(''), '') ?? ''

/** The path of the link in the newest mail to an address. */
async function mailedLink(email: string): Promise<string> {
  await app().services.staff.background.idle()
  const { body } = await operator.call('GET', '/mails')
  const mails = body.data as readonly { readonly to: string; readonly text: string }[]
  const mail = mails.find(({ to }) => to === email)
  return pathOf(mail?.text.match(/^https:\S+$/m)?.[0])
}

describe('every page about people', () => {
  it('shows the team to an owner, with an open invitation, and every role on a phone without scrolling', async () => {
    await owner.call('POST', `/merchants/${merchant.merchant_id}/team/invitations`, {
      email: 'waiting@shop.example',
      role: 'read_only',
    })
    await make('manager')
    const check = async (page: Page) => {
      await resize(page, { width: 390, height: 844 })
      const table = page.getByRole('table').last()
      expect(await table.getByRole('columnheader').count()).toBe(5)
      const box = await table.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390 - 32)
    }
    await visitPage(browser, 'team', { origin, path: atMerchant('team'), viewer: owner, check })
  })

  it('lets an operator choose among all programs and merchants, and shows the mails of a sandbox', () =>
    visitPages(browser, { origin, paths: { 'all-merchants': '/', mails: '/mails' }, viewer: operator }))

  it('shows a link that invites, and one that recovers an account', async () => {
    await owner.call('POST', `/merchants/${merchant.merchant_id}/team/invitations`, {
      email: 'link@shop.example',
      role: 'support',
    })
    await visitPage(browser, 'link-invitation', { origin, path: await mailedLink('link@shop.example') })
    const { email } = await make('support')
    const by = { source: 'command', name: 'operator' } as const
    const { link } = await recoverOperator({ db: app().db, public_url: origin, now: new Date(), by }, email)
    await visitPage(browser, 'link-recovery', { origin, path: pathOf(link) })
  })
})

describe('a link', () => {
  it('signs the owner of a new sandbox in, once', async () => {
    const given = { email: 'first@shop.example', name: 'First', merchants: [merchant] }
    const made = await app().db.transaction((tx) => addSandboxOwner(tx, { public_url: origin, now: new Date() }, given))
    const path = pathOf(made?.link)
    // The page once requested an empty token and failed while it navigated away.
    const page = await visit(path)
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByRole('heading', { level: 1, name: 'Programs' }).waitFor()
    await page.getByRole('link', { name: /Sidra Coffee/ }).click()
    await page.waitForURL(url(atMerchant('')))
    const again = await visit(path, { mayFail: /\/dashboard\/api\// })
    await again.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
  })

  it('adds an invited person to the team, with the permissions of the role', async () => {
    const page = await visit(atMerchant('team'), { viewer: operator })
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('lina@shop.example')
    await dialog.getByRole('radio', { name: 'Read-only' }).check()
    await dialog.getByRole('button', { name: 'Invite' }).dblclick()
    await dialog.getByRole('link', { name: 'Open the mails' }).click()
    // The page about the team names her too. It stays until the page of mails has loaded.
    await page.getByRole('heading', { level: 1, name: 'Mails' }).waitFor()
    const mails = page.getByRole('region').filter({ hasText: 'lina@shop.example' })
    await mails.first().waitFor()
    expect(await mails.count()).toBe(1)

    const link = await mails.getByRole('link').first().getAttribute('href')
    const hers = await visit(pathOf(link), { mayFail: /\/dashboard\/api\// })
    await hers.getByLabel('Your name').fill('Lina')
    await hers.getByLabel('New password', { exact: true }).fill('short')
    await hers.getByRole('button', { name: 'Accept the invitation' }).click()
    await hers
      .getByText(/at least 12/i)
      .last()
      .waitFor()
    await hers.getByLabel('New password', { exact: true }).fill('nine herons over the marsh')
    await hers.getByRole('button', { name: 'Accept the invitation' }).click()
    await hers.waitForURL(url(atMerchant('')))
    await settled(hers)
    expect(await hers.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
    await hers.goto(url(atMerchant('team')))
    await hers.getByRole('cell', { name: /Lina/ }).waitFor()
    expect(await hers.getByRole('button', { name: /Invite|Remove|Change role/ }).count()).toBe(0)
    await hers.goto(url(atMerchant('audit')))
    await hers.getByRole('heading', { name: 'Your role does not open this page' }).waitFor()
    // No owner can give a role that opens this one.
    await hers.goto(url('/operator/health'))
    await hers.getByText('Only operators of this service open it.').waitFor()
    await hers.getByRole('link', { name: 'To the start page' }).click()
    await hers.waitForURL(url(atMerchant('')))
    await signOut(hers)
    await signIn(hers, 'lina@shop.example', 'nine herons over the marsh')
    await hers.waitForURL(url(atMerchant('')))
  })

  it('is accepted by a person with an account after signing in', async () => {
    const other = await makeMerchant(app().db, { name: 'Layan Perfumes' })
    const boss = await makePerson(app(), { ...other, role: 'owner' })
    const { email } = await make('support')
    await boss.call('POST', `/merchants/${other.merchant_id}/team/invitations`, { email, role: 'manager' })
    const page = await visit(await mailedLink(email), { mayFail: /\/dashboard\/api\// })
    await page.getByText('You have an account already').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.getByRole('heading', { level: 1, name: 'Merchants' }).waitFor()
    await page.getByRole('link', { name: /Layan Perfumes/ }).waitFor()
  })

  it('lets a person who has forgotten the password choose a new one', async () => {
    const { email } = await make('manager')
    const page = await visit('/forgot', { mayFail: /\/dashboard\/api\// })
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('link', { name: 'Open the mails of the sandbox' }).waitFor()
    await page.goto(url(await mailedLink(email)))
    await page.getByLabel('New password', { exact: true }).fill('eleven lamps on the stairs')
    await page.getByRole('button', { name: 'Continue' }).click()
    // The way out moves from the top into the sidebar once the merchant is known.
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await signOut(page)
    await signIn(page, email, 'eleven lamps on the stairs')
    await page.waitForURL(url(atMerchant('')))
  })
})

describe('a second factor', () => {
  it('is asked for at the next sign-in, and a recovery code stands in for it once', async () => {
    const { email, ...person } = await make('support')
    const page = await visit('/account', { viewer: person, mayFail: /\/dashboard\/api\// })
    await page.getByRole('button', { name: 'Set up' }).click()
    const setup = page.getByRole('dialog')
    const phone = codeApp((await setup.locator('code').innerText()).trim())
    await setup.getByLabel('Code', { exact: true }).fill(phone.next())
    await setup.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor()
    const [code = ''] = await page.getByRole('dialog').locator('code').allInnerTexts()
    await page.getByRole('button', { name: 'I have kept them' }).click()

    await signOut(page)
    await signIn(page, email)
    await page.getByLabel('Code', { exact: true }).fill(phone.next())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(url(atMerchant('')))

    await signOut(page)
    await signIn(page, email)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill('wrong-wrong')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Recovery code').fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(url(atMerchant('')))
    await page.goto(url('/account'))
    await page.getByText('9 left').waitFor()
  })

  it('is set up only after the password when the sign-in is long ago', async () => {
    const person = await make('support')
    const long_ago = new Date(Date.now() - 3_600_000)
    const values = [long_ago, person.staff_uuid]
    await app().db.run({ text: 'update staff_session set proven_at = $1 where staff_uuid = $2', values })
    const page = await visit('/account', { viewer: person, mayFail: /\/dashboard\/api\// })
    await page.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog', { name: 'Is it you?' })
    await dialog.getByLabel('Password', { exact: true }).fill('not the password')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Set up the authenticator app' }).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
  })

  it('can be a passkey, which signs in without a password', async () => {
    const person = await make('manager')
    const page = await visit('/account', { viewer: person, mayFail: /\/dashboard\/api\// })
    const device = await page.context().newCDPSession(page)
    await device.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
    } as const
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
    })
    await page.getByLabel('Name of the device').fill('Office laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByText('Office laptop').waitFor()
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(url(atMerchant('')))
    await device.send('WebAuthn.disable')
  })
})

describe('another person', () => {
  it('ends a session, and its page goes on where it was after the next sign-in', async () => {
    const { email, ...person } = await make('owner')
    const page = await visit('/account', { viewer: person, mayFail: /\/dashboard\/api\// })
    const away = await visit(`${atMerchant('team')}`, { mayFail: /\/dashboard\/api\// })
    await signIn(away, email)
    await away.waitForURL(url(atMerchant('team')))
    await away.getByRole('button', { name: 'Invite somebody' }).click()
    const form = away.getByRole('dialog', { name: 'Invite somebody to the team' })
    await form.getByLabel('E-mail').fill('typed@shop.example')
    await page.reload()
    await page.getByRole('button', { name: 'End all others' }).click()
    await page.getByText('1 session has ended.').waitFor()
    await form.getByRole('button', { name: 'Invite' }).click()
    const cover = away.getByRole('dialog', { name: 'You were signed out' })
    await cover.getByLabel('Password', { exact: true }).fill(password)
    await cover.getByRole('button', { name: 'Sign in', exact: true }).click()
    await cover.waitFor({ state: 'hidden' })
    expect(await form.getByLabel('E-mail').inputValue()).toBe('typed@shop.example')
    await form.getByRole('button', { name: 'Invite' }).click()
    await away.getByRole('dialog', { name: 'Invited' }).waitFor()
  })
})

describe('a team', () => {
  it('changes a role and removes a person, and keeps its last owner', async () => {
    const shop = await makeMerchant(app().db, { name: 'Najd Books' })
    const boss = await makePerson(app(), { ...shop, role: 'owner' })
    const member = await makePerson(app(), { ...shop, role: 'support' })
    const page = await visit(`/m/${shop.merchant_id}/team`, { viewer: boss, mayFail: /\/team\// })
    const row = page.getByRole('row').filter({ hasText: member.email })
    await row.getByRole('button', { name: /^Change role/ }).click()
    await page.getByRole('dialog').getByRole('radio', { name: 'Manager' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await row.getByRole('cell', { name: 'Manager' }).waitFor()
    const own = page.getByRole('row').filter({ hasText: boss.email })
    await own.getByRole('button', { name: /^Remove/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await row.getByRole('button', { name: /^Remove/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
  })

  it('is found by an operator who belongs to no merchant', async () => {
    const page = await visit('/', { viewer: operator })
    await page.getByRole('searchbox', { name: 'Find a merchant' }).fill('sidra')
    await page.waitForURL(/q=sidra/)
    await page.getByRole('link', { name: /Sidra Coffee/ }).click()
    await page
      .getByRole('button', { name: /^Switch merchant/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'All merchants' }).waitFor()
    await page.getByRole('menuitem', { name: 'Sidra Coffee' }).waitFor()
  })
})
