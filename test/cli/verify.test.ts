import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/db/pool.ts'
import type { Statement } from '../../src/db/statement.ts'
import { checks, type Verification, verifyLedger } from '../../src/db/verify.ts'
import { type Uuid, uuidBefore } from '../../src/domain/ids.ts'
import { testDatabase } from '../support/database.ts'
import { type LedgerFixture, writeLedger } from './ledger-fixture.ts'

const database = testDatabase({ leaves: ['open holds'] })
let ledger: LedgerFixture

beforeAll(async () => {
  ledger = await writeLedger(database.db)
})

class Undo extends Error {}

/** Runs statements on the ledger, verifies it, and rolls them back. Gives the differences found. */
async function afterBreaking(statements: readonly string[]): Promise<Verification> {
  let said: Verification | undefined
  const breaking = database.owner.transaction(async (tx) => {
    // The owner can disable foreign keys, so the verification may not rely on them.
    await tx.script('set local session_replication_role = replica')
    for (const statement of statements) await tx.script(fill(statement))
    said = await verifyLedger(tx)
    throw new Undo()
  })
  await expect(breaking).rejects.toBeInstanceOf(Undo)
  if (said === undefined) throw new Error('nothing was verified')
  return said
}

/** Replaces `:sara` and other names by their ids, as SQL literals. */
function fill(statement: string): string {
  return statement.replace(/(?<!:):(\w+)/g, (_, name: string) => {
    const value = { ...ledger }[name]
    if (value === undefined) throw new Error(`the fixture has no ${name}`)
    return `'${value}'`
  })
}

const entryOf = (kind: string, order: string, line: number) =>
  `line = ${line} and transfer_id = (select transfer_id from transfer where kind = '${kind}' and order_uuid = :${order})`

/** Statements that number the entries of a wallet anew, and give them and the wallet the balances that follow. */
const madeToFit = (wallet: string): readonly string[] => [
  `update entry set account_version = account_version + 1000 where account_id = :${wallet}`,
  `update entry e set account_version = n.place, balance_after = n.balance from (
     select transfer_id, line, row_number() over (order by account_version) as place,
       sum(amount) over (partition by bucket order by account_version) as balance
     from entry where account_id = :${wallet}) n
   where e.transfer_id = n.transfer_id and e.line = n.line`,
  `update account set (posted, held, version) = (
     select sum(amount), coalesce(sum(amount) filter (where bucket = 'held'), 0), count(*) from entry where account_id = :${wallet})
   where account_id = :${wallet}`,
]

const checkout = `insert into checkout_session (program_id, session_uuid, merchant_id, order_uuid, token_hash, expires_at,
    created_at, updated_at)
  select program_id, gen_random_uuid(), merchant_id, order_uuid, 'x', created_at, created_at, created_at
  from orders where order_uuid = :authorized`
const confirmed = `update checkout_session set proven_phone = '522222222', browser_hash = 'x', proven_at = created_at,
  confirmed_at = created_at, release_at = created_at, collector = 'provider'`
const reopened = `update orders set order_status = 'new', authorized_at = null where order_uuid = :authorized`
const payment = (state: string) => `insert into order_payment (program_id, payment_uuid, order_uuid, provider,
    provider_reference, amount_halalas, state, created_at, updated_at)
  select program_id, gen_random_uuid(), order_uuid, 'sandbox', 'x', total_halalas - redeemed_halalas, '${state}',
    created_at, created_at
  from orders where order_uuid = :authorized`

/** Statements that break the ledger, and the names of all checks that must find them. */
const breaks: readonly (readonly [what: string, statements: readonly string[], expected: readonly string[]])[] = [
  [
    'an entry of a wallet is raised',
    [`update entry set amount = amount + 1 where ${entryOf('earn', 'earned', 1)}`],
    ['transfer_sum', 'wallet_posted', 'entry_balance', 'order_earned_points', 'order_total_points'],
  ],
  [
    "a merchant's entry is raised",
    [`update entry set amount = amount + 1 where ${entryOf('earn', 'earned', 0)}`],
    ['transfer_sum'],
  ],
  [
    'an entry is deleted',
    [`delete from entry where ${entryOf('earn', 'earned', 0)}`],
    ['transfer_sum', 'transfer_shape'],
  ],
  [
    "a transfer's entries are deleted, and the wallet made to fit",
    [
      `delete from entry where transfer_id = (select transfer_id from transfer where kind = 'reverse')`,
      'update account set posted = posted + 250, version = version - 1 where account_id = :sara',
    ],
    ['transfer_without_entries', 'order_reversed_points'],
  ],
  [
    'a transfer is deleted under its entries',
    [`delete from transfer where kind = 'reverse'`],
    ['entry_without_transfer', 'order_reversed_points'],
  ],
  [
    'a reversal is deleted, and the wallet made to fit',
    [
      `delete from entry where transfer_id = (select transfer_id from transfer where kind = 'reverse')`,
      `delete from transfer where kind = 'reverse'`,
      'update account set posted = posted + 250, version = version - 1 where account_id = :sara',
    ],
    ['order_reversed_points', 'refund_without_transfer'],
  ],
  [
    'a reversal names another refund',
    [`update transfer set reference = 'reverse:' || gen_random_uuid() where kind = 'reverse'`],
    ['refund_without_transfer', 'transfer_of_no_refund'],
  ],
  [
    'an account is deleted under its entries',
    ['delete from account where account_id = :sara'],
    ['entry_without_account', 'customer_without_wallet', 'transfer_shape'],
  ],
  [
    'points are moved to another customer, wallets made to fit',
    [
      `update entry set account_id = :omar, account_version = 99 where ${entryOf('earn', 'earned', 1)}`,
      'update account set posted = posted - 1000, version = version - 1 where account_id = :sara',
      'update account set posted = posted + 1000, version = version + 1 where account_id = :omar',
    ],
    ['transfer_of_others', 'entry_version', 'entry_balance'],
  ],
  [
    'points of one customer are held from the wallet of another, wallets made to fit',
    [
      `update entry set account_id = :sara, account_version = 99 where ${entryOf('hold', 'authorized', 0)}`,
      ...['sara', 'omar'].flatMap(madeToFit),
    ],
    ['transfer_of_two_wallets'],
  ],
  [
    'points of one customer are released to the wallet of another, wallets made to fit',
    [
      `update entry set account_id = :sara, account_version = 99 where ${entryOf('release', 'cancelled', 1)}`,
      ...['sara', 'omar'].flatMap(madeToFit),
    ],
    ['transfer_of_two_wallets'],
  ],
  [
    'an entry is raised to as much as its column can hold',
    [`update entry set amount = 9223372036854775807 where ${entryOf('earn', 'earned', 1)}`],
    ['transfer_sum', 'wallet_posted', 'entry_balance', 'order_earned_points'],
  ],
  [
    'both entries of a transfer are lowered to as little as their column can hold',
    [
      `update entry set amount = -9223372036854775808 where ${entryOf('earn', 'earned', 0).replace('line = 0', 'line in (0, 1)')}`,
    ],
    ['transfer_sum', 'wallet_posted', 'entry_balance', 'order_earned_points'],
  ],
  [
    'a balance on an entry is lowered to as little as its column can hold',
    [`update entry set balance_after = -9223372036854775808 where ${entryOf('earn', 'earned', 1)}`],
    ['entry_balance'],
  ],
  [
    'a transfer with the last of all ids has one entry',
    [
      `insert into transfer (program_id, transfer_id, kind, reference, created_at)
       select program_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'adjust', 'adjust:' || gen_random_uuid(), created_at
       from transfer where order_uuid = :earned`,
      `insert into entry (program_id, transfer_id, line, account_id, amount, created_at, kind)
       select program_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 0, :merchant, 1, created_at, 'adjust'
       from transfer where order_uuid = :earned`,
    ],
    ['transfer_sum', 'transfer_shape'],
  ],
  [
    'an event is of an order with the last of all ids',
    [
      `insert into event select program_id, overlay(event_id::text placing 'ffffffffffff' from 25)::uuid, merchant_id,
         'ffffffff-ffff-ffff-ffff-ffffffffffff', name, payload, created_at from event where order_uuid = :earned`,
    ],
    ['event_without_order'],
  ],
  [
    'an earning is turned round',
    [`update entry set line = 2 - line where ${entryOf('earn', 'earned', 0)}`],
    ['transfer_shape'],
  ],
  [
    'a transfer is called another kind',
    [`update transfer set kind = 'return' where kind = 'earn' and order_uuid = :earned`],
    ['transfer_reference', 'order_earned_points', 'order_returned_points'],
  ],
  [
    'a reference is altered',
    [`update transfer set reference = 'earn:' || gen_random_uuid() where kind = 'earn' and order_uuid = :earned`],
    ['transfer_reference'],
  ],
  ['a balance is raised', ['update account set posted = posted + 5000 where account_id = :sara'], ['wallet_posted']],
  [
    'a reservation is forgotten',
    ['update account set held = 0 where account_id = :omar'],
    ['wallet_held', 'wallet_open_holds'],
  ],
  ['a version is raised', ['update account set version = version + 1 where account_id = :sara'], ['wallet_version']],
  [
    'versions have a gap',
    ['update entry set account_version = account_version + 10 where account_id = :sara and account_version = 3'],
    ['entry_version'],
  ],
  [
    'a balance on an entry is altered',
    [`update entry set balance_after = balance_after - 1 where ${entryOf('earn', 'earned', 1)}`],
    ['entry_balance'],
  ],
  [
    'a held balance on an entry is altered',
    [`update entry set balance_after = balance_after + 1 where ${entryOf('hold', 'authorized', 1)}`],
    ['entry_balance'],
  ],
  [
    "a merchant's entry carries a balance",
    [`update entry set balance_after = 7, account_version = 1 where ${entryOf('earn', 'earned', 0)}`],
    ['entry_of_no_wallet'],
  ],
  ['a customer is deleted', ['delete from customer where customer_id = :sara'], ['wallet_without_customer']],
  [
    "a merchant's account is deleted",
    ['delete from account where account_id = :merchant'],
    ['owner_without_account', 'entry_without_account'],
  ],
  [
    'a wallet with points is said to have been merged',
    ['update account set merged_into = :omar, merged_at = now() where account_id = :sara'],
    ['wallet_merged'],
  ],
  [
    'a customer is said to have been erased, and the wallet is open',
    ['update customer set erased_at = now(), phone = null, name = null where customer_id = :sara'],
    ['wallet_erased'],
  ],
  [
    'an open hold is raised',
    [`update hold set points = points + 1 where order_uuid = :authorized`],
    ['wallet_open_holds', 'hold_begin'],
  ],
  [
    'an open hold is deleted',
    [`delete from hold where order_uuid = :authorized`],
    ['wallet_open_holds', 'transfer_of_no_hold'],
  ],
  [
    'a released hold is called posted',
    [`update hold set state = 'posted' where order_uuid = :cancelled`],
    ['hold_end'],
  ],
  [
    'an ended hold is called open',
    [`update hold set state = 'open', end_transfer_id = null, ended_at = null where order_uuid = :cancelled`],
    ['wallet_open_holds', 'transfer_of_no_hold'],
  ],
  [
    'an order is said to have earned more',
    ['update orders set total_points = total_points + 1, earned_points = earned_points + 1 where order_uuid = :earned'],
    ['order_earned_points', 'order_total_points', 'event_payload'],
  ],
  [
    'an earning is forgotten by the ledger',
    [
      `delete from entry where transfer_id = (select transfer_id from transfer where kind = 'earn' and order_uuid = :earned)`,
      `delete from transfer where kind = 'earn' and order_uuid = :earned`,
      ...madeToFit('sara'),
    ],
    ['order_earned_points', 'order_total_points'],
  ],
  [
    'an earning is booked for an order that earned nothing, in place of its own',
    [
      `update transfer set order_uuid = :returned, reference = 'earn:' || :returned where kind = 'earn' and order_uuid = :earned`,
      `update entry set account_id = :omar, account_version = 900 where ${entryOf('earn', 'returned', 1)}`,
      ...madeToFit('sara'),
      ...madeToFit('omar'),
    ],
    ['order_earned_points', 'order_total_points', 'order_paid_at'],
  ],
  [
    'an order is said to have redeemed more',
    ['update orders set total_points = total_points + 1 where order_uuid = :paid'],
    ['order_redeemed_points'],
  ],
  [
    'an order is said to have given more back',
    ['update orders set returned_points = returned_points + 1 where order_uuid = :returned'],
    ['order_returned_points'],
  ],
  [
    'an order is said to have taken more back',
    ['update orders set reversed_points = reversed_points + 1 where order_uuid = :refunded'],
    ['order_reversed_points'],
  ],
  [
    'a paid order is said to wait',
    [
      `update orders set order_status = 'authorized', authorized_at = paid_at, paid_at = null, earned_points = 0
       where order_uuid = :paid`,
    ],
    ['order_unpaid_points', 'order_event'],
  ],
  ['a refund is forgotten', ['delete from order_refund where order_uuid = :refunded'], ['order_refunds']],
  [
    'an order with a refund says that nothing of it was refunded',
    [
      `insert into order_refund (program_id, refund_uuid, order_uuid, refund_halalas, reversed_points, returned_points,
         provider_halalas, provider_state, created_at)
       select program_id, gen_random_uuid(), order_uuid, 1, 0, 0, 0, 'none', created_at from orders where order_uuid = :earned`,
    ],
    ['order_refunds'],
  ],
  [
    'a refund says that more was refunded than its order',
    ['update order_refund set refund_halalas = refund_halalas + 1 where order_uuid = :refunded'],
    ['order_refunds'],
  ],
  [
    'a settlement says more than its lines, for a period that is not settled',
    [
      `insert into settlement (program_id, settlement_id, merchant_id, orders, net_points, net_halalas, money_halalas, fee_halalas,
         vat_halalas, due_halalas, until_at, created_at)
       select program_id, gen_random_uuid(), merchant_id, 1, 1, 0, 0, 0, 0, 0, created_at, created_at from orders
       where order_uuid = :earned`,
    ],
    ['settlement_lines', 'settlement_periods'],
  ],
  [
    'points are settled that no entry has',
    [`update earning_lock set settled_points = settled_points + 1`],
    ['settled_entries'],
  ],
  [
    'an order counts in no period, and is not left out',
    [`update orders set booked_at = 'infinity' where order_uuid = :earned`],
    ['order_booked_at'],
  ],
  [
    'an entry says that it is of another kind',
    [`update entry set kind = 'post' where ${entryOf('earn', 'earned', 0)}`],
    ['entry_kind'],
  ],
  [
    'an entry of a wallet is dated a year earlier',
    [`update entry set created_at = created_at - interval '1 year' where ${entryOf('earn', 'earned', 1)}`],
    ['entry_time'],
  ],
  [
    'a transfer is dated a year later',
    [`update transfer set created_at = created_at + interval '1 year' where kind = 'reverse'`],
    ['entry_time'],
  ],
  [
    "a point is worth more in a merchant's account than in the wallet",
    [`update entry set micro_sar_per_point = 2 * micro_sar_per_point where ${entryOf('earn', 'earned', 0)}`],
    ['entry_value'],
  ],
  [
    'the points of a redemption have another value than its entries',
    ['update orders set micro_sar_per_point = 7 where order_uuid = :paid'],
    ['order_value'],
  ],
  [
    'an order is said to have been paid a year earlier',
    [`update orders set paid_at = paid_at - interval '1 year' where order_uuid = :earned`],
    ['order_paid_at'],
  ],
  [
    'an order is deleted under its transfers',
    ['delete from orders where order_uuid = :earned'],
    ['transfer_without_order', 'event_without_order'],
  ],
  [
    'an order changes hands',
    ['update orders set customer_id = :omar where order_uuid = :earned'],
    ['transfer_of_others'],
  ],
  [
    'points of one customer are held for the order of another',
    ['update orders set customer_id = :sara where order_uuid = :authorized'],
    ['hold_of_others'],
  ],
  [
    'a confirmed order loses its hold',
    [checkout, confirmed, reopened, 'delete from hold where order_uuid = :authorized'],
    ['checkout_hold'],
  ],
  [
    'points are held, and no job will let them go',
    [checkout, confirmed, `update checkout_session set release_at = null, collector = null`, reopened],
    ['checkout_hold'],
  ],
  ['points are chosen that nobody has confirmed', [checkout, reopened], ['checkout_choice']],
  ['a checkout outlives its order', [checkout], ['checkout_end']],
  ['a payment is under way for an order that has moved', [payment('created')], ['payment_under_way']],
  [
    'a payment of another amount is taken',
    [payment('paid'), 'update order_payment set amount_halalas = 1'],
    ['payment_taken'],
  ],
  [
    'money that a provider collected is not recorded',
    [
      payment('paid').replaceAll('order_uuid = :authorized', 'order_uuid = :paid'),
      `update order_payment set own_account = false`,
    ],
    ['provider_money'],
  ],
  ['a payment is taken for an order that waits for one', [payment('paid'), reopened], ['payment_taken']],
  ['money that came too late is forgotten', [payment('surplus')], ['payment_surplus']],
  ['an event is deleted', ['delete from event where order_uuid = :earned'], ['order_event']],
  [
    'an event is repeated',
    [
      `insert into event select program_id, overlay(event_id::text placing 'ffffffffffff' from 25)::uuid, merchant_id,
         order_uuid, name, payload, created_at from event where order_uuid = :earned`,
    ],
    ['event_repeated'],
  ],
  [
    'an event has other points',
    [`update event set payload = jsonb_set(payload::jsonb, '{total_points}', '1')::json where order_uuid = :earned`],
    ['event_payload'],
  ],
  [
    'an event tells of another order',
    [
      `update event set payload = replace(payload::text, left(order_uuid::text, 8), 'ffffffff')::json where order_uuid = :earned`,
    ],
    ['event_payload'],
  ],
  [
    'an event says nothing of points',
    [`update event set payload = (payload::jsonb - 'total_points')::json where order_uuid = :earned`],
    ['event_payload'],
  ],
  [
    'an event is of another merchant',
    [`update event set merchant_id = merchant_id + 1000 where order_uuid = :earned`],
    ['event_without_order'],
  ],
  [
    'an earning waits though it has become an order',
    [
      `insert into pending_earning (program_id, pending_uuid, merchant_id, customer_id, source, order_number,
         total_halalas, total_points, points_per_sar_e4, created_at)
       select program_id, gen_random_uuid(), merchant_id, customer_id, source, order_number, total_halalas, total_points,
         100000, created_at from orders where order_uuid = :earned`,
    ],
    ['pending_earning'],
  ],
]

describe('ledger verification', () => {
  test('a ledger written by the service has no differences, and all its rows are counted', async () => {
    const { differences, ...counted } = await verifyLedger(database.db)
    expect(differences).toEqual([])
    // Five wallets: three of the sandbox, two of the fixture.
    expect(counted).toEqual({ transfers: 14, entries: 28, wallets: 5 })
  })

  test.each([1, 2, 3])('runs no more than %i queries at a time', async (workers) => {
    const { db } = database
    let [asking, most] = [0, 0]
    async function counted<T>(ask: () => Promise<T>): Promise<T> {
      asking += 1
      most = Math.max(most, asking)
      return ask().finally(() => {
        asking -= 1
      })
    }
    const source: Pick<Database, 'run' | 'one'> = {
      run: (statement) => counted(() => db.run(statement)),
      one: (statement) => counted(() => db.one(statement)),
    }
    expect((await verifyLedger(source, { workers })).differences).toEqual([])
    expect(most).toBe(workers)
    const reports = database.connect({ plans: 'whole_tables' })
    const text = 'show max_parallel_workers_per_gather'
    expect(await reports.one({ text, values: [] })).toEqual({ max_parallel_workers_per_gather: '0' })
  })

  test('a program is asked only about what it has rows of', async () => {
    const { owner } = database
    const added = `insert into program (name, account_id, created_at, updated_at)
      values ('Without rows', gen_random_uuid(), now(), now()) returning program_id, account_id`
    const asked: string[] = []
    const verified = owner.transaction(async (tx) => {
      const program = await tx.one<{ program_id: number; account_id: Uuid }>({ text: added, values: [] })
      await tx.run({
        text: `insert into account (program_id, account_id, kind, created_at) values ($1, $2, 'program', now())`,
        values: [program?.program_id, program?.account_id],
      })
      const source: Pick<Database, 'run' | 'one'> = {
        run(statement) {
          asked.push(
            ...checks.filter(({ sql }) => (statement as Statement<never>).text.includes(sql)).map(({ name }) => name),
          )
          return tx.run(statement)
        },
        one: tx.one.bind(tx),
      }
      expect((await verifyLedger(source, { programs: [program?.program_id ?? 0] })).differences).toEqual([])
      throw new Undo()
    })
    await expect(verified).rejects.toBeInstanceOf(Undo)
    expect(asked.sort()).toEqual([
      'owner_without_account',
      'wallet_merged',
      'wallet_open_holds',
      'wallet_without_customer',
    ])
  })

  test('parts follow each other without a gap, from the first of all keys to the last', async () => {
    const { db } = database
    const parts: unknown[][] = []
    const source: Pick<Database, 'run' | 'one'> = {
      run: db.run.bind(db),
      one: (statement) => {
        const { text, values } = statement as Statement<never>
        if (text.includes('from_line')) parts.push([values[1], values[2]])
        const ends = text.startsWith('select transfer_id as key')
        return db.one(ends ? { text, values: [...values.slice(0, 2), 3] } : (statement as Statement<never>))
      },
    }
    const { differences, ...counted } = await verifyLedger(source, { workers: 1 })
    expect({ ...counted, differences, parts: parts.length }).toEqual({
      transfers: 14,
      entries: 28,
      wallets: 5,
      differences: [],
      parts: 4,
    })
    expect(parts[0]?.[0]).toBe('00000000-0000-0000-0000-000000000000')
    expect(parts.at(-1)?.[1]).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff')
    for (const [at, [from]] of parts.entries()) if (at > 0) expect(parts[at - 1]?.[1]).toBe(uuidBefore(from as Uuid))
  })

  test('reads transfers in the order of their keys, and the entries of wallets page by page', async () => {
    const { db } = database
    const plans: string[] = []
    const scans: unknown[] = []
    const transaction: Database['transaction'] = (work, options) =>
      db.transaction(async (tx) => {
        scans.push(await tx.one({ text: 'show enable_indexscan', values: [] }))
        const one = tx.one.bind(tx)
        vi.spyOn(tx, 'one').mockImplementation(async (statement) => {
          const { text, values } = statement as Statement<unknown>
          const plan = await tx.run<{ 'QUERY PLAN': string }>({ text: `explain ${text}`, values })
          plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'))
          return one(statement)
        })
        return work(tx)
      }, options)
    const source = { run: db.run.bind(db), one: db.one.bind(db), transaction }
    expect((await verifyLedger(source)).differences).toEqual([])
    const [transfers] = plans.filter((plan) => plan.includes('from_line'))
    expect(transfers).toContain('Index Scan using entry_pkey on entry from_line')
    expect(transfers).toContain('Index Scan using entry_pkey on entry to_line')
    const [wallets] = plans.filter((plan) => plan.includes('WindowAgg'))
    expect(wallets).toContain('Sort')
    expect(scans).toContainEqual({ enable_indexscan: 'off' })
    expect(wallets).not.toContain('Index Scan using entry_wallet_key')
  })

  test.each(breaks)('%s', async (_, statements, expected) => {
    const { differences } = await afterBreaking(statements)
    const names = differences.map(({ check }) => check)
    for (const name of expected) expect(names).toContain(name)
    for (const { id, detail, program_id } of differences) {
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(detail).not.toBe('')
      expect(program_id).toBe(ledger.program_id)
    }
  })

  test('every check finds at least one of the breaks', () => {
    const proven = new Set(breaks.flatMap(([, , expected]) => expected))
    expect(checks.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([])
  })

  test('orders older than the retention of events need no event', async () => {
    const { differences } = await afterBreaking([
      'delete from event where order_uuid = :earned',
      `update orders set order_uuid = '00000000-0000-7000-8000-000000000001' where order_uuid = :earned`,
    ])
    expect(differences.map(({ check }) => check)).not.toContain('order_event')
  })
})
