import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createPaymentProviders } from '../../src/app/ports.ts'
import type { PaymentSettings } from '../../src/config/providers.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { PaymentProviders } from '../../src/providers/payment/port.ts'
import { type MoyasarStandIn, startMoyasar } from '../providers/moyasar-stand-in.ts'
import { type PayTabsStandIn, startPayTabs } from '../providers/paytabs-stand-in.ts'
import { never, type Received, type Scripted, type StandIn } from '../providers/stand-in.ts'
import { oneShop, type Shop, servicesOn } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { replacingOrder } from '../support/orders.ts'
import { duePayments, performDue } from '../support/payments.ts'
import { secret_key } from '../support/secret-key.ts'
import { waitFor, waitForLocks } from '../support/wait.ts'

// A worker may be killed at any point of a refund. The next one pays it back exactly once.

const database = testDatabase()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const account = { profile_id: '47170', server_key: 'SJJN-server-key' }
const keys = { secret_key: 'sk_test_secret', webhook_secret: 'w' }
const due = asHalalas(8_000)

let payTabs: PayTabsStandIn
let moyasar: MoyasarStandIn
let settings: PaymentSettings
let payments: PaymentProviders
let shop: Shop

beforeAll(async () => {
  payTabs = await startPayTabs(Number(account.profile_id), account.server_key)
  moyasar = await startMoyasar(keys.secret_key)
  settings = { paytabs: { url: payTabs.url, account }, moyasar: { url: moyasar.url, account: keys } }
  const secrets = createSecretBox(secret_key)
  const place = { environment: 'sandbox', public_url: 'https://localhost:8443' } as const
  payments = createPaymentProviders({ db: database.db, clock, settings, secrets, ...place })
  shop = await oneShop(database.db)
})
afterAll(() => Promise.all([payTabs.close(), moyasar.close()]))

type Name = 'paytabs' | 'moyasar'
const standInOf = (name: Name): StandIn => (name === 'paytabs' ? payTabs : moyasar)
const services = () => servicesOn(database.db, { clock })

/** An order whose money part a provider has collected, refunded whole: the provider has to pay it back. */
async function refunded(name: Name) {
  const { program_id } = shop.merchant
  const { order_uuid } = await replacingOrder(database.db, shop.merchant, { points: 4_000 })
  await services().moveOrder(shop.merchant, order_uuid, { action: 'complete' })
  const payment_uuid = newUuid()
  const urls = { return_url: 'https://localhost/r', callback_url: 'https://localhost/c' }
  const request = {
    program_id,
    payment_uuid,
    amount_halalas: due,
    description: 'x',
    kind: 'sale',
    locale: 'en',
  } as const
  const page = await (await payments.of(shop.merchant, name))?.create({ ...request, ...urls })
  if (page?.kind !== 'page') throw new Error('no payment page')
  if (name === 'paytabs') payTabs.act(payment_uuid, 'A')
  else moyasar.act(payment_uuid, 'paid')
  await database.db.run({
    text: `insert into order_payment (program_id, payment_uuid, order_uuid, provider, provider_reference, amount_halalas,
        state, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, 'paid', $7, $7)`,
    values: [program_id, payment_uuid, order_uuid, name, page.provider_reference, due, clock.now()],
  })
  await services().refundOrder(shop.merchant, order_uuid, { amount_halalas: null, reason: null })
  return { name, program_id, order_uuid, payment_uuid, provider_reference: page.provider_reference }
}

/** The refunds in the provider's books. */
function paidBack(name: Name, payment_uuid: Uuid): number[] {
  if (name === 'moyasar') return moyasar.invoiceOf(payment_uuid).payments.map(({ refunded: sum }) => sum)
  const rows = payTabs.rows.filter(({ cart_id, tran_type }) => cart_id === payment_uuid && tran_type === 'Refund')
  return rows.filter(({ status }) => status === 'A').map(({ amount }) => amount)
}

/** A worker process, from its start to its death by kill -9. */
function startWorker() {
  const script = fileURLToPath(new URL('payment-worker.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify({ url: database.url, settings })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  return { kill, ended }
}

/** Waits until the server has ended the sessions of a worker that was killed. */
function sessionsEnd(): Promise<void> {
  const find = { text: `select from pg_stat_activity where application_name = 'nuqta-payment-worker'`, values: [] }
  return waitFor('its sessions to end', async () => (await database.owner.run(find)).length === 0)
}

type Refunded = Awaited<ReturnType<typeof refunded>>

/** Whether a request is about a payment: of its page, or of what was paid there. */
function isAbout(payment: Refunded, { url, body }: Received): boolean {
  const { name, provider_reference, payment_uuid } = payment
  const paid = name === 'moyasar' ? moyasar.invoiceOf(payment_uuid).payments.map(({ id }) => id) : []
  const said = JSON.stringify([url, body])
  return [provider_reference, ...paid].some((reference) => said.includes(reference))
}

const isRefund = ({ method, url, body }: Received) =>
  method === 'POST' && JSON.stringify([url, body]).includes('refund')

/**
 * Has a provider never answer a request about `unsent`, and never answer the refund of `unanswered`, which it performs. All
 * else is answered by its books. `held` resolves when both wait.
 */
function holding(unsent: Refunded, unanswered: Refunded) {
  const standIn = standInOf(unsent.name)
  const normal = standIn.answer
  if (typeof normal !== 'function') throw new Error('the stand-in answers by its books')
  const [asked, performed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  standIn.answer = (request): Scripted => {
    if (isAbout(unsent, request)) {
      asked.resolve()
      return { after: never }
    }
    const answer = normal(request)
    if (!isAbout(unanswered, request) || !isRefund(request)) return answer
    performed.resolve()
    return { ...answer, after: never }
  }
  const release = (): void => {
    standIn.answer = normal
  }
  onTestFinished(release)
  return { held: Promise.all([asked.promise, performed.promise]), release }
}

/** Locks the orders until `release`. */
async function lockOrders(of: readonly Refunded[]) {
  const release = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holder = database.db.transaction(async (tx) => {
    await tx.run({
      text: 'select 1 from orders where program_id = $1 and order_uuid = any ($2) for update',
      values: [shop.merchant.program_id, of.map(({ order_uuid }) => order_uuid)],
    })
    locked.resolve()
    await release.promise
  })
  await locked.promise
  return () => {
    release.resolve()
    return holder
  }
}

/** Refunds of one provider, by the moment at which their worker is killed. */
async function refundsOf(name: Name) {
  return {
    // Between the commit and its request.
    unsent: await refunded(name),
    // When the provider has paid back, before it has answered.
    unanswered: await refunded(name),
    // When the provider has answered, before that is committed.
    uncommitted: await refunded(name),
  }
}

it('a worker that is killed at any moment leaves each refund to the next one, which pays it back exactly once', async () => {
  const made = [await refundsOf('paytabs'), await refundsOf('moyasar')]
  const unlock = await lockOrders(made.map(({ uncommitted }) => uncommitted))
  const providers = made.map(({ unsent, unanswered }) => holding(unsent, unanswered))
  const worker = startWorker()
  await Promise.all(providers.map(({ held }) => held))
  await waitForLocks(database.owner, made.length)
  await worker.kill()
  for (const { release } of providers) release()
  await unlock()
  await sessionsEnd()

  const refunds = made.flatMap((of) => Object.entries(of))
  for (const [moment, { name, ...of }] of refunds) {
    const begun = moment === 'unsent' ? (name === 'moyasar' ? [0] : []) : [due]
    expect(paidBack(name, of.payment_uuid), `${name}, ${moment}`).toEqual(begun)
    expect(await duePayments(database.db, of)).toEqual({ payment: 'paid', tasks: ['refund due'], legs: ['due'] })
  }
  expect(await performDue(database.db, payments)).toBe(0)
  expect(await performDue(database.db, payments, { at_ms: Date.now() + 3_600_000 })).toBe(refunds.length)
  for (const [moment, { name, ...of }] of refunds) {
    expect(paidBack(name, of.payment_uuid), `${name}, ${moment}`).toEqual([due])
    expect(await duePayments(database.db, of)).toEqual({ payment: 'paid', tasks: ['refund done'], legs: ['done'] })
  }
})

it('a worker that is not killed performs due tasks', async () => {
  const of = await refunded('paytabs')
  const worker = startWorker()
  await worker.ended
  expect(paidBack('paytabs', of.payment_uuid)).toEqual([due])
  expect(await duePayments(database.db, of)).toEqual({ payment: 'paid', tasks: ['refund done'], legs: ['done'] })
})
