import { tmpdir } from 'node:os'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPaymentProviders } from '../../src/app/ports.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { Services } from '../../src/routes.ts'
import { defaults } from '../support/api.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { confirm, paymentOf, provenCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { eventNamesOf, pointsOf } from '../support/orders.ts'
import { nuqta } from './command.ts'

// The real command in its own process, with the sandbox's payment provider and its books.

const database = testDatabase()
let services: Services
let shop: Shop

beforeAll(async () => {
  await claimDeployment(database.db, 'sandbox')
  const clock = new TestClock(app_noon)
  const { secret_key, public_url } = defaults
  const payments = createPaymentProviders({
    ...{ db: database.db, clock, public_url, secrets: createSecretBox(secret_key), environment: 'sandbox' },
    settings: { paytabs: { url: undefined, account: undefined }, moyasar: { url: undefined, account: undefined } },
  })
  services = servicesOn(database.db, { clock, payments })
  shop = await oneShop(database.db)
})

const reconcile = (...args: string[]) =>
  nuqta(['reconcile', ...args], {
    cwd: tmpdir(),
    env: { DATABASE_URL: database.url, NUQTA_SECRET_KEY: defaults.secret_key },
  })

/** An order paid with 500 points and 97.50 SAR through the sandbox's provider. */
async function paid() {
  const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
  await confirm(services, checkout, { points: 500 })
  const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
  await books(`update sandbox_payment set state = 'paid' where payment_uuid = $1`, payment_uuid)
  expect(await services.settlePayment(shop.merchant.program_id, payment_uuid)).toBe('paid')
  return { ...checkout, payment_uuid }
}

const books = (text: string, payment_uuid: string) => database.owner.run({ text, values: [payment_uuid] })

describe('nuqta reconcile', () => {
  it('reverses orders whose payment the provider does not know, one line each, and finds nothing the next time', async () => {
    const [right, gone, other] = [await paid(), await paid(), await paid()]
    await books('delete from sandbox_payment where payment_uuid = $1', gone.payment_uuid)
    await books(`update sandbox_payment set state = 'voided' where payment_uuid = $1`, other.payment_uuid)
    const first = await reconcile('--json')
    expect([first.code, first.stderr]).toEqual([0, '3 payments compared, 2 findings\n'])
    const common = { program_id: shop.merchant.program_id, provider: 'sandbox', amount: 97.5, action: 'reversed' }
    const points = { refund_amount: 100, refund_points: 500, reversed_points: 975 }
    expect(first.json).toEqual([
      expect.objectContaining({ ...common, ...points, order_uuid: gone.order_uuid, finding: 'missing' }),
      expect.objectContaining({ ...common, ...points, order_uuid: other.order_uuid, finding: 'not_paid' }),
    ])
    expect(await eventNamesOf(database.db, gone.order_uuid)).toEqual(['approved', 'auto_refunded'])
    expect(await pointsOf(database.db, shop.merchant, gone.phone)).toEqual([1_000, 0])
    expect(await pointsOf(database.db, shop.merchant, right.phone)).toEqual([1_475, 0])
    const audit = await nuqta(['audit', 'list', '--json'], { cwd: tmpdir(), env: { DATABASE_URL: database.url } })
    const after = { order_status: 'fully_refunded' }
    expect(audit.json).toEqual([
      expect.objectContaining({ action: 'orders.reverse', object: expect.stringMatching(/^order:/), after }),
      expect.objectContaining({ action: 'orders.reverse' }),
    ])
    const second = await reconcile('--json')
    expect([second.code, second.stdout, second.stderr]).toEqual([0, '', '0 payments compared, 0 findings\n'])
  })

  it('prints findings as text for people', async () => {
    const { order_uuid, payment_uuid } = await paid()
    await books('delete from sandbox_payment where payment_uuid = $1', payment_uuid)
    const { code, stdout } = await reconcile()
    expect(code).toBe(0)
    expect(stdout).toContain(`order ${order_uuid} (`)
    expect(stdout).toContain('its provider does not know the payment')
    expect(stdout).toContain('taken back in full, 500 points returned and 975 taken back')
  })

  it('needs the secret key of the service, which opens the accounts of merchants', async () => {
    const { code, stderr } = await nuqta(['reconcile'], { cwd: tmpdir(), env: { DATABASE_URL: database.url } })
    expect(code).toBe(1)
    expect(stderr).toContain('NUQTA_SECRET_KEY')
  })
})
