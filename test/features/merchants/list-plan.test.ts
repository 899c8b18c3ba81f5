import { expect, it } from 'vitest'
import { createProgramMerchants } from '../../../src/features/merchants/list.ts'
import { findMerchantsOfProgram } from '../../../src/features/merchants/program-list-queries.ts'
import { createProgram } from '../../../src/features/merchants/programs.ts'
import { addMerchants } from '../../../src/features/merchants/service.ts'
import { testDatabase } from '../../support/database.ts'
import { plansOf } from '../../support/plans.ts'

const database = testDatabase({ plans: 'by_key' })

it('the merchants of a program are listed by their index, however many there are', async () => {
  const place = { environment: 'sandbox', now: new Date() } as const
  const { program_id } = await createProgram(database.db, { ...place, name: 'Mall' })
  await database.db.transaction((tx) => addMerchants(tx, { ...place, program_id, name: 'Many', count: 5_000 }))
  // With statistics the names of all programs looked cheaper, and were read.
  await database.owner.script('analyze merchant, api_key, program')
  const page = { after: { sorted: '', merchant_id: 0 }, limit: 51 }
  const { text } = findMerchantsOfProgram(program_id, { part: 'many', stage: undefined }, page)
  const plans = await plansOf(database.db, new Map([['list', text]]))
  expect(plans.get('list')?.join()).toMatch(/merchant by merchant_program_name_idx/)
  // A search looks at the names of 5,000 merchants for a part of them; beginnings it finds by the index.
  await database.db.transaction((tx) => addMerchants(tx, { ...place, program_id, name: 'Zaatar Bakery', count: 1 }))
  const merchants = createProgramMerchants(database.db)
  const found = async (q: string) => {
    const { named } = await merchants.find(program_id, { q, stage: undefined, after: undefined, limit: 2 })
    return named.map(({ name }) => name)
  }
  expect(await found('zaatar')).toEqual(['Zaatar Bakery'])
  expect(await found('bakery')).toEqual([])
  expect(await found('any 4999')).toEqual(['Many 4999'])
})
