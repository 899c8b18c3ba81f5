import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { dueSettings } from '../../src/features/webhooks/delivery-queries.ts'
import { testDatabase } from '../support/database.ts'
import { filesThatPrepare } from '../support/hot-statements.ts'
import { leaveFewDeliveries, leaveUnobserved, makeLarge } from '../support/large.ts'
import { endBoundByRow, type Plan, plannedAnew, readPlans, scansOf } from '../support/plans.ts'

// On a new database PostgreSQL planned each statement for empty tables: "walk all of the program's orders".
// The connection kept that plan for its lifetime, and every earning cost more than the one before.

// Test files share modules: import fresh ones, so that this file changes no others.
const recorded = vi.hoisted(() => {
  vi.resetModules()
  return new Map<string, string>()
})
afterAll(() => vi.resetModules())
vi.mock('../../src/db/statement.ts', async (original) => {
  const real = await original<typeof import('../../src/db/statement.ts')>()
  return {
    ...real,
    prepared(name: string, text: string) {
      if (recorded.has(name)) throw new Error(`two statements are called ${name}`)
      recorded.set(name, text)
      return real.prepared(name, text)
    },
    preparedRows(name: string, textOf: Parameters<typeof real.preparedRows>[1]) {
      for (const one of real.textsForRows(name, textOf).texts) recorded.set(one.name, one.text)
      return real.preparedRows(name, textOf)
    },
    preparedAs(name: string, query: Parameters<typeof real.preparedAs>[1]) {
      recorded.set(name, query.sql)
      return real.preparedAs(name, query)
    },
  }
})

/** Skip the check for leftovers: the rows of the four states are invented. */
const database = testDatabase({
  plans: 'by_key',
  leaves: ['ledger differences', 'open holds', 'due deliveries', 'due messages', 'due payment tasks'],
})

/** Background statements that read a range of a table: no request and no customer waits for them. */
const ranges: Readonly<Record<string, string>> = {
  'activity.new_programs': 'asks of all programs',
  'activity.programs': 'asks of all programs',
  'activity.delete_days': 'deletes so many rows of figures that no page shows',
  'activity.recount': 'takes the oldest windows of one program',
  'activity.delete_visits': 'the same',
  'merchants.count': 'counts the merchants of one program',
  'settlement.money': 'takes the orders of one program that are left out, of which there are few',
  'settlement.more_orders': 'adds up a period',
  'activity.wallets': 'adds up the wallets of one program, once a minute at most',
  'delivery.programs': 'asks of all programs',
  'erasure_request.programs': 'asks of all programs',
  'expiry.programs': 'asks of all programs',
  'invitations.programs': 'asks of all programs',
  'liability.programs': 'asks of all programs',
  'liability.count': 'counts the reports of one program, of which there are at most 400',
  'liability.next': 'takes the oldest of the reports of one program that wait, at most 24',
  'liability.oldest': 'takes the oldest of the stored reports of one program',
  'payments.programs': 'asks of all programs',
  'reconciliation.programs': 'asks of all programs',
  'settlement_notice.programs': 'asks of all programs',
  'settlement_run.programs': 'asks of all programs',
  'settlement_notice.insert': 'reads the one webhook of a program',
  'invitations.lock_due': 'puts off what is due in one program; either index of what is due serves',
  'invitations.lock_due_of': 'the same, of one merchant',
  'payments.claim': 'takes the oldest of what is to be told to providers, which is never much',
  'delivery.repair': 'after a clock was set back, looks through the whole queue',
  'delivery.correct': 'a success that is heard of after its delivery was given up; its tables are partitioned',
  'reconciliation.payments': 'either index of the tasks of one payment serves',
  verify_transfers: 'checks a part of a table, with the settings of reports',
  verify_wallets: 'the same',
  verify_orders: 'the same',
  verify_refunds: 'the same',
  verify_subjects: 'takes the first row of one program in a table, by any of its indexes',
  'reconciliation.pass_over': 'once an hour, looks through what has not been compared',
}
/** Others that may be planned at every call: what is best depends on how many rows are asked for. */
const anew: Readonly<Record<string, string>> = {
  'activity.end_of_part': 'in the background, for a part of a table',
  'activity.events': 'the same',
  'activity.orders_to_build': 'the same',
  'activity.refunds': 'the same, on older versions of PostgreSQL',
  'delivery.take': 'in the background, for a part of what is due',
  'expiry.due': 'the same',
  'invitations.claim': 'the same',
  'liability.end_of_ledger': 'in the background, for a part of a table',
  'liability.ledger': 'the same',
  'liability.wallets': 'the same',
  verify_transfers_end: 'the same',
  verify_wallets_end: 'the same',
  verify_orders_end: 'the same',
  verify_refunds_end: 'the same',
  'orders.deliveries': 'a list of the dashboard',
  'orders.page': 'the same',
  'people.newest': 'the same',
  'people.orders': 'the same',
}
/** Small tables: those copied to every node, and one with a row for each program. */
const small = /^(program|program_rate|merchant|api_key|activity_program) /

/** A line of a plan that reads a whole table, or all that one program has in it. */
const walks = / whole$| \((program_id)?\)$/

/** Statements that run in transactions with settings of their own. */
const settings = { 'delivery.due': dueSettings, 'delivery.take': dueSettings }
const states = [
  'empty',
  'empty, analysed',
  'large, never analysed',
  'large, analysed',
  'a queue that was emptied',
] as const
const plans = new Map<(typeof states)[number], Map<string, Plan>>()
const planned = new Set<string>()
const read_on = new Map<string, Plan>()

beforeAll(async () => {
  for (const { file } of filesThatPrepare()) await import(pathToFileURL(file).href)
  const { findSession } = await import('../../src/features/orders/session-queries.ts')
  findSession(1, Buffer.of(1))
  const { owner, db } = database
  await leaveUnobserved(owner)
  const plan = async (state: (typeof states)[number]): Promise<void> => {
    const roots = await readPlans(db, recorded, settings)
    plans.set(state, new Map([...roots].map(([name, root]) => [name, scansOf(root)])))
    for (const [name, root] of roots) {
      const scans = endBoundByRow(root)
      if (scans.length > 0) read_on.set(name, scans)
    }
  }
  await plan('empty')
  for (const name of await plannedAnew(db, recorded, settings)) planned.add(name)
  await owner.script('analyze')
  await plan('empty, analysed')
  // Forgets what ANALYZE has noted of tables without rows.
  await owner.script(
    `truncate orders, account, customer, webhook, event, delivery_queue, delivery, delivery_attempt, rate_limit, limit_counter,
      request_log cascade`,
  )
  await makeLarge(owner)
  await plan('large, never analysed')
  await owner.script('analyze')
  await plan('large, analysed')
  for (const name of await plannedAnew(db, recorded, settings)) planned.add(name)
  await leaveFewDeliveries(owner)
  await plan('a queue that was emptied')
}, 300_000)

// Only `prepared()` and its like can name a statement: the type of the name holds that.
test('every prepared statement is checked', () => {
  const names = filesThatPrepare().flatMap((one) => one.names)
  expect(names.length).toBeGreaterThan(60)
  expect([...recorded.keys()].sort()).toEqual(names.sort())
})

test('a statement finds its rows by the same keys whatever is known of the tables', () => {
  const compared = [...recorded.keys()].filter((name) => !(name in ranges))
  const of = (state: (typeof states)[number]) => compared.map((name) => ({ name, plan: plans.get(state)?.get(name) }))
  for (const state of states) expect({ state, plans: of(state) }).toEqual({ state, plans: of('empty') })
})

test('and never by a scan of a table, nor of all rows of one program', () => {
  for (const [state, of] of plans) {
    const walking = [...of]
      .filter(([name]) => !(name in ranges))
      .map(([name, plan]) => ({ name, walks: plan.filter((line) => walks.test(line) && !small.test(line)) }))
    expect({ state, walking: walking.filter((one) => one.walks.length > 0) }).toEqual({ state, walking: [] })
  }
})

// The look-up of a key was planned at every request that came alone: PostgreSQL expects ten keys of a list that it does not
// know, and one of a list with one. It took three times as long as with a plan that is kept.
test('a connection plans a statement once, not at every call', () => {
  expect([...planned].filter((name) => !(name in anew || name in ranges))).toEqual([])
})

// PostgreSQL 15 does not end a scan at such a bound, but reads on to the last row of the program. A webhook with a million
// deliveries waiting took seconds to claim 32 of them, and every change of an order read half of the queue.
test('no comparison of rows is the end of a scan', () => {
  // The index of a merchant's customers descends.
  expect([...read_on].filter(([name]) => name !== 'activity.customers')).toEqual([])
})

test('every excused statement exists', () => {
  for (const name of [...Object.keys(ranges), ...Object.keys(anew)]) expect(recorded.has(name), name).toBe(true)
})
