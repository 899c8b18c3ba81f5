import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { doErasures, eraseRequested } from '../../src/features/erasure/job.ts'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults, makeMerchant, purchase, testApp } from '../support/api.ts'
import { expectAccessible, expectToFit, screenshot, testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { deliveryUnderWay } from '../support/delivery-under-way.ts'
import { freshPhone, walletOf } from '../support/earnings.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const database = testDatabase({ leaves: ['due messages'] })
const app = testApp(database, { port, public_url: origin })
const browser = testBrowser()
const parts = { secrets: createSecretBox(defaults.secret_key) }
let merchant: MadeMerchant
let operator: Person

beforeAll(async () => {
  merchant = await makeMerchant(app().db)
  operator = await makePerson(app(), 'operator')
})

const texts = {
  en: { cancel: 'Cancel the erasure', waits: 'The erasure waits', last: /^The customer is erased\. Deliveries/ },
  ar: { cancel: 'إلغاء المحو', waits: 'المحو قيد الانتظار', last: /^مُحي العميل\. ننتظر/ },
}

/** A customer whose erasure is asked for while a worker has a delivery about them. */
async function askedUnderDelivery() {
  const { program_id } = merchant
  const phone = freshPhone() as Phone
  const json = purchase({ phone_number: phone, name: 'Noura' })
  const { uuid } = (await app().post('/v1/orders/earning', merchant.private_key, json)).body.data as { uuid: string }
  const { answer } = await deliveryUnderWay(database.owner, merchant, uuid)
  const id = (await walletOf(database.db, program_id, phone))?.customer_id
  const api = `/programs/${program_id}/customers/${id}/erasure`
  const asked = await operator.call('POST', api, { phone, reason: 'by mail' })
  const { request_uuid } = asked.body.data as { request_uuid: Uuid }
  return { key: { program_id, request_uuid }, answer, api, path: `/p/${program_id}/customers/${id}` }
}

/** A process erases the customer, and dies while it waits for the delivery. */
async function eraseAndDie(key: { readonly program_id: number; readonly request_uuid: Uuid }): Promise<void> {
  const waitUntil = () => Promise.reject(new Error('killed'))
  await expect(eraseRequested({ ...parts, owner: database.owner, waitUntil }, key)).rejects.toThrow('killed')
}

async function workLater(): Promise<void> {
  const text = `update erasure_request set due_at = now() - interval '1 s' where state = 'due'`
  await database.owner.run({ text, values: [] })
  await doErasures({
    ...parts,
    owner: database.owner,
    log: { warn: (about: unknown) => expect.fail(JSON.stringify(about)) },
  })
}

const cancelOf = (page: Page, locale: 'en' | 'ar') => page.getByRole('button', { name: texts[locale].cancel })

// The page offered to cancel what is erased already, which the service refuses, and did not say what it waited for.
it.each(['en', 'ar'] as const)('says what is waited for, and offers nothing that is refused (%s)', async (locale) => {
  const { cancel, waits, last } = texts[locale]
  const { key, answer, api, path } = await askedUnderDelivery()
  const page = await openDashboard(browser, { origin, path, viewer: operator, device: 'phone', locale })
  await page.getByRole('button', { name: cancel }).waitFor()
  await eraseAndDie(key)
  await page.getByText(last).waitFor()
  expect(await cancelOf(page, locale).count()).toBe(0)
  // What is erased is not shown any longer either.
  await page.getByRole('heading', { name: 'Noura' }).waitFor({ state: 'detached' })
  expect((await operator.call('GET', api)).body.data).toMatchObject({ request: { state: 'due', cancellable: false } })
  await expectToFit(page)
  await expectAccessible(page)
  await screenshot(page, `erasure-waits-for-deliveries-${locale}`)
  await answer({ name: 'Noura' })
  await workLater()
  await page.getByText(waits).waitFor({ state: 'detached' })
})

it('offers to cancel while nothing is erased', async () => {
  const { key, answer, api } = await askedUnderDelivery()
  expect((await operator.call('GET', api)).body.data).toMatchObject({ request: { state: 'due', cancellable: true } })
  const cancelled = await operator.call('DELETE', api)
  expect([cancelled.status, cancelled.body.data]).toMatchObject([200, { state: 'cancelled', cancellable: false }])
  expect(await eraseRequested({ ...parts, owner: database.owner }, key)).toBe('gone')
  await answer({})
})
