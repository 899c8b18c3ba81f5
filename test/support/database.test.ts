import { describe, expect, it } from 'vitest'
import { testDatabase } from './database.ts'
import { findLeftovers } from './leftovers.ts'

// Every other test relies on this: its own migrated database, and a failure for rows that it leaves behind.

const database = testDatabase()

describe('a test database', () => {
  it('is migrated and empty', async () => {
    const [row] = await database.db.run<{ migrations: number; orders: number }>({
      text: `select (select count(*) from schema_migration)::int as migrations, (select count(*) from orders)::int as orders`,
      values: [],
    })
    expect(row?.migrations).toBeGreaterThan(3)
    expect(row?.orders).toBe(0)
  })

  it('connects the service with a role that cannot alter the ledger', async () => {
    for (const text of ['update entry set amount = 1', 'delete from transfer', 'truncate entry', 'drop table entry'])
      await expect(database.db.script(text)).rejects.toMatchObject({ code: '42501' })
  })

  it('keeps numbers as numbers', async () => {
    const [row] = await database.db.run<{ big: number }>({ text: 'select 9007199254740991::bigint as big', values: [] })
    expect(row?.big).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('the check for leftovers', () => {
  it('finds an open session, unless the file leaves it on purpose', async () => {
    const stray = database.connect({ application_name: 'stray' })
    await stray.run({ text: 'select 1 as one', values: [] })
    expect(await findLeftovers(database.owner, [], { patience_ms: 0 })).toContainEqual(
      expect.stringContaining('open sessions: stray, idle'),
    )
    expect(await findLeftovers(database.owner, ['open sessions'])).toEqual([])
  })

  it('finds points that are still held, and a ledger without their entries', async () => {
    await database.owner.script(openHold)
    const left = await findLeftovers(database.owner, ['open sessions'])
    expect(left).toContainEqual(expect.stringMatching(/^open holds: 5 points for the order 0{8}-/))
    expect(left).toContainEqual(expect.stringMatching(/^ledger differences: /))
    expect(await findLeftovers(database.owner, ['open sessions', 'open holds', 'ledger differences'])).toEqual([])

    await database.owner.script('truncate hold, orders, transfer, account, customer cascade')
    // Only the rows that every program begins with are left, and the program's account is missing.
    const begun = await findLeftovers(database.owner, ['open sessions'])
    expect(begun).toContainEqual(expect.stringContaining('the program has no account in the ledger'))

    await database.owner.script('truncate hold, orders, transfer, account, customer, merchant, program cascade')
    expect(await findLeftovers(database.owner, ['open sessions'])).toEqual([])
  })
})

const id = (number: number) => `'00000000-0000-7000-8000-00000000000${number}'`

const openHold = `
  insert into program (program_id, name, account_id, created_at, updated_at)
    overriding system value values (1, 'One', ${id(1)}, now(), now());
  insert into merchant (program_id, merchant_id, account_id, name, payment_provider, created_at, updated_at)
    overriding system value values (1, 1, ${id(2)}, 'Shop', 'sandbox', now(), now());
  insert into customer (program_id, customer_id, phone, status, created_at, activated_at)
    values (1, ${id(3)}, '500000009', 'active', now(), now());
  insert into account (program_id, account_id, kind, customer_id, posted, held, version, created_at)
    values (1, ${id(3)}, 'customer', ${id(3)}, 0, 5, 0, now());
  insert into transfer (program_id, transfer_id, kind, reference, created_at)
    values (1, ${id(4)}, 'hold', 'hold', now());
  insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number, order_number,
      order_status, total_halalas, total_points, created_at, updated_at)
    values (1, ${id(5)}, 1, ${id(3)}, 2, 'checkout', 'R', 'N', 'new', 100, 0, now(), now());
  insert into hold (program_id, hold_id, account_id, order_uuid, points, hold_transfer_id, created_at)
    values (1, ${id(6)}, ${id(3)}, ${id(5)}, 5, ${id(4)}, now());
`
