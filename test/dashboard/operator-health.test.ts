import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { startLedgerRuns } from '../../src/features/deployment/ledger-run-job.ts'
import { startHeartbeat } from '../../src/features/deployment/processes.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { createCountMessage } from '../../src/features/limits/message-counts.ts'
import { keepFindings } from '../../src/features/payments/finding-queries.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { JobBook } from '../../src/lib/job-book.ts'
import { type App, makeMerchant, purchase, testApp } from '../support/api.ts'
import { screenshot, testBrowser } from '../support/browser.ts'
import { openDashboard, settled, visitPage, visitPages } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'
import { waitFor } from '../support/wait.ts'

// Operators check the health of the deployment and its ledger.

const port = await portOfPages()
const origin = `https://localhost:${port}`
const database = testDatabase({ leaves: ['due deliveries'] })
const app = testApp(database, { port, public_url: origin })
const browser = testBrowser()
const log = { info: () => undefined, warn: () => undefined } as never

let merchant: Awaited<ReturnType<typeof makeMerchant>>
let operator: Person
let stopBeats: () => Promise<void>

beforeAll(async () => {
  await claimDeployment(database.db, 'sandbox')
  merchant = await makeMerchant(database.db, { name: 'Sidra Coffee' })
  operator = await makePerson(app(), 'operator')
  for (const kind of ['amount_differs', 'missing'] as const) await find(app(), kind)
  await send()
  stopBeats = await beat()
})

afterAll(() => stopBeats())

const ofProgram = (path: string) => `/p/${merchant.program_id}/${path}`

/** A finding about an order of the merchant. */
async function find(of: App, kind: 'amount_differs' | 'missing'): Promise<void> {
  const { body } = await of.post('/v1/orders/earning', merchant.private_key, purchase())
  const { uuid = '' } = body.data as { uuid?: string }
  const back = kind === 'missing' ? { refund_halalas: 9_750, returned_points: 500, reversed_points: 975 } : undefined
  const nothing = { refund_halalas: null, returned_points: null, reversed_points: null }
  const finding = {
    ...{ finding_uuid: newUuid(), merchant_id: merchant.merchant_id, order_uuid: uuid, payment_uuid: newUuid() },
    ...{ provider: 'moyasar', provider_reference: `pay-${kind}`, amount_halalas: 9_750, kind },
    ...{ action: back === undefined ? 'none' : 'reversed', detail: 'paid, 90.00 SAR', ...nothing, ...back },
  }
  await database.db.run(keepFindings(merchant.program_id, [finding as never], new Date()))
}

/** Messages of this hour and of the hours before. */
async function send(): Promise<void> {
  const { program_id } = merchant
  for (let hours = 0; hours < 20; hours += 1) {
    const count = createCountMessage(database.db, () => new Date(Date.now() - hours * 3_600_000))
    for (let number = 0; number <= hours % 5; number += 1) await count({ program_id, kind: 'code', outcome: 'sent' })
    await count({ program_id, kind: 'invitation', outcome: 'sent' })
    if (hours % 6 === 1) await count({ program_id, kind: 'code', outcome: 'failed', error: 'refused: HTTP 400, ER-05' })
    if (hours % 9 === 0) await count({ program_id: 0, kind: 'mail', outcome: 'sent' })
  }
}

/** A process that reports until it is stopped. */
async function beat(): Promise<() => Promise<void>> {
  const jobs = new JobBook()
  for (const name of ['maintenance', 'daily figures', 'expiry', 'reconciliation']) {
    jobs.of(name).begins()
    jobs.of(name).ends(300_000, undefined)
  }
  const failing = jobs.of('payment tasks')
  failing.begins()
  failing.ends(5_000, new Error('connect ECONNREFUSED'))
  const findings = [
    { check: 'node', ok: true, detail: 'Node.js 26.1.0' },
    { check: 'disk', ok: false, detail: '0.4 GiB free', advice: 'Make room.' },
  ]
  const about = { role: 'all', version: '0.1.0', host: 'nuqta-1', pid: 4711 } as const
  const certificateEnd = () => '2027-12-01'
  const { stop } = startHeartbeat({ db: database.db, about, jobs, examine: async () => findings, certificateEnd })
  const seen = { text: 'select 1 as seen from service_process', values: [] }
  await waitFor('the process says how it is', async () => (await database.db.run(seen)).length > 0)
  return stop
}

it('shows pages that fit and are accessible', () =>
  visitPages(browser, {
    origin,
    paths: { findings: ofProgram('findings'), health: '/operator/health', messages: '/operator/messages' },
    viewer: operator,
  }))

it('shows what was found in payments; an operator notes something and handles it', async () => {
  const page = await openDashboard(browser, {
    ...{ origin, path: ofProgram('findings'), viewer: operator, mayFail: /\/findings\// },
  })
  await page.getByRole('button', { name: 'Another amount was paid' }).click()
  const dialog = page.getByRole('dialog', { name: 'Another amount was paid' })
  await dialog.getByRole('textbox', { name: 'Note' }).fill('The bank sends the rest tomorrow.')
  // More was found since the page was loaded: it is shown before it is handled.
  await database.owner.script(`update reconciliation_finding set amount_halalas = 12345 where kind = 'amount_differs'`)
  await dialog.getByRole('button', { name: 'Mark as handled' }).click()
  await dialog.getByText('123.45').waitFor()
  await screenshot(page, 'finding-changed-meanwhile')
  await dialog.getByRole('button', { name: 'Mark as handled' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Handled', { exact: true }).first().click()
  await page.waitForURL(/state=handled/)
  await page.getByRole('button', { name: 'Another amount was paid' }).click()
  await page.getByRole('dialog').getByText(operator.email).waitFor()
  expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('The bank sends the rest tomorrow.')
  const { body } = await operator.call('GET', `/programs/${merchant.program_id}/findings?limit=1`)
  expect(body).toMatchObject({ open: 1, next: expect.any(String), data: [{ kind: 'missing', amount: 97.5 }] })
  await browser.leave(page)
})

it('verifies the ledger on demand, with progress, and cancels it', async () => {
  const begun = Promise.withResolvers<void>()
  const verify: Parameters<typeof startLedgerRuns>[0]['verify'] = async (_, { signal, progress } = {}) => {
    progress?.({ transfers: 60_000, entries: 120_000, wallets: 0 }, 'transfers')
    begun.resolve()
    await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    throw new Error('not cancelled')
  }
  const hanging = startLedgerRuns({ db: database.db, log, poll_ms: 20, verify })
  const page = await openDashboard(browser, { origin, path: ofProgram('ledger'), viewer: operator })
  await page.getByRole('button', { name: 'Verify now' }).click()
  await begun.promise
  await page.getByText('Transfers and their entries').waitFor()
  const path = `/programs/${merchant.program_id}/ledger-runs`
  expect((await operator.call('POST', path)).status).toBe(409)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).last().click()
  await page.getByText('The verification was cancelled').waitFor()
  await hanging()
  const stop = startLedgerRuns({ db: database.db, log, poll_ms: 20 })
  await page.getByRole('button', { name: 'Verify now' }).click()
  await page.getByText('The ledger is right').waitFor()
  await stop()
  await browser.leave(page)
  await database.owner.script(`update ledger_run set differences = 140, shown =
    '[{"program_id":1,"check":"wallet_posted","id":"0193e7a1-0000-7000-8000-000000000001","detail":"posted is 500 and its entries sum to 450"}]'
    where state = 'done'`)
  await visitPage(browser, 'ledger', { origin, path: ofProgram('ledger'), viewer: operator })
})

it('shows the state of the deployment, and keeps it up to date', async () => {
  const page = await openDashboard(browser, { origin, path: '/operator/health', viewer: operator })
  await page.getByText('disk: 0.4 GiB free. Make room.').waitFor()
  await page.getByText('Certificate until 1 Dec 2027').waitFor()
  await page.getByText('connect ECONNREFUSED').first().waitFor()
  await stopBeats()
  await database.owner.script('delete from service_process')
  await page.getByText('No worker is running', { exact: false }).first().waitFor()
  await browser.leave(page)
})

it('shows the messages that were sent, what is left, and what failed', async () => {
  const page = await openDashboard(browser, { origin, path: '/operator/messages', viewer: operator })
  await page.getByText('refused: HTTP 400, ER-05').waitFor()
  await page.getByRole('button', { name: 'Show the numbers as a table' }).first().click()
  await page.getByRole('table', { name: 'The last 24 hours' }).waitFor()
  await browser.leave(page)
})

it('shows the audit logs of a program and of the service, by object, and as a file', async () => {
  const { program_id } = merchant
  const page = await openDashboard(browser, { origin, path: '/operator/audit', viewer: operator })
  await settled(page)
  await browser.leave(page)
  const changes = async (query: string) =>
    ((await operator.call('GET', `/programs/${program_id}/audit${query}`)).body.data as { action: string }[]).map(
      ({ action }) => action,
    )
  expect(await changes(`?by=${operator.email}&object=program:${program_id}`)).toEqual([
    ...['ledger.verify', 'ledger.cancel', 'ledger.verify'],
  ])
  expect(await changes('?action=findings.set')).toEqual(['findings.set'])
  expect((await operator.call('GET', `/programs/${program_id}/audit?object=somebody`)).status).toBe(422)
  const file = await operator.call('GET', `/programs/${program_id}/audit.csv?action=findings.set`)
  expect(file.text.split('\r\n')[1]).toContain(`${operator.email},dashboard,findings.set,order:`)
  expect((await operator.call('GET', '/operator/audit.csv')).headers['content-disposition']).toContain(
    'audit-deployment.csv',
  )
  const none = '0193e7a1-0000-7000-8000-0000000000ff' as Uuid
  const change = { version: 'any', handled: true }
  expect((await operator.call('PATCH', `/programs/${program_id}/findings/${none}`, change)).status).toBe(404)
  expect((await operator.call('DELETE', `/programs/${program_id}/ledger-runs/${none}`)).status).toBe(404)
})
