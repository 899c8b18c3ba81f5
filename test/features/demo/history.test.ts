import { expect, it } from 'vitest'
import { completeHistory, type HistoryParts } from '../../../src/app/demo.ts'
import { createDeps } from '../../../src/app/services.ts'
import { showWallet } from '../../../src/features/customers/service.ts'
import { PastClock, writeHistory } from '../../../src/features/demo/history.ts'
import { createReadDemoStores } from '../../../src/features/demo/stores.ts'
import { listMerchants } from '../../../src/features/merchants/service.ts'
import { listOrders } from '../../../src/features/orders/list.ts'
import { OffsetClock } from '../../../src/lib/clock.ts'
import { inTemporaryFolder } from '../../http/support.ts'
import { daysOf } from '../../support/activity.ts'
import { defaults } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { paymentsOn } from '../../support/payments.ts'
import { openSandbox } from '../../support/sandbox.ts'

// A first start writes the history before it serves. It may be killed, and others may start beside it.

const database = testDatabase()
const now = new Date('2026-03-31T09:00:00Z')

function parts(clock: PastClock | OffsetClock): HistoryParts {
  return { ...defaults, clock, retention_days: 90, payments: paymentsOn(database.db, clock, defaults) }
}

const complete = () => completeHistory(database.db, parts(new OffsetClock()), now)

/** Writes the history, and dies at the call with this number. */
async function writeUntil(calls: number): Promise<void> {
  const clock = new PastClock(now)
  const { services } = createDeps(database.db, parts(clock))
  let left = calls
  const demoApi: typeof services.demoApi = (...request) => {
    left -= 1
    return left < 0 ? Promise.reject(new Error('killed')) : services.demoApi(...request)
  }
  const stores = await createReadDemoStores(database.db)()
  await writeHistory({ db: database.db, clock, services: { ...services, demoApi } }, stores, now)
}

async function program(): Promise<number> {
  return (await createReadDemoStores(database.db)())[0]?.program_id ?? 0
}

const orders = async () => listOrders(database.db, { program_id: await program() }, { size: 100, now })

const identities = ['500000001', '500000002', '500000003']
const everyone = [...identities, '500000011', '500000012', '500000013', '500000014']

async function balances(phones: readonly string[] = everyone): Promise<Readonly<Record<string, number>>> {
  const program_id = await program()
  const wallets = await Promise.all(phones.map((phone) => showWallet(database.db, program_id, phone)))
  return Object.fromEntries(wallets.map(({ phone, posted, held }) => [phone, posted - held]))
}

const whole = {
  500000001: 10_000,
  500000002: 0,
  500000003: 0,
  500000011: 3_290,
  500000012: 3_767,
  500000013: 2_170,
  500000014: 0,
}

it('is completed by the next start after each place at which a first one can be killed, and written once', async () => {
  await inTemporaryFolder(async (folder) => {
    expect(await openSandbox(database.db, { folder, now })).toBe('made')
    for (const calls of [0, 1, 10, 14, 16]) {
      await expect(writeUntil(calls)).rejects.toThrow('killed')
      expect(await balances(identities)).toEqual({ 500000001: 10_000, 500000002: 0, 500000003: 0 })
    }
    // Two processes start at the same time.
    await Promise.all([complete(), complete()])
    expect(await balances()).toEqual(whole)
    const written = await orders()
    await complete()
    expect(await orders()).toEqual(written)
    // A page that is opened at once has them: the fifteenth is refunded.
    const days = await daysOf(database.db, await program())
    expect(days.reduce((sum, { purchases }) => sum + Number(purchases), 0)).toBe(15)
  })
})

it('has every kind of sale: purchases, a rating, a redemption, a refund and an earning that waits', async () => {
  const shown = (await orders()).map(
    ({ type, order_status, total_price }) => `${type} ${order_status} ${total_price > 0}`,
  )
  const count = (what: string) => shown.filter((one) => one === what).length
  expect([count('1 approved true'), count('1 approved false')]).toEqual([14, 1])
  expect([count('2 approved true'), count('1 fully_refunded true')]).toEqual([1, 1])
  const waiting = await database.db.run<{ order_number: string }>({
    text: 'select order_number from pending_earning where program_id = $1',
    values: [await program()],
  })
  expect(waiting).toEqual([{ order_number: 'LB-2004' }])
})

it('belongs to three merchants with logos; a second data directory makes no others', async () => {
  await inTemporaryFolder(async (folder) => {
    expect(await openSandbox(database.db, { folder, now })).toBe('elsewhere')
    await complete()
  })
  expect((await listMerchants(database.db)).map(({ name }) => name)).toEqual([
    'Demo Store',
    'محمصة سدرة',
    'Layan Books',
  ])
  const stores = await createReadDemoStores(database.db)()
  expect(stores.map(({ logo_digest }) => logo_digest?.length)).toEqual([32, 32, 32])
  expect(await balances()).toEqual(whole)
})
