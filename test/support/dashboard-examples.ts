import type { dashboardRoutes } from '../../src/dashboard-routes.ts'
import { type Day, dayOf } from '../../src/domain/day.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { type Phone, parsePhone } from '../../src/domain/phone.ts'
import type { Role } from '../../src/domain/staff.ts'
import { terms } from '../../src/domain/terms.ts'
import { keepFindings } from '../../src/features/payments/finding-queries.ts'
import { doRunOf } from '../../src/features/settlement/run-job.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { type App, purchase } from './api.ts'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import { subject } from './examples.ts'
import { makeReports } from './liability.ts'
import { logoFile } from './logos.ts'
import type { Merchant } from './posts.ts'
import { makePerson, type Person, type StaffBrowser, staffBrowser } from './staff.ts'
import { type CodeApp, codeApp } from './totp.ts'

// A request that succeeds for each route of the dashboard.

type Row = (typeof dashboardRoutes)[number]

/** Where a request is made. */
export interface DashboardStage {
  readonly app: App
  readonly merchant: Merchant & { readonly program_id: number; readonly merchant_id: number }
}

export interface Example {
  readonly by: StaffBrowser
  readonly path: string
  readonly json: unknown
}

/**
 * What an example needs beside its route: a body, ids of the path, a query, and who asks, if not an owner or an operator.
 */
interface Prepared {
  readonly json?: unknown
  readonly ids?: Readonly<Record<string, string>>
  readonly query?: string
  readonly by?: StaffBrowser
}

type Data = Readonly<Record<string, string>>
const password = 'kettle grants tuesday'
const new_password = 'an entirely different kettle'

class Maker {
  readonly stage: DashboardStage
  readonly owner: Person

  constructor(stage: DashboardStage, owner: Person) {
    this.stage = stage
    this.owner = owner
  }

  person = (role: Role): Promise<Person> => makePerson(this.stage.app, { ...this.stage.merchant, role }, password)

  /** Asks as the owner, or as `by`, for what an example needs. */
  async ask<T = Data>(method: string, path: string, json?: unknown, by: StaffBrowser = this.owner): Promise<T> {
    const { status, body } = await by.call(method, path, json)
    if (status !== 200) throw new Error(`${method} ${path} answers ${status}: ${body.message}`)
    return body.data as T
  }

  at = (path: string): string => `/merchants/${this.stage.merchant.merchant_id}${path}`

  /** The order that the example of this API route uses. */
  async order(action: 'authorize' | 'capture' | 'complete' | 'cancel' | 'refund'): Promise<{ orderUuid: string }> {
    const { app, merchant } = this.stage
    const row = { method: 'POST', path: `/v1/orders/:orderUuid/${action}` } as Parameters<typeof subject>[1]
    // Each earning has an order number of its own.
    const sent =
      action === 'refund' ? await app.post('/v1/orders/earning', merchant.private_key, purchase()) : undefined
    return {
      orderUuid: sent === undefined ? await subject(app, row, merchant) : String((sent.body.data as Data)['uuid']),
    }
  }

  async customer(): Promise<{ customerId: string }> {
    const { orderUuid } = await this.order('refund')
    const { customer } = await this.ask<{ customer: Data }>('GET', this.at(`/orders/${orderUuid}`))
    return { customerId: customer['customer_id'] ?? customer['id'] ?? '' }
  }

  /** A second customer with points, to merge into `customer()`. */
  async otherCustomer(): Promise<{ customerId: string; phone: string }> {
    const { app, merchant } = this.stage
    const digits = `${Number.parseInt(newUuid().slice(-6), 16)}`.padStart(8, '0').slice(-7)
    const sent = { ...purchase(), phone_number: `056${digits}` }
    const { body } = await app.post('/v1/orders/earning', merchant.private_key, sent)
    const orderUuid = String((body.data as Data)['uuid'])
    const { customer } = await this.ask<{ customer: Data }>('GET', this.at(`/orders/${orderUuid}`))
    return { customerId: customer['customer_id'] ?? '', phone: customer['phone'] ?? '' }
  }

  async waitingErasure(): Promise<Prepared> {
    const { customerId, phone } = await this.otherCustomer()
    const by = { source: 'command', name: 'Sara' } as const
    const customer = { program_id: this.stage.merchant.program_id, customer_id: customerId as Uuid }
    const asked = { phone: parsePhone(phone) as Phone, reason: 'They asked for it', by }
    await this.stage.app.services.erasureRequests.ask(customer, asked)
    return { ids: { customerId } }
  }

  async settlement(): Promise<{ settlementUuid: string }> {
    await this.order('refund')
    const operator = await makePerson(this.stage.app, 'operator')
    const { program_id, merchant_id } = this.stage.merchant
    const path = `/programs/${program_id}`
    await this.endRuns()
    await this.ask('POST', `${path}/settlement-runs`, { kind: 'close', merchant_id }, operator)
    await this.endRuns()
    const settlements = await this.ask<Data[]>('GET', `${path}/settlements`, undefined, operator)
    return { settlementUuid: settlements[0]?.['settlement_id'] ?? '' }
  }

  /** Does the work of a worker. */
  async endRuns(): Promise<void> {
    const { db, clock } = this.stage.app
    const parts = { db, clock, log: { warn: () => undefined } }
    // Run for this program only: listing programs reads all shards of a cluster.
    while ((await doRunOf(parts, this.stage.merchant.program_id)) > 0);
  }

  async programWebhook(): Promise<Prepared> {
    const { program_id } = this.stage.merchant
    const by = { source: 'command', name: 'Sara' } as const
    await this.stage.app.services.programWebhooks.set(program_id, 'https://198.51.101.7/told', { by })
    return {}
  }

  /** A settlement that is not announced yet. */
  async withoutWebhook(): Promise<void> {
    const { program_id } = this.stage.merchant
    await this.programWebhook()
    await this.stage.app.services.programWebhooks.remove(program_id, { by: { source: 'command', name: 'Sara' } })
  }

  async leftOut(): Promise<Prepared> {
    const ids = await this.order('refund')
    const { program_id, merchant_id } = this.stage.merchant
    const by = { source: 'command', name: 'Sara' } as const
    const order = { program_id, merchant_id, order_uuid: ids.orderUuid as Uuid }
    await this.stage.app.services.disputes.begin({ ...order, by, reason: 'Denied' })
    return { ids }
  }

  /** A colleague's proposal to weaken the two-person rule. */
  async proposal(): Promise<{ proposalUuid: string }> {
    const by = await makePerson(this.stage.app, 'operator')
    const path = `/programs/${this.stage.merchant.program_id}/settings`
    type Settings = { readonly proposals: readonly Data[] }
    const change = async (settlements: boolean): Promise<Settings> => {
      const settings = await this.ask<object>('GET', path, undefined, by)
      const two_person = { rates: false, settlements }
      return this.ask<Settings>('PATCH', path, { ...settings, two_person }, by)
    }
    await change(true)
    return { proposalUuid: (await change(false)).proposals[0]?.['proposal_uuid'] ?? '' }
  }

  async webhook(): Promise<{ uuid: string; version: string }> {
    for (const { uuid } of await this.ask<Data[]>('GET', this.at('/webhooks')))
      await this.ask('DELETE', this.at(`/webhooks/${uuid}`))
    return this.ask('POST', this.at('/webhooks'), { name: 'Main', url: 'https://198.51.101.7/hook' })
  }

  async delivery(): Promise<{ deliveryId: string }> {
    const { uuid } = await this.webhook()
    const { delivery_id = '' } = await this.ask('POST', this.at(`/webhooks/${uuid}/test`))
    return { deliveryId: delivery_id }
  }

  /** The settings of a page with a change; fields that the change omits stay. */
  async versioned(path: string, change: object): Promise<Prepared> {
    const { version } = await this.ask('GET', this.at(path))
    return { json: { version, ...change } }
  }

  async otherOperator(): Promise<Prepared> {
    return { ids: { staffUuid: (await makePerson(this.stage.app, 'operator')).staff_uuid } }
  }

  /** A complete report of a program's liability. */
  async report(): Promise<Prepared> {
    const { program_id } = this.stage.merchant
    const day = '2026-01-31' as Day
    await this.stage.app.services.liability.ask({ program_id, day }, true)
    await makeReports(this.stage.app.db)
    return { ids: { day } }
  }

  /** The merchant's details that operators edit. */
  async review<T>(): Promise<T> {
    const { program_id, merchant_id } = this.stage.merchant
    const operator = await makePerson(this.stage.app, 'operator')
    return this.ask('GET', `/programs/${program_id}/merchants/${merchant_id}`, undefined, operator)
  }

  async passkey(): Promise<{ device: Authenticator; uuid: string }> {
    const device = createAuthenticator({ origin: 'https://localhost:8443', rp_id: 'localhost' })
    const json = { name: 'Phone', response: device.register(await this.ask('POST', '/account/passkeys/options')) }
    const { passkey_uuid = '' } = await this.ask('POST', '/account/passkeys', json)
    return { device, uuid: passkey_uuid }
  }

  async totp(): Promise<{ phone: CodeApp; code: string }> {
    const { secret = '' } = await this.ask('POST', '/account/totp/begin', {})
    const phone = codeApp(secret)
    return { phone, code: phone.next() }
  }

  /** A person who has entered the right password and must enter a code. */
  async halfSignedIn(): Promise<Prepared> {
    const { phone, code } = await this.totp()
    await this.ask('POST', '/account/totp/confirm', { code })
    const by = staffBrowser(this.stage.app)
    await this.ask('POST', '/sign-in', { email: this.owner.email, password }, by)
    return { by, json: { code: phone.next() } }
  }

  /** A finding about a payment of an order. */
  async finding(): Promise<{ findingUuid: string; version: string }> {
    const { app, merchant } = this.stage
    const [finding_uuid, { orderUuid }] = [newUuid(), await this.order('refund')]
    const order = { merchant_id: merchant.merchant_id, order_uuid: orderUuid as Uuid, payment_uuid: newUuid() }
    const found = { kind: 'amount_differs', action: 'none', detail: 'paid, 90.00 SAR' } as const
    const nothing = { refund_halalas: null, returned_points: null, reversed_points: null }
    const payment = { provider: 'moyasar', provider_reference: 'pay-1', amount_halalas: asHalalas(9_750) }
    const row = { finding_uuid, ...order, ...found, ...payment, ...nothing }
    await app.db.run(keepFindings(merchant.program_id, [row], new Date()))
    const by = await makePerson(app, 'operator')
    const findings = await this.ask<Data[]>('GET', `/programs/${merchant.program_id}/findings`, undefined, by)
    const version = findings.find((one) => one['finding_uuid'] === finding_uuid)?.['version'] ?? ''
    return { findingUuid: finding_uuid, version }
  }

  /** A new verification that no worker runs, after cancelling the one before. */
  async run(): Promise<string> {
    await this.cancelRun()
    const { ledgerRuns } = this.stage.app.services
    return (await ledgerRuns.begin(this.stage.merchant.program_id, { source: 'dashboard', name: 'Sara' })).run_uuid
  }

  async cancelRun(): Promise<void> {
    const { ledgerRuns } = this.stage.app.services
    const open = await ledgerRuns.open()
    if (open !== undefined)
      await ledgerRuns.cancel(open.program_id, open.run_uuid, { source: 'dashboard', name: 'Sara' })
  }

  /** The token in the mail of an invitation. */
  async invited(): Promise<{ token: string; linkUuid: string }> {
    const email = `new-${this.owner.email}`
    const json = { email, role: 'support' }
    const { link_uuid = '' } = await this.ask('POST', this.at('/team/invitations'), json)
    await this.stage.app.services.staff.background.idle()
    const operator = await makePerson(this.stage.app, 'operator')
    const mails = await this.ask<Data[]>('GET', '/mails', undefined, operator)
    const text = mails.find(({ to }) => to === email)?.['text'] ?? ''
    return { token: /\/dashboard\/link#([0-9a-z]{26})/.exec(text)?.[1] ?? '', linkUuid: link_uuid }
  }
}

type Prepare = (make: Maker) => Prepared | Promise<Prepared>

const nothing: Prepare = () => ({})
const ofOrder =
  (action: Parameters<Maker['order']>[0], json: object = {}): Prepare =>
  async (make) => ({ ids: await make.order(action), json })
const ofWebhook =
  (json?: unknown): Prepare =>
  async (make) => ({ ids: { uuid: (await make.webhook()).uuid }, json })
const ofMember =
  (json?: unknown): Prepare =>
  async (make) => ({ ids: { staffUuid: (await make.person('support')).staff_uuid }, json })
const ofSettlement: Prepare = async (make) => ({ ids: await make.settlement() })
const range = { since: '2026-01-01T00:00:00Z', until: '2036-01-01T00:00:00Z' }
const shop = '/merchants/:merchantId'
const erasure = '/programs/:programId/customers/:customerId/erasure'
const liability = '/programs/:programId/liability/:day'
const reviewed = '/programs/:programId/merchants/:merchantId'
const program = '/programs/:programId'
const dispute = '/programs/:programId/merchants/:merchantId/orders/:orderUuid/dispute'

const prepares: Readonly<Record<string, Prepare>> = {
  'POST /sign-in': ({ owner: { email }, stage: { app } }) => ({ by: staffBrowser(app), json: { email, password } }),
  'POST /sign-in/second-factor': (make) => make.halfSignedIn(),
  'POST /sign-in/passkey/options': nothing,
  'POST /sign-in/passkey': async (make) => {
    const by = staffBrowser(make.stage.app)
    const { device } = await make.passkey()
    return { by, json: device.signIn(await make.ask('POST', '/sign-in/passkey/options', undefined, by)) }
  },
  'POST /sign-out': nothing,
  'POST /session/confirm': () => ({ json: { password } }),
  'POST /session/confirm/passkey': async (make) => {
    const { device } = await make.passkey()
    return { json: device.signIn(await make.ask('POST', '/sign-in/passkey/options')) }
  },
  'POST /password/forgot': ({ owner: { email } }) => ({ json: { email } }),
  'POST /links/open': async (make) => ({ json: { token: (await make.invited()).token } }),
  'POST /links/accept': async (make) => ({
    by: staffBrowser(make.stage.app),
    json: { token: (await make.invited()).token, name: 'Noura', password },
  }),
  'DELETE /sessions/:sessionUuid': async (make) => {
    await make.ask('POST', '/sign-in', { email: make.owner.email, password }, staffBrowser(make.stage.app))
    const sessions = await make.ask<{ session_uuid: string; current: boolean }[]>('GET', '/sessions')
    return { ids: { sessionUuid: sessions.find(({ current }) => !current)?.session_uuid ?? '' } }
  },
  'POST /sessions/end-others': nothing,
  'PATCH /account': () => ({ json: { name: 'Noura', locale: 'ar' } }),
  'POST /account/password': () => ({ json: { current_password: password, password: new_password } }),
  'POST /account/totp/begin': nothing,
  'POST /account/totp/confirm': async (make) => ({ json: { code: (await make.totp()).code } }),
  'POST /account/totp/remove': async (make) => {
    await make.ask('POST', '/account/totp/confirm', { code: (await make.totp()).code })
    return {}
  },
  'POST /account/recovery-codes': async (make) => {
    await make.passkey()
    return {}
  },
  'POST /account/passkeys/options': nothing,
  'POST /account/passkeys': async (make) => {
    const device = createAuthenticator({ origin: 'https://localhost:8443', rp_id: 'localhost' })
    return { json: { name: 'Key', response: device.register(await make.ask('POST', '/account/passkeys/options')) } }
  },
  'DELETE /account/passkeys/:passkeyUuid': async (make) => ({
    ids: { passkeyUuid: (await make.passkey()).uuid },
  }),

  [`GET ${liability}`]: (make) => make.report(),
  [`PUT ${liability}`]: () => ({ ids: { day: '2026-02-01' }, json: { again: true } }),
  [`GET ${liability}/months.csv`]: (make) => make.report(),

  [`GET ${shop}/orders`]: async (make) => ({ query: `?q=${(await make.order('refund')).orderUuid}&status=approved` }),
  [`GET ${shop}/orders/:orderUuid`]: ofOrder('refund'),
  [`GET ${shop}/orders/:orderUuid/refund-preview`]: ofOrder('refund'),
  [`POST ${shop}/orders/:orderUuid/authorize`]: ofOrder('authorize'),
  [`POST ${shop}/orders/:orderUuid/capture`]: ofOrder('capture'),
  [`POST ${shop}/orders/:orderUuid/complete`]: ofOrder('complete'),
  [`POST ${shop}/orders/:orderUuid/cancel`]: ofOrder('cancel', { reason: 'Late' }),
  [`POST ${shop}/orders/:orderUuid/refund`]: ofOrder('refund', { amount: 1, reason: 'Late' }),
  [`POST ${shop}/orders/:orderUuid/status`]: ofOrder('refund', { status: 'delivery_is_in_progress' }),
  [`GET ${shop}/customers`]: nothing,
  [`GET ${shop}/customers/:customerId`]: async (make) => ({ ids: await make.customer() }),
  [`GET ${shop}/customers/:customerId/history`]: async (make) => ({ ids: await make.customer() }),
  [`POST ${shop}/customers/:customerId/adjustments`]: async (make) => ({
    ids: await make.customer(),
    json: { points: 5, reason: 'A spilled cup' },
  }),
  [`GET ${program}/customers`]: () => ({ query: '?q=Noura' }),
  [`GET ${program}/customers/:customerId`]: async (make) => ({ ids: await make.customer() }),
  [`GET ${program}/customers/:customerId/entries`]: async (make) => ({ ids: await make.customer() }),
  [`GET ${program}/customers/:customerId/orders`]: async (make) => ({ ids: await make.customer() }),
  [`POST ${program}/customers/:customerId/block`]: async (make) => ({
    ids: { customerId: (await make.otherCustomer()).customerId },
    json: { reason: 'The phone was stolen.' },
  }),
  [`POST ${program}/customers/:customerId/unblock`]: async (make) => ({
    ids: { customerId: (await make.otherCustomer()).customerId },
  }),
  [`GET ${erasure}`]: async (make) => ({ ids: await make.customer() }),
  [`POST ${erasure}`]: async (make) => {
    const { phone, ...ids } = await make.otherCustomer()
    return { ids, json: { phone, reason: 'They asked for it' } }
  },
  [`DELETE ${erasure}`]: (make) => make.waitingErasure(),
  [`GET ${program}/customers/:customerId/merge`]: async (make) => ({
    ids: { customerId: (await make.otherCustomer()).customerId },
    query: `?phone=${(await make.otherCustomer()).phone}`,
  }),
  [`POST ${program}/customers/:customerId/merge`]: async (make) => ({
    ids: { customerId: (await make.otherCustomer()).customerId },
    json: { phone: (await make.otherCustomer()).phone },
  }),
  [`GET ${shop}/search`]: () => ({ query: '?q=0512345678' }),

  'POST /programs': ({ owner }) => ({ json: { name: `Program of ${owner.email}` } }),
  [`PATCH ${program}/settings`]: async (make) => {
    const by = await makePerson(make.stage.app, 'operator')
    return { by, json: await make.ask('GET', `/programs/${make.stage.merchant.program_id}/settings`, undefined, by) }
  },
  [`POST ${program}/rates`]: async (make) => {
    const by = await makePerson(make.stage.app, 'operator')
    const rates = await make.ask('GET', `/programs/${make.stage.merchant.program_id}/rates`, undefined, by)
    return { by, json: { begins_on: rates['last_day'], sar_per_point: 0.01 } }
  },
  [`POST ${program}/terms`]: () => ({
    json: {
      version: '2100',
      begins_on: dayOf(new Date(Date.now() + 86_400_000)),
      text_en: 'Terms\n\nBe kind.',
      text_ar: 'الشروط\n\nكن لطيفًا.',
    },
  }),
  [`GET ${program}/terms/:version`]: () => ({ ids: { version: terms.version } }),
  [`GET ${program}/proposals/:proposalUuid`]: async (make) => ({ ids: await make.proposal() }),
  [`POST ${program}/proposals/:proposalUuid/confirm`]: async (make) => ({ ids: await make.proposal() }),
  [`POST ${program}/proposals/:proposalUuid/reject`]: async (make) => ({ ids: await make.proposal() }),
  [`PATCH ${shop}/settings`]: (make) => make.versioned('/settings', { refund_window_days: 9 }),
  [`PUT ${shop}/payment`]: (make) => make.versioned('/payment', { provider: 'merchant', flow: 'sale' }),
  [`POST ${shop}/payment/test`]: () => ({ json: { provider: 'paytabs' } }),
  [`POST ${shop}/signed-checkouts`]: () => ({ json: { signed_checkouts: true } }),
  [`POST ${shop}/checkout-secret/rotate`]: nothing,
  [`PATCH ${shop}/keys`]: () => ({ json: { status: true } }),
  [`POST ${shop}/keys/regenerate`]: () => ({ json: { which: 'both' } }),
  [`PATCH ${shop}/brand`]: (make) => make.versioned('/brand', { name: 'Corner Café', colour: '#FD0' }),
  [`PUT ${shop}/brand/logo/:shape`]: () => ({
    ids: { shape: 'square' },
    json: { content: logoFile.lossy.toString('base64') },
  }),
  [`DELETE ${shop}/brand/logo/:shape`]: async (make) => {
    await make.ask('PUT', make.at('/brand/logo/wide'), { content: logoFile.lossy.toString('base64') })
    return { ids: { shape: 'wide' } }
  },

  'POST /programs/:programId/settlement-runs': async (make) => {
    await make.endRuns()
    return { json: { kind: 'preview' } }
  },
  'POST /programs/:programId/webhook': () => ({ json: { url: 'https://198.51.101.7/told' } }),
  'POST /programs/:programId/webhook/rotate': (make) => make.programWebhook(),
  'POST /programs/:programId/webhook/test': async (make) => {
    // Remove the webhook of another test.
    await make.withoutWebhook()
    return make.programWebhook()
  },
  'DELETE /programs/:programId/webhook': (make) => make.programWebhook(),
  'POST /programs/:programId/settlements/:settlementUuid/tell': async (make) => {
    await make.withoutWebhook()
    const ids = await make.settlement()
    await make.programWebhook()
    return { ids }
  },
  [`GET ${dispute}`]: ofOrder('refund'),
  [`POST ${dispute}`]: ofOrder('refund', { reason: 'The customer denies it' }),
  [`DELETE ${dispute}`]: (make) => make.leftOut(),
  'GET /programs/:programId/settlements/:settlementUuid': ofSettlement,
  'GET /programs/:programId/settlements/:settlementUuid/entries': ofSettlement,
  'GET /programs/:programId/settlements/:settlementUuid/statement.csv': ofSettlement,
  [`GET ${shop}/settlements/:settlementUuid`]: ofSettlement,
  [`GET ${shop}/settlements/:settlementUuid/entries`]: ofSettlement,
  [`GET ${shop}/settlements/:settlementUuid/statement.csv`]: ofSettlement,

  [`POST ${shop}/webhooks`]: () => ({ json: { name: 'Main', url: 'https://198.51.101.7/hook' } }),
  [`PATCH ${shop}/webhooks/:uuid`]: async (make) => {
    const { uuid, version } = await make.webhook()
    return { ids: { uuid }, json: { version, name: 'Primary' } }
  },
  [`DELETE ${shop}/webhooks/:uuid`]: ofWebhook(),
  [`POST ${shop}/webhooks/:uuid/test`]: ofWebhook(),
  [`POST ${shop}/webhooks/:uuid/rotate`]: ofWebhook(),
  [`GET ${shop}/webhooks/:uuid/replay`]: async (make) => ({
    ids: { uuid: (await make.webhook()).uuid },
    query: `?${new URLSearchParams(range)}`,
  }),
  [`POST ${shop}/webhooks/:uuid/replay`]: ofWebhook(range),
  [`GET ${shop}/deliveries`]: async (make) => ({ query: `?state=due&webhook=${(await make.webhook()).uuid}` }),
  [`GET ${shop}/deliveries/:deliveryId`]: async (make) => ({ ids: await make.delivery() }),
  [`POST ${shop}/deliveries/:deliveryId/replay`]: async (make) => ({ ids: await make.delivery() }),

  [`PATCH ${program}/findings/:findingUuid`]: async (make) => {
    const { findingUuid, version } = await make.finding()
    return { ids: { findingUuid }, json: { version, handled: true, note: 'Asked the bank.' } }
  },
  [`POST ${program}/ledger-runs`]: async (make) => {
    await make.cancelRun()
    return {}
  },
  [`DELETE ${program}/ledger-runs/:runUuid`]: async (make) => ({ ids: { runUuid: await make.run() } }),

  [`POST ${shop}/team/invitations`]: ({ owner }) => ({ json: { email: `new-${owner.email}`, role: 'manager' } }),
  [`DELETE ${shop}/team/invitations/:linkUuid`]: async (make) => ({
    ids: { linkUuid: (await make.invited()).linkUuid },
  }),
  [`PATCH ${shop}/team/:staffUuid`]: ofMember({ role: 'read_only' }),
  [`DELETE ${shop}/team/:staffUuid`]: ofMember(),

  'POST /operator/people': ({ owner }) => ({ json: { email: `operator-${owner.email}` } }),
  'POST /operator/people/:staffUuid/recover': (make) => make.otherOperator(),
  'POST /operator/people/:staffUuid/disable': (make) => make.otherOperator(),
  'POST /operator/people/:staffUuid/enable': (make) => make.otherOperator(),
  'POST /programs/:programId/merchants': () => ({ json: { name: 'Corner Café', name_ar: 'مقهى الزاوية' } }),
  [`GET ${reviewed}`]: nothing,
  [`PATCH ${reviewed}`]: async (make) => {
    const { standing } = await make.review<{ standing: Data }>()
    return { json: { version: standing['version'], verified: false, flows: { checkout: true } } }
  },
  [`PUT ${reviewed}/note`]: async (make) => {
    const { note } = await make.review<{ note: Data }>()
    return { json: { version: note['version'], note: 'Called them.' } }
  },
  [`PUT ${reviewed}/documents/:document`]: () => ({
    ids: { document: 'contract' },
    json: { seen: true, note: 'Signed on paper.' },
  }),
  [`POST ${reviewed}/suspend`]: () => ({ json: { reason: 'No answer for a month.', keys_off: true } }),
  [`POST ${reviewed}/resume`]: () => ({ json: { keys_on: true } }),
}

/** Routes whose example is refused, because it would need a worker. */
export const refusedExamples: Readonly<Record<string, number>> = {
  [`POST ${shop}/deliveries/:deliveryId/replay`]: 409,
}

/** Whether a request can be made. A GET without ids needs no row of the table above. */
export const hasExample = ({ method, path }: Row): boolean =>
  `${method} ${path}` in prepares ||
  (method === 'GET' && !/:\w+/.test(path.replace(':merchantId', '').replace(':programId', '')))

/** Prepares the object of a route, for an owner or operator who has just signed in. */
export async function exampleOf(row: Row, stage: DashboardStage): Promise<Example> {
  const owner = await makePerson(stage.app, { ...stage.merchant, role: 'owner' }, password)
  const make = new Maker(stage, owner)
  const prepare = prepares[`${row.method} ${row.path}`] ?? nothing
  const usual = row.may === 'operator' ? await makePerson(stage.app, 'operator') : owner
  const { json, ids = {}, query = '', by = usual } = await prepare(make)
  const { merchant_id, program_id } = stage.merchant
  const values: Readonly<Record<string, string>> = {
    ...{ merchantId: String(merchant_id), programId: String(program_id) },
    ...ids,
  }
  const path = row.path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '')
  return { by, path: `${path}${query}`, json: row.method === 'GET' ? undefined : json }
}
