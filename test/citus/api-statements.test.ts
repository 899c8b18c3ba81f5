import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { dashboardRoutes } from '../../src/dashboard-routes.ts'
import { routes } from '../../src/routes.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { exampleOf, hasExample, refusedExamples } from '../support/dashboard-examples.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { pathOf, subject } from '../support/examples.ts'
import { customerWith } from '../support/orders.ts'
import { titleOf } from '../support/shopper.ts'
import { walletStage } from '../support/wallet-stage.ts'

// On a cluster, a statement that reads several shards becomes slower with every node. The coordinator counts them, and is
// set to refuse them, so that the failing request shows which one it is.

const { of_workers, service } = inject('server')

describe.runIf(of_workers.length > 0)('every statement of a request uses one shard', () => {
  /** They ask about all programs, or background work that does so makes what they read. */
  const ofAllPrograms = new Set([
    'GET /operator/health',
    'GET /programs/:programId/liability/:day',
    'GET /programs/:programId/liability/:day/months.csv',
  ])

  const database = testDatabase({ leaves: ['open holds', 'due deliveries', 'due payment tasks', 'due messages'] })
  beforeAll(() => refuseSeveral("set citus.multi_task_query_log_level = 'error'"))
  const app = testApp(database)
  const checkout = checkoutStage(database, { collector: 'sandbox' })
  const wallet = walletStage(database)
  const asked = { one: 0, several: [] as string[] }
  afterAll(() => refuseSeveral('reset citus.multi_task_query_log_level'))

  interface Counts {
    readonly one: number
    readonly several: number
  }

  async function counts(): Promise<Counts> {
    const found = await database.owner.one<Counts>({
      text: `select query_execution_single_shard as one, query_execution_multi_shard as several
        from citus_stat_counters where name = current_database()`,
      values: [],
    })
    if (found === undefined) throw new Error('the coordinator counts nothing')
    return found
  }

  /** Citus may count the statements of a session that is ending twice or not at all, and the next call is right again. */
  async function settledCounts(): Promise<Counts> {
    let last = await counts()
    for (;;) {
      const next = await counts()
      if (next.several === last.several) return next
      last = next
    }
  }

  /** Counts the statements of a test, without those before and after it. */
  function journey(name: string, work: () => Promise<void>): void {
    it(name, async () => {
      const before = await settledCounts()
      await work()
      let after = await settledCounts()
      // What an ending session added goes again; a statement of ours stays.
      for (let tries = 0; after.several > before.several && tries < 100; tries += 1) after = await settledCounts()
      asked.one += after.one - before.one
      if (after.several > before.several) asked.several.push(name)
    })
  }

  const refuseSeveral = (setting: string): Promise<void> =>
    database.owner.script(
      `alter role ${service.user} in database ${new URL(database.url).pathname.slice(1)} ${setting}`,
    )

  for (const row of routes)
    journey(`${row.method} ${row.path}`, async () => {
      const merchant = await makeMerchant(database.db)
      const path = pathOf(row, merchant, await subject(app(), row, merchant))
      const reply = await app().call(row.method, path, { key: merchant.private_key, json: row.example?.request })
      expect([reply.status, failuresIn(app().logged)]).toEqual([200, []])
    })

  for (const row of dashboardRoutes) {
    const name = `${row.method} ${row.path}`
    if (ofAllPrograms.has(name)) continue
    journey(`${name} of the dashboard`, async () => {
      const merchant = await makeMerchant(database.db)
      const { by, path, json } = await exampleOf(row, { app: app(), merchant })
      const reply = await by.call(row.method, path, json)
      expect([reply.status, failuresIn(app().logged)]).toEqual([refusedExamples[name] ?? 200, []])
    })
  }

  journey('a checkout, from its number to its receipt', async () => {
    const { me, page } = await checkout.choosing(3000, { callback_url: 'https://shop.example/thanks' })
    const cards = await me.submit(page, 'confirm', { use: 'part', amount: '1000' })
    expect(titleOf(await me.submit(cards, 'card', { card: 'succeeds' }))).toContain('Paid. Thank you!')
    expect(failuresIn(checkout.app.logged)).toEqual([])
  })

  journey('a wallet, from its number to its history', async () => {
    const { app: server, cafe } = wallet
    const phone = freshPhone()
    await customerWith(database.db, cafe, { points: 500, phone })
    const me = await wallet.signedIn(phone)
    expect((await me.open(`/wallet?program=${wallet.program_id}`)).text).toContain('500')
    expect((await me.open(`/wallet/statement?program=${wallet.program_id}`)).status).toBe(200)
    expect(failuresIn(server.logged)).toEqual([])
  })

  it('according to the counters of the coordinator', () => {
    expect(asked.one).toBeGreaterThan(300)
    expect(asked.several).toEqual([])
  })
})

it('every route of the dashboard is called about an existing object', () => {
  expect(dashboardRoutes.filter((row) => !hasExample(row)).map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

/** The log lines of failed requests. */
function failuresIn(logged: readonly string[]): string[] {
  return logged.filter((line) => JSON.parse(line).level >= 50)
}
