import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { createSandboxStore } from '../../src/features/payments/sandbox.ts'
import { newUuid } from '../../src/lib/ids.ts'
import type { PaymentProvider, PaymentRequest } from '../../src/providers/payment/port.ts'
import { createSandboxPayments } from '../../src/providers/payment/sandbox.ts'
import { type App, startApp } from '../support/api.ts'
import { expectAccessible, expectToFit, screenshot, testBrowser } from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { Shopper, titleOf, wordsOf } from '../support/shopper.ts'

const database = testDatabase()
const browser = testBrowser()
let app: App
let origin: string
let provider: PaymentProvider

beforeAll(async () => {
  const port = await portOfPages()
  origin = `https://localhost:${port}`
  app = await startApp(database, { port, public_url: origin, operator: { name: 'Mall Company', contact: null } })
  provider = createSandboxPayments(createSandboxStore({ db: database.db, clock: app.clock }), origin)
})
afterAll(() => app.stop())

/** Creates a payment that returns to `/terms`. */
async function createPayment(changes: Partial<PaymentRequest> = {}): Promise<{ payment_uuid: Uuid; path: string }> {
  const payment_uuid = newUuid()
  const urls = { return_url: `${origin}/terms`, callback_url: `${origin}/c` }
  const amount_halalas = asHalalas(9_550)
  const page = await provider.create({
    ...{ program_id: 1, payment_uuid, amount_halalas, kind: 'sale', locale: 'en', ...urls },
    ...{ description: 'Order <17> at مقهى الزاوية', ...changes },
  })
  if (page.kind !== 'page') throw new Error('no page')
  return { payment_uuid, path: new URL(page.url).pathname }
}

const stateOf = async (payment_uuid: Uuid) => {
  const record = await provider.query({ program_id: 1, payment_uuid, provider_reference: null })
  return record.kind === 'payment' ? record.state : record.kind
}
const shopper = () => new Shopper(app.send, origin)

describe('the sandbox payment page', () => {
  it('asks for no card number, shows the payment, and changes nothing when opened', async () => {
    const { payment_uuid, path } = await createPayment()
    const me = shopper()
    const page = await me.open(path)
    expect(page.status).toBe(200)
    expect(wordsOf(page)).toContain('Order <17> at مقهى الزاوية')
    expect(wordsOf(page)).toContain('95.50')
    expect(wordsOf(page)).toContain('Mall Company')
    expect(page.text).not.toMatch(/autocomplete="cc-|card number"|type="(?:text|tel|password)"/)
    await me.open(path)
    expect(await stateOf(payment_uuid)).toBe('pending')
  })

  it('pays once: a second or concurrent use redirects back', async () => {
    const { payment_uuid, path } = await createPayment()
    const [one, two] = [shopper(), shopper()]
    const pages = [await one.open(path), await two.open(path)] as const
    const done = await Promise.all([
      one.submit(pages[0], 'card', { card: 'succeeds' }),
      two.submit(pages[1], 'card', { card: 'declined' }),
    ])
    expect(done.map((visit) => visit.path)).toEqual(['/terms', '/terms'])
    const state = await stateOf(payment_uuid)
    expect(['paid', 'failed']).toContain(state)
    const again = await one.submit(pages[0], 'card', { card: 'slow' })
    expect(again.path).toBe('/terms')
    expect(await stateOf(payment_uuid)).toBe(state)
    const used = await one.open(path)
    expect(titleOf(used)).toContain('has been used')
    expect(used.text).toContain(`href="${origin}/terms"`)
  })

  it.each([
    ['yes', 'authorized'],
    ['no', 'failed'],
  ])('a challenged payment confirmed with %s is %s', async (passed, state) => {
    const { payment_uuid, path } = await createPayment({ kind: 'auth' })
    const me = shopper()
    const first = await me.open(path)
    expect(wordsOf(first)).toContain('Amount to reserve')
    const question = await me.submit(first, 'card', { card: 'challenge' })
    expect([question.path, titleOf(question)]).toEqual([path, expect.stringContaining('Your bank asks')])
    const csrf = /name="csrf" value="([^"]+)"/.exec(question.text)?.[1] ?? ''
    expect((await me.post(path, new URLSearchParams({ csrf, passed }))).path).toBe('/terms')
    expect(await stateOf(payment_uuid)).toBe(state)
  })

  it('refuses forged forms and unknown cards', async () => {
    const { payment_uuid, path } = await createPayment()
    const forged = await shopper().post(path, new URLSearchParams({ card: 'succeeds' }))
    expect(forged.status).toBe(403)
    const me = shopper()
    const other = await me.submit(await me.open(path), 'card', { card: '4111111111111111' })
    expect(other.path).toBe(path)
    expect(await stateOf(payment_uuid)).toBe('pending')
  })

  it('answers 404 for an unknown payment, and always in production', async () => {
    const { path } = await createPayment()
    for (const wrong of [`/sandbox/pay/1/${newUuid()}`, '/sandbox/pay/1/x', '/sandbox/pay/x/y', '/sandbox/pay/2/z'])
      expect((await app.page(wrong)).status).toBe(404)
    const production = await startApp(database, { environment: 'production' })
    try {
      expect((await production.page(path)).status).toBe(404)
      expect(await production.services.sandboxPage).toBeUndefined()
    } finally {
      await production.stop()
    }
  })
})

describe('the sandbox payment page in a browser', () => {
  it.each([
    ['phone', 'ar', false],
    ['phone', 'en', true],
    ['desktop', 'ar', true],
  ] as const)('is accessible on a %s in %s, dark: %s', async (device, locale, dark) => {
    const { payment_uuid, path } = await createPayment()
    const page = await browser.open({ origin, device, locale, dark })
    await page.goto(`${origin}${path}`)
    await expectAccessible(page)
    await expectToFit(page)
    await screenshot(page, `sandbox-payment-${device}-${locale}`)
    await page.locator('input[value=challenge] + label').click()
    await page.locator('main form button[type=submit]').click()
    await page.waitForSelector('button[name=passed]')
    await expectAccessible(page)
    await page.locator('button[name=passed][value=yes]').click()
    await page.waitForURL(`${origin}/terms`)
    expect(await stateOf(payment_uuid)).toBe('paid')
    await page.goto(`${origin}${path}`)
    await expectAccessible(page)
  })
})
