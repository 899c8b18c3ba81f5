import { beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { claimRun, findRuns } from '../../src/features/deployment/ledger-run-queries.ts'
import { createLedgerRuns } from '../../src/features/deployment/ledger-runs.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { findDueRequests, findProgramsDue } from '../../src/features/erasure/request-queries.ts'
import { createBeginOnce } from '../../src/features/idempotency/service.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { Services } from '../../src/routes.ts'
import { defaults } from '../support/api.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { confirm, paymentsOf, provenCheckout, resume } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { providersOf } from '../support/payments.ts'

// A process that dies, or answers 503, while the machine's clock is a year ahead leaves leases that end in a year. When the
// clock was right again, its keys answered 409 for that year, its payments had no page, no ledger could be verified, and no
// erasure was tried again. Only queues were repaired.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const by = { source: 'dashboard', name: 'operator@nuqta.example' } as const
const provider = new BookedProvider()
let services: Services
let shop: Shop

beforeAll(async () => {
  services = servicesOn(database.db, {
    clock: new TestClock(app_noon),
    payments: providersOf({ sandbox: provider }),
  })
  shop = await oneShop(database.db)
  await claimDeployment(database.db, 'sandbox')
})

const after = (seconds: number) => new Date(Date.now() + seconds * 1_000)
const year_s = 300 * 86_400

describe('an Idempotency-Key', () => {
  const beginOnce = () =>
    createBeginOnce({
      db: database.db,
      clock: { now: () => new Date() },
      secrets: createSecretBox(defaults.secret_key),
    })
  const asked = (key: string) => ({
    ...{ owner: shop.merchant, route: 'POST /x', path: '/x', key, body: { some: 'body' } },
  })
  const leased = (key: Uuid, at: Date) =>
    database.owner.run({ text: 'update idempotency set leased_until = $2 where request_uuid = $1', values: [key, at] })

  it.each([
    ['a lease that ends in a year holds nobody up', year_s, 'started'],
    ['a lease of now does, and one of a server whose clock is a little ahead', 15, 'in_flight'],
  ])('%s', async (_, seconds, kind) => {
    const key = newUuid()
    const begun = await beginOnce()(asked(key))
    if (begun.kind !== 'started') throw new Error('a new key is taken')
    await leased(begun.execution.uuid, after(seconds))
    const again = await beginOnce()(asked(key))
    expect(again.kind).toBe(kind)
    // The request goes on as itself, so that what the first try has done is found.
    if (again.kind === 'started') expect(again.execution.uuid).toBe(begun.execution.uuid)
  })
})

it('a payment whose page nobody is opening any more gets one', async () => {
  const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
  provider.faults.create = ['before']
  expect(await confirm(services, checkout, { points: 500 })).toEqual({ kind: 'payment failed', error: 'unknown' })
  await database.owner.run({
    text: 'update order_payment set leased_until = $2 where order_uuid = $1',
    values: [checkout.order_uuid, after(year_s)],
  })
  expect((await resume(services, checkout)).kind).toBe('payment')
  expect(await paymentsOf(database.db, checkout.order_uuid)).toMatchObject([{ state: 'created' }])
})

describe('a verification of the ledger', () => {
  const runs = () => createLedgerRuns(database.db)
  const leasedUntil = (at: Date) =>
    database.owner.run({
      text: `update ledger_run set state = 'running', attempts = 1, leased_until = $1 where ended_at is null`,
      values: [at],
    })

  it('whose worker has died goes to the next one', async () => {
    const { program_id } = shop.merchant
    const { run_uuid } = await runs().begin(program_id, by)
    await leasedUntil(after(60))
    expect(await database.db.one(claimRun(new Date()))).toBeUndefined()
    await leasedUntil(after(year_s))
    expect(await database.db.one(claimRun(new Date()))).toMatchObject({ run_uuid, attempts: 2 })
    await leasedUntil(after(60))
    expect(await runs().cancel(program_id, run_uuid, by)).toMatchObject({ state: 'running' })
    await leasedUntil(after(year_s))
    expect(await runs().cancel(program_id, run_uuid, by)).toMatchObject({ state: 'cancelled' })
    expect(await database.db.run(findRuns(program_id, 2))).toHaveLength(1)
  })
})

it('an erasure that was put off for a year is due; one that waits for an hour is not', async () => {
  const { program_id } = shop.merchant
  const due = async (seconds: number) => {
    await database.owner.run({ text: 'update erasure_request set due_at = $1', values: [after(seconds)] })
    const now = new Date()
    expect((await database.owner.run(findProgramsDue(now))).length).toBe(
      (await database.owner.run(findDueRequests(program_id, now, 5))).length,
    )
    return (await database.owner.run(findDueRequests(program_id, now, 5))).length
  }
  const phone = await customerWith(database.db, shop.merchant, { points: 5 })
  const customer_id = (await walletOf(database.db, program_id, phone))?.customer_id
  await database.owner.run({
    text: `insert into erasure_request (program_id, request_uuid, customer_id, reason, asked_by, due_at, created_at)
      values ($1, $2, $3, 'Asked by mail', 'Sara', $4, $4)`,
    values: [program_id, newUuid(), customer_id, new Date()],
  })
  expect(await due(3_600)).toBe(0)
  expect(await due(year_s)).toBe(1)
  expect(await due(-1)).toBe(1)
})
