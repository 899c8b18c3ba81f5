import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPaymentProviders } from '../../src/app/ports.ts'
import { createDeps } from '../../src/app/services.ts'
import { createAuthenticate } from '../../src/features/merchants/authenticate.ts'
import { OffsetClock } from '../../src/lib/clock.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { Services } from '../../src/routes.ts'
import { scratch } from '../cli/command.ts'
import { dataOf } from '../http/client.ts'
import { type PayTabsStandIn, startPayTabs } from '../providers/paytabs-stand-in.ts'
import { defaults } from '../support/api.ts'
import { confirm, paymentOf, provenCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait.ts'
import { type Service, startService } from './service.ts'

// A real process of the service, whose settings name PayTabs: money reserved, captured and partly paid back.

const database = testDatabase()
const { path: home } = scratch()
const account = { profile_id: '47170', server_key: 'SJJN-the-key-that-nobody-may-see' }
let payTabs: PayTabsStandIn
let service: Service

beforeAll(async () => {
  payTabs = await startPayTabs(Number(account.profile_id), account.server_key)
  service = await startService({
    home,
    database,
    env: {
      NUQTA_PAYMENT_PAYTABS_URL: payTabs.url,
      NUQTA_PAYMENT_PAYTABS_PROFILE_ID: account.profile_id,
      NUQTA_PAYMENT_PAYTABS_SERVER_KEY: account.server_key,
    },
  })
})
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0)
  await payTabs.close()
})

/** The services of the hosted checkout on the same database, in place of its pages. */
function checkoutServices(): Services {
  const clock = new OffsetClock()
  const payments = createPaymentProviders({
    ...{ db: database.db, clock, environment: 'sandbox', public_url: defaults.public_url },
    secrets: createSecretBox(defaults.secret_key),
    settings: { paytabs: { url: payTabs.url, account }, moyasar: { url: undefined, account: undefined } },
  })
  return createDeps(database.db, { ...defaults, payments, clock }).services
}

it('a payment in two steps, as settings, reports, requests and workers make it', async () => {
  const { private_key, public_key } = service.keys
  const merchant = await createAuthenticate(database.db)('private', private_key)
  if (merchant === null) throw new Error('the demo merchant is there')
  const settings = ['--payment', 'paytabs', '--payment-flow', 'two-step']
  expect(await service.command(['merchant', 'set', String(merchant.merchant_id), ...settings])).toMatchObject({
    code: 0,
  })
  const services = checkoutServices()
  const checkout = await provenCheckout(database.db, services, { merchant, private_key, public_key })
  expect(await confirm(services, checkout)).toMatchObject({ kind: 'payment' })
  const { order_uuid } = checkout
  const { payment_uuid } = await paymentOf(database.db, order_uuid)

  payTabs.act(payment_uuid, 'A')
  const { body, headers } = payTabs.report(payment_uuid)
  const path = `/payments/paytabs/${merchant.program_id}/${payment_uuid}/callback`
  expect((await service.client.call('POST', path, { bytes: body, headers })).status).toBe(200)
  expect(dataOf(await service.getOrder(private_key, order_uuid))).toMatchObject({ order_status: 'authorized' })

  const act = (action: string, json?: object) =>
    service.client.call('POST', `/api/v1/orders/${order_uuid}/${action}`, { key: private_key, json })
  expect(dataOf(await act('capture'))).toMatchObject({ order_status: 'captured' })
  const stateOf = async () => (await paymentOf(database.db, order_uuid)).state
  await waitFor('the worker to capture', async () => (await stateOf()) === 'paid')
  expect(dataOf(await act('refund', { amount: 25 }))).toMatchObject({ order_status: 'partially_refunded' })
  const told = () => payTabs.rows.map(({ tran_type, amount, status }) => `${tran_type} ${amount} ${status}`)
  await waitFor('the worker to pay back', () => told()[0]?.startsWith('Refund') === true)
  expect(told()).toEqual(['Refund 2500 A', 'Capture 10000 A', 'Auth 10000 A'])

  await waitFor('the worker to write that', async () => {
    const [order] = (await service.command(['orders', 'show', order_uuid, '--json'])).json
    return isTold(order)
  })
  expect(service.stderr()).not.toContain(account.server_key)
})

function isTold(order: Record<string, unknown> | undefined): boolean {
  const [payment] = (order?.['payments'] ?? []) as { told: { kind: string; state: string }[] }[]
  return payment?.told.map(({ kind, state }) => `${kind} ${state}`).join() === 'capture done,refund done'
}
