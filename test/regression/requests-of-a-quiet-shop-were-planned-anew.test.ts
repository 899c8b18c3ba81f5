import { expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'

// A connection lives for 60 s, and PostgreSQL plans a statement five times before it keeps a plan. A shop with a request now
// and then waited for the planner in nearly all of them: 12 ms for an earning instead of 8.

const database = testDatabase({ plans: 'by_key', size: 1 })

const one = <Row>(text: string) => database.db.one<Row>({ text, values: [] })

test('the first call of a connection makes the plan that it keeps, and on a cluster PostgreSQL decides', async () => {
  const spread = await one("select from pg_extension where extname = 'citus'")
  await database.db.transaction(async (tx) => {
    await tx.script('prepare asked as select program_id from program where program_id = $1')
    for (let call = 1; call <= 3; call += 1) await tx.script('explain execute asked(1)')
    const [made] = await tx.run<{ custom: number; generic: number }>({
      text: `select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements
        where name = 'asked'`,
      values: [],
    })
    expect(made).toEqual(spread === undefined ? { custom: 0, generic: 3 } : { custom: 3, generic: 0 })
  })
})

test('other pools keep plans as PostgreSQL decides, whatever the default of its server', async () => {
  const lists = database.connect({ plans: 'by_order', size: 1 })
  const found = await lists.one<{ mode: string }>({
    text: "select current_setting('plan_cache_mode') as mode",
    values: [],
  })
  expect(found).toEqual({ mode: 'auto' })
})
