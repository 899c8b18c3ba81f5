import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPaymentProviders } from '../../../src/app/ports.ts'
import type { Database } from '../../../src/db/pool.ts'
import type { Uuid } from '../../../src/domain/ids.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import { type MoyasarStandIn, startMoyasar } from '../../providers/moyasar-stand-in.ts'
import { type PayTabsStandIn, startPayTabs } from '../../providers/paytabs-stand-in.ts'
import { type App, defaults, startApp } from '../../support/api.ts'
import { oneShop, type Shop } from '../../support/app.ts'
import { confirm, paymentOf, provenCheckout, tasksOf } from '../../support/checkouts.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'
import { elapsedTime } from '../../support/elapsed.ts'
import { eventNamesOf, rowOf } from '../../support/orders.ts'
import { type DatabaseProxy, startProxy } from '../../support/proxy.ts'

// Providers report and customers return: only the provider's record decides (docs/spec/payments.md#provider-record).

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const elapsed = elapsedTime()
const account = { profile_id: '47170', server_key: 'AAAAAAAAA9-BBBBBBBBB8-CCCCCCCCC7' }
const keys = { secret_key: 'sk_test_secret', webhook_secret: 'a-webhook-secret' }

let payTabs: PayTabsStandIn
let moyasar: MoyasarStandIn
let proxy: DatabaseProxy
let db: Database
let app: App<TestClock>
let shop: Shop

beforeAll(async () => {
  payTabs = await startPayTabs(Number(account.profile_id), account.server_key)
  moyasar = await startMoyasar(keys.secret_key)
  proxy = await startProxy(database.url)
  db = database.connectTo(proxy.url)
  const payments = createPaymentProviders({
    ...{ db, clock, environment: 'sandbox', public_url: defaults.public_url },
    secrets: createSecretBox(defaults.secret_key),
    settings: { paytabs: { url: payTabs.url, account }, moyasar: { url: moyasar.url, account: keys } },
  })
  app = await startApp(database, { db, payments }, clock)
  shop = await oneShop(database.db)
})
afterAll(async () => {
  await app.stop()
  await Promise.all([proxy.close(), payTabs.close(), moyasar.close()])
})

interface Begun {
  readonly token: string
  readonly order_uuid: Uuid
  readonly payment_uuid: Uuid
  readonly path: string
}

/** A checkout of 100 SAR whose customer was just sent to a provider's page. */
async function begun(provider: 'paytabs' | 'moyasar'): Promise<Begun> {
  await database.owner.run({
    text: 'update merchant set payment_provider = $2 where merchant_id = $1',
    values: [shop.merchant.merchant_id, provider],
  })
  const checkout = await provenCheckout(database.db, app.services, shop)
  const outcome = await confirm(app.services, checkout)
  if (outcome.kind !== 'payment') throw new Error(`no payment page: ${JSON.stringify(outcome)}`)
  const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
  const path = `/payments/${provider}/${shop.merchant.program_id}/${payment_uuid}/callback`
  return { ...checkout, payment_uuid, path }
}

const stateOf = async (order_uuid: Uuid) => (await rowOf(database.db, order_uuid))?.['order_status']
const report = (path: string, body: Buffer, headers: Readonly<Record<string, string>> = {}) =>
  app.send('POST', path, { bytes: body, headers: { 'content-type': 'application/json', ...headers } })

describe('PayTabs', () => {
  const send = ({ payment_uuid, path }: Begun, key?: string) => {
    const { body, headers } = payTabs.report(payment_uuid, key)
    return report(path, body, headers)
  }

  it('reports several times before the customer returns: the order is paid once', async () => {
    const of = await begun('paytabs')
    payTabs.act(of.payment_uuid, 'A')
    const replies = await Promise.all(Array.from({ length: 6 }, () => send(of)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(await stateOf(of.order_uuid)).toBe('approved')
    expect(await eventNamesOf(database.db, of.order_uuid)).toEqual(['approved'])
    const back = await app.send('GET', `/checkout/${of.token}/return`)
    expect([back.status, back.headers.location]).toEqual([303, `/checkout/${of.token}?at=waiting`])
    expect(await eventNamesOf(database.db, of.order_uuid)).toEqual(['approved'])
  })

  it('is refused when its signature is wrong, missing, or of another body', async () => {
    const of = await begun('paytabs')
    payTabs.act(of.payment_uuid, 'A')
    const { body, headers } = payTabs.report(of.payment_uuid)
    const asked = payTabs.received.length
    const replies = [
      await send(of, 'another key'),
      await report(of.path, body),
      await report(of.path, Buffer.from(`${body.toString()} `), headers),
    ]
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(payTabs.received.length).toBe(asked)
    expect(await stateOf(of.order_uuid)).toBe('new')
    expect((await send(of)).status).toBe(200)
  })

  it('is asked, whatever a report says: a report that claims a declined payment pays nothing', async () => {
    const of = await begun('paytabs')
    payTabs.act(of.payment_uuid, 'A')
    const { body, headers } = payTabs.report(of.payment_uuid)
    payTabs.act(of.payment_uuid, 'D')
    expect((await report(of.path, body, headers)).status).toBe(200)
    expect(await stateOf(of.order_uuid)).toBe('new')
    expect(await paymentOf(database.db, of.order_uuid)).toMatchObject({ state: 'failed' })
  })

  it('is asked to report again while nothing is final, and while it does not answer', async () => {
    const of = await begun('paytabs')
    payTabs.act(of.payment_uuid, 'H')
    const held = await send(of)
    expect([held.status, held.headers['retry-after']]).toEqual([503, '60'])
    payTabs.act(of.payment_uuid, 'A')
    const normal = payTabs.answer
    payTabs.answer = { cut: true }
    expect((await send(of)).status).toBe(503)
    payTabs.answer = normal
    expect(await stateOf(of.order_uuid)).toBe('new')
    expect((await send(of)).status).toBe(200)
    expect(await stateOf(of.order_uuid)).toBe('approved')
  })

  it('is asked to report again while the database is unreachable, and then pays the order', async () => {
    const of = await begun('paytabs')
    payTabs.act(of.payment_uuid, 'A')
    await proxy.down()
    const away = await send(of)
    await proxy.up()
    expect(away.status).toBe(503)
    expect((await send(of)).status).toBe(200)
    expect(await stateOf(of.order_uuid)).toBe('approved')
  })

  it('reports money for an order that was cancelled meanwhile: it goes back', async () => {
    const of = await begun('paytabs')
    await app.post(`/v1/orders/${of.order_uuid}/cancel`, shop.private_key)
    payTabs.act(of.payment_uuid, 'A')
    expect((await send(of)).status).toBe(200)
    expect(await stateOf(of.order_uuid)).toBe('cancelled')
    expect(await tasksOf(database.db, of.order_uuid)).toEqual(['give_back due'])
  })

  it('sends the customer back with a form: the record counts, not the form', async () => {
    const of = await begun('paytabs')
    const form = `cartId=${of.payment_uuid}&respStatus=A&respMessage=Authorised&tranRef=TST1&signature=00`
    const come = () =>
      app.send('POST', `/checkout/${of.token}/return`, {
        bytes: form,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://secure.paytabs.sa' },
      })
    expect((await come()).headers.location).toBe(`/checkout/${of.token}?at=waiting`)
    expect(await stateOf(of.order_uuid)).toBe('new')
    payTabs.act(of.payment_uuid, 'A')
    elapsed.pass()
    expect((await come()).status).toBe(303)
    expect(await stateOf(of.order_uuid)).toBe('approved')
  })
})

describe('Moyasar', () => {
  const webhook = () => `/payments/moyasar/${shop.merchant.program_id}/webhook`
  const event = (invoice_id: unknown, secret_token: unknown = keys.webhook_secret) =>
    Buffer.from(JSON.stringify({ id: 'e', type: 'payment_paid', secret_token, live: false, data: { invoice_id } }))

  it('reports to the callback address of the invoice', async () => {
    const of = await begun('moyasar')
    const { callback_url, ...invoice } = moyasar.invoiceOf(of.payment_uuid)
    moyasar.act(of.payment_uuid, 'paid')
    const { pathname, search } = new URL(callback_url)
    expect(pathname).toBe(of.path)
    const body = Buffer.from(JSON.stringify({ ...invoice, status: 'paid' }))
    expect((await report(pathname, body)).status).toBe(403)
    expect((await report(`${pathname}?proof=${'0'.repeat(64)}`, body)).status).toBe(403)
    expect(await stateOf(of.order_uuid)).toBe('new')
    expect((await report(`${pathname}${search}`, body)).status).toBe(200)
    expect(await stateOf(of.order_uuid)).toBe('approved')
  })

  it('reports to the webhook of its account, authenticated by the secret token', async () => {
    const of = await begun('moyasar')
    moyasar.act(of.payment_uuid, 'paid')
    const { id } = moyasar.invoiceOf(of.payment_uuid)
    expect((await report(webhook(), event(id, 'another secret'))).status).toBe(403)
    expect(await stateOf(of.order_uuid)).toBe('new')
    expect((await report(webhook(), event(id))).status).toBe(200)
    expect((await report(webhook(), event(id))).status).toBe(200)
    expect(await stateOf(of.order_uuid)).toBe('approved')
    expect(await eventNamesOf(database.db, of.order_uuid)).toEqual(['approved'])
  })

  it('reports a payment that is not ours: accepted and ignored', async () => {
    const asked = moyasar.received.length
    for (const body of [event('another-shops-invoice'), event(null), Buffer.from('{'), Buffer.from('null')])
      expect((await report(webhook(), body)).status).toBe(200)
    expect(moyasar.received.length).toBe(asked)
  })
})

describe('a report to a wrong address', () => {
  it.each([
    ['another provider', (path: string) => path.replace('paytabs', 'moyasar'), 404],
    ['a provider that does not report', (path: string) => path.replace('paytabs', 'sandbox'), 404],
    ['another program', (path: string) => path.replace(/\/\d+\//, '/999999/'), 404],
    ['no number', (path: string) => path.replace(/\/\d+\//, '/x/'), 404],
    ['no uuid', (path: string) => path.replace(/[0-9a-f-]{36}/, 'x'), 404],
    ['another payment', (path: string) => path.replace(/[0-9a-f]{12}\/callback/, '000000000000/callback'), 404],
  ])('%s', async (_, changed, status) => {
    const of = await begun('paytabs')
    payTabs.act(of.payment_uuid, 'A')
    const { body, headers } = payTabs.report(of.payment_uuid)
    expect((await report(changed(of.path), body, headers)).status).toBe(status)
    expect(await stateOf(of.order_uuid)).toBe('new')
  })
})

it('the log has no key, no token and no signature', () => {
  const log = app.logged.join('\n')
  for (const secret of [account.server_key, keys.secret_key, keys.webhook_secret]) expect(log).not.toContain(secret)
  expect(log).not.toMatch(/proof=|signature/i)
})
