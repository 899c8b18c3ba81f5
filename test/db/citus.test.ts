import { describe, expect, it } from 'vitest'
import { placements } from '../../src/db/citus.ts'
import { programsWith } from '../../src/db/programs.ts'
import { testDatabase } from '../support/database.ts'

// What the schema and the statements must satisfy on any PostgreSQL, so that they also work on a cluster. test/citus
// runs
// them on one.

const database = testDatabase()

const rows = <Row>(text: string) => database.owner.run<Row>({ text, values: [] })
const ours = `from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`

describe('every table', () => {
  it('has a placement on a cluster', async () => {
    const tables = await rows<{ name: string }>(`select c.relname as name ${ours}`)
    expect(Object.keys(placements).sort()).toEqual(tables.map(({ name }) => name).sort())
  })

  it('comes after the tables that it references, and can reach them on a cluster', async () => {
    const keys = await rows<{ table: string; referred: string }>(
      `select conrelid::regclass::text as table, confrelid::regclass::text as referred from pg_constraint
        where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`,
    )
    expect(keys.length).toBeGreaterThan(20)
    const order = Object.keys(placements)
    const wrong = keys.filter(
      ({ table, referred }) =>
        order.indexOf(referred) > order.indexOf(table) ||
        (placements[referred] !== 'reference' && placements[referred] !== placements[table]),
    )
    expect(wrong).toEqual([])
  })

  it('that is distributed has its distribution column in every unique key', async () => {
    const keys = await rows<{ table: string; key: string; columns: string[] }>(
      `select c.relname as table, i.indexrelid::regclass::text as key,
        array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any(i.indkey)) as columns
        from pg_index i join pg_class c on c.oid = i.indrelid
        where i.indisunique and c.relnamespace = 'public'::regnamespace and not c.relispartition`,
    )
    expect(keys.length).toBeGreaterThan(40)
    const spread = keys.filter(({ table }) => !['reference', 'local'].includes(placements[table] ?? ''))
    expect(spread.filter(({ table, columns }) => !columns.includes(placements[table] ?? ''))).toEqual([])
  })
})

describe('programs with work', () => {
  const conditions = [
    'select from delivery_queue q where q.program_id = p.program_id',
    "select from payment_task t where t.program_id = p.program_id and t.state = 'due' and t.due_at <= now()",
    "select from sms_queue q where q.program_id = p.program_id and q.state = 'due' and q.due_at <= now()",
    'select from checkout_session s where s.program_id = p.program_id and s.release_at <= now()',
  ]

  it.each(conditions)('are found by index, however many customers they have: %s', async (condition) => {
    await database.owner.transaction(async (tx) => {
      await tx.script(`set local session_replication_role = replica; set local enable_hashjoin = off;
        set local enable_mergejoin = off; set local enable_seqscan = off;
        insert into account (program_id, account_id, kind, created_at)
          select n, gen_random_uuid(), 'program', now() from generate_series(1, 200) n;
        insert into account (program_id, account_id, kind, customer_id, posted, held, version, created_at)
          select 1 + n % 200, id, 'customer', id, 0, 0, 0, now()
          from generate_series(1, 5000) n cross join lateral (select gen_random_uuid() as id where n > 0) k;
        analyze account`)
      const plan = (await tx.run<Record<string, string>>({ text: `explain ${programsWith(condition)}`, values: [] }))
        .map((row) => row['QUERY PLAN'])
        .join('\n')
      expect(plan).toContain('account_program_key')
      expect(plan).not.toContain('Seq Scan')
      await tx.run({ text: 'delete from account where program_id between 1 and 200', values: [] })
    })
  })
})
