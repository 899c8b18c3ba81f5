import { beforeAll, expect, test } from 'vitest'
import { findOpenHolds, type WalletKey } from '../../src/features/wallet/queries.ts'
import { testDatabase } from '../support/database.ts'
import { makeLarge } from '../support/large.ts'
import { rowsOf, stepsOf } from '../support/reads.ts'

// The open holds of a wallet were found by its entries: one with a million waited more than a second, as soon as a point was held.

const database = testDatabase({
  plans: 'by_key',
  leaves: ['ledger differences', 'open holds', 'due deliveries', 'due messages', 'due payment tasks'],
})
let key: WalletKey

beforeAll(async () => {
  const { owner } = database
  await makeLarge(owner)
  const text = `select program_id, account_id as customer_id from hold group by program_id, account_id
    order by count(*) desc, account_id limit 1`
  const [found] = await owner.run<WalletKey>({ text, values: [] })
  if (found === undefined) throw new Error('no wallet has holds')
  key = found
  await owner.script('analyze')
}, 300_000)

test('no entry is read, nor a hold that has ended', async () => {
  const steps = await stepsOf(database.db, findOpenHolds(key))
  expect(steps.map((step) => step['Relation Name']).filter((table) => table === 'entry')).toEqual([])
  const holds = steps.filter((step) => step['Relation Name'] === 'hold')
  expect(holds.map((step) => [step['Index Name'], rowsOf(step)])).toEqual([['hold_account_idx', 0]])
})

test('the newest comes first', async () => {
  const { owner, db } = database
  const { program_id, customer_id } = key
  await owner.run({
    text: `update hold h set state = 'open', end_transfer_id = null, ended_at = null, account_id = $2, points = n.number
      from (select hold_id, row_number() over (order by hold_id) as number from hold where program_id = $1
        order by hold_id limit 4) n
      where h.program_id = $1 and h.hold_id = n.hold_id`,
    values: [program_id, customer_id],
  })
  const found = await db.run(findOpenHolds(key))
  expect(found.map(({ points }) => points)).toEqual([4, 3, 2, 1])
})
