import { beforeAll, describe, expect, it } from 'vitest'
import { setBrand } from '../../src/features/merchants/brand.ts'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { enterCode, expectHeading, press } from '../support/checkout-browser.ts'
import { type DashboardVisit, openDashboard, settled, visitPages } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { startWorker } from '../support/deliveries.ts'
import { pngOf } from '../support/logos.ts'
import { portOfPages } from '../support/port.ts'
import { type ReceiverOptions, startReceiver } from '../support/receiver.ts'
import { makePerson, type Person } from '../support/staff.ts'
import { waitFor } from '../support/wait.ts'

// A merchant's staff set how points are earned and paid, and where events go.

const port = await portOfPages()
const origin = `https://localhost:${port}`
const database = testDatabase({ leaves: ['ledger differences', 'due deliveries'] })
const app = testApp(database, { port, public_url: origin })
const browser = testBrowser()

let merchant: MadeMerchant
let owner: Person
let webhook: string
let delivery: string

type Data = Record<string, string>
const ask = async (method: string, path: string, json?: object): Promise<Data> =>
  (await owner.call(method, `/merchants/${merchant.merchant_id}${path}`, json)).body.data as Data

beforeAll(async () => {
  merchant = await makeMerchant(app().db, { name: 'Sidra Coffee' })
  await setBrand(app().db, merchant, { name_ar: 'قهوة سدرة', logo: pngOf(64, 64) }, new Date())
  owner = await makePerson(app(), { ...merchant, role: 'owner' })
})

const at = (path: string) => `/m/${merchant.merchant_id}/${path}`
const visit = (path: string, options: Partial<DashboardVisit> = {}) =>
  openDashboard(browser, { origin, path: at(path), viewer: owner, ...options })

describe('a delivery that fails', () => {
  it('is prepared for the pages', async () => {
    const answer: ReceiverOptions['answer'] = (response) =>
      void response.writeHead(500).end('{"error":"closed: the warehouse opens again at eight in the morning"}')
    const receiver = await startReceiver({ answer })
    webhook = (await ask('POST', '/webhooks', { name: 'Primary', url: receiver.url }))['uuid'] ?? ''
    delivery = (await ask('POST', `/webhooks/${webhook}/test`))['delivery_id'] ?? ''
    startWorker(app().db, { settings: { retry_delays_s: [] } })
    await waitFor(
      'the delivery to fail',
      async () => (await ask('GET', `/deliveries/${delivery}`))['state'] === 'failed',
    )
  })
})

describe('every page', () => {
  const visitAll = (paths: Readonly<Record<string, string>>) => visitPages(browser, { origin, paths, viewer: owner })

  it('about settings is accessible and fits in both languages, light and dark', () =>
    visitAll({
      brand: at('settings/brand'),
      earning: at('settings/earning'),
      payment: at('settings/payment'),
      keys: at('settings/keys'),
    }))

  it('about deliveries is accessible and fits in both languages, light and dark', async () => {
    await visitAll({ deliveries: at('deliveries') })
    await visitAll({
      delivery: at(`deliveries/${delivery}`),
      webhooks: at('webhooks'),
      webhook: at(`webhooks/${webhook}`),
    })
  })
})

describe('the earning settings', () => {
  it('say what a rate means while it is typed, what is wrong at its field, and that an empty number is not 0', async () => {
    const page = await visit('settings/earning', { mayFail: /\/settings$/ })
    const rate = page.getByLabel('Points per SAR')
    const save = page.getByRole('button', { name: 'Save' })
    await rate.fill('')
    await save.click()
    await page.getByText('Enter a number.').waitFor()
    await rate.and(page.locator(':focus')).waitFor()
    await rate.fill('2.5')
    await page.getByText('100 SAR earns 250 points').waitFor()
    const hosts = page.getByRole('combobox', { name: 'Hosts that checkouts may return to' })
    await hosts.fill('https://shop.example/')
    await page.keyboard.press('Enter')
    await save.click()
    await page.getByText(/must be a host, such as shop\.example/).waitFor()
    expect(await ask('GET', '/settings')).toMatchObject({ points_per_sar: 10 })
    await hosts.press('Backspace')
    await rate.fill('٧٫٥')
    await save.click()
    await page.getByText('Saved.').waitFor()
    expect(await ask('GET', '/settings')).toMatchObject({ points_per_sar: 7.5 })
  })

  it('that somebody else changed meanwhile are compared before they are overwritten', async () => {
    const page = await visit('settings/earning', { mayFail: /\/settings$/ })
    const { version } = await ask('GET', '/settings')
    await ask('PATCH', '/settings', { version, refund_window_days: 9 })
    await page.getByLabel('Refund window, in days').fill('21')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' })
    await dialog.getByRole('row', { name: /Refund window, in days 21 9/ }).waitFor()
    await dialog.getByRole('button', { name: 'Save mine anyway' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await ask('GET', '/settings')).toMatchObject({ refund_window_days: 21 })
  })

  it('can be read and not changed by a supporter', async () => {
    const supporter = await makePerson(app(), { ...merchant, role: 'support' })
    const page = await visit('settings/earning', { viewer: supporter })
    expect(await page.getByLabel('Points per SAR').isDisabled()).toBe(true)
  })
})

describe('a secret', () => {
  it('of new keys is shown once, until the reader says that it is stored', async () => {
    const page = await visit('settings/keys')
    await page.getByRole('button', { name: 'Replace the private key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the private key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your new keys' })
    const key = await dialog.getByText(/^sk_test_[0-9a-z]{26}$/).textContent()
    expect((await app().get('/v1/webhooks', key ?? '')).status).toBe(200)
    expect(await dialog.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
    await dialog.getByLabel('I have stored it').check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.reload()
    await settled(page)
    expect(await page.getByText(key ?? '-').count()).toBe(0)
  })

  it('of a new webhook is shown once, in Arabic too', async () => {
    const page = await visit('webhooks', { locale: 'ar', mayFail: /\/webhooks$/ })
    await page.getByRole('button', { name: 'أضف Webhook' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('الاسم').fill('تدقيق')
    await form.getByLabel('الرابط').fill('https://10.0.0.1/x')
    await form.getByRole('button', { name: 'أضف Webhook' }).click()
    await form.getByText(/عنوان عام/).waitFor()
    await form.getByLabel('الرابط').fill('https://198.51.101.7/audit')
    await form.getByRole('button', { name: 'أضف Webhook' }).click()
    await page.getByText(/^whsec_/).waitFor()
  })
})

describe('the brand', () => {
  it('is seen on the real checkout page before it is saved', async () => {
    const page = await visit('settings/brand')
    const frame = page.frameLocator('iframe')
    await frame.getByText('Sidra Coffee').first().waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Sidra & Sons')
    await frame.getByText('Sidra & Sons').first().waitFor()
    await page.locator('label', { hasText: 'العربية' }).click()
    await frame.getByText('قهوة سدرة').first().waitFor()
    expect(await ask('GET', '/brand')).toMatchObject({ name: 'Sidra Coffee' })
  })
})

describe('the payment', () => {
  it('is tested with a clear result; its methods are named here and shown by the checkout', async () => {
    const page = await visit('settings/payment')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('There is nobody to ask').waitFor()
    for (const method of ['Visa', 'Tabby', 'mada', 'Apple Pay', 'Tabby'])
      await page.getByRole('switch', { name: method, exact: true }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await ask('GET', '/payment')).toMatchObject({ methods: ['mada', 'visa', 'apple_pay'] })

    // The customer of a sandbox with points.
    const opening = { order_number: '1', total_price: 90, phone_number: '0500000001' }
    const opened = await app().call('POST', `/v1/orders/checkout/${merchant.public_key}`, { json: opening })
    const link = String(Object(opened.body.data)['checkout_url'])
    const shopper = await browser.open({ origin })
    await shopper.goto(link)
    await press(shopper, 'given')
    await enterCode(shopper)
    await expectHeading(shopper, 'Use your points')
    expect(await shopper.locator('.methods > li:visible').allInnerTexts()).toEqual(['mada', 'Visa'])
    await shopper.getByText('Keep my points').click()
    await press(shopper, 'confirm')
    await expectHeading(shopper, 'Sandbox payment')
  })
})

describe('failed deliveries', () => {
  it('are counted, then sent again', async () => {
    const page = await visit(`webhooks/${webhook}`)
    await page.getByRole('button', { name: 'Count', exact: true }).click()
    await page.getByText('1 delivery failed').waitFor()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.getByText('1 delivery is on its way again.').waitFor()
    expect(await ask('GET', `/deliveries/${delivery}`)).toMatchObject({ state: 'due', series: 2 })
    await ask('DELETE', `/webhooks/${webhook}`)
  })
})
