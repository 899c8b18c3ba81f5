import { beforeAll, expect, it } from 'vitest'
import { findMerchantsNamed } from '../../../src/features/merchants/list-queries.ts'
import { addMerchants } from '../../../src/features/merchants/service.ts'
import { type App, makeMerchant, testApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { plansOf } from '../../support/plans.ts'
import { makePerson, type Person } from '../../support/staff.ts'

// Operators find every merchant of the deployment by a part of its name, in either language, or by its number.

const database = testDatabase()
const started = testApp(database)
let app: App
let operator: Person

beforeAll(async () => {
  app = started()
  operator = await makePerson(app, 'operator')
  for (const name of ['Zed', 'amber', 'Amber 100%', 'Amber 100 and more', 'متجر ليان', 'متجر', '100 Cups'])
    await makeMerchant(app.db, { name })
})

interface Listed {
  readonly data: readonly { readonly merchant_id: number; readonly name: string }[]
  readonly next: string | null
}

async function list(query: Readonly<Record<string, string>>): Promise<Listed> {
  const { status, body } = await operator.call('GET', `/merchants?${new URLSearchParams(query)}`)
  expect(status).toBe(200)
  return body as unknown as Listed
}
const names = async (q: string) => (await list({ q })).data.map(({ name }) => name)

it('shows each merchant once, page by page, in the order of the names', async () => {
  const all: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: Listed = await list({ limit: '2', ...(after === '' ? {} : { after }) })
    all.push(...page.data.map(({ name }) => name))
    after = page.next
  }
  expect(all).toEqual(['100 Cups', 'amber', 'Amber 100 and more', 'Amber 100%', 'Zed', 'متجر', 'متجر ليان'])
})

it('finds names by a part of them, in any case and spelling, and reads no character as a pattern', async () => {
  expect(await names('AMBER')).toEqual(['amber', 'Amber 100 and more', 'Amber 100%'])
  expect(await names('amber 100%')).toEqual(['Amber 100%'])
  expect(await names('متجر ل')).toEqual(['متجر ليان'])
  expect(await names('100%')).toEqual(['Amber 100%'])
  expect(await names('_')).toEqual([])
  const { merchant_id } = await makeMerchant(app.db, { name: 'Layan Books' })
  const text = 'update merchant set name_ar = $2 where merchant_id = $1'
  await database.owner.run({ text, values: [merchant_id, 'مكتبة الإمام'] })
  expect(await names('مكتبه')).toEqual(['Layan Books'])
  expect(await names('امام')).toEqual(['Layan Books'])
})

it('shows the merchant of a number first, beside names that begin with it', async () => {
  const made = await makeMerchant(app.db, { name: 'By number' })
  expect(await names(String(made.merchant_id))).toContain('By number')
  const [first] = (await list({ q: '100' })).data
  expect(first?.name).toBe('100 Cups')
  expect(await names('999999999')).toEqual([])
})

it('continues after a merchant that was found by its number', async () => {
  const { merchant_id } = await makeMerchant(app.db, { name: 'Numbered' })
  await makeMerchant(app.db, { name: `${merchant_id} Lanes` })
  const page = await list({ q: String(merchant_id), limit: '1' })
  expect(page.data.map(({ name }) => name)).toEqual(['Numbered'])
  const behind = await list({ q: String(merchant_id), limit: '1', after: page.next ?? '' })
  expect(behind.data.map(({ name }) => name)).toEqual([`${merchant_id} Lanes`])
})

it('refuses a cursor that no page gave', async () => {
  for (const after of ['x', '1', '1.%', `1.${Buffer.from('a\0b').toString('base64url')}`]) {
    const { status } = await operator.call('GET', `/merchants?${new URLSearchParams({ after })}`)
    expect(status, after).toBe(422)
  }
})

it('reads a page by the index of names, however many merchants there are', async () => {
  const { program_id } = await makeMerchant(app.db)
  const many = { program_id, environment: 'sandbox', now: new Date(), name: 'Many', count: 3_000 } as const
  // A connection that has not planned its foreign keys for a table of few merchants.
  await database.connect().transaction((tx) => addMerchants(tx, many))
  await app.db.run({ text: 'analyze merchant', values: [] })
  const statement = findMerchantsNamed('many', { sorted: '', merchant_id: 0 }, 51)
  const plans = await plansOf(app.db, new Map([['list', statement.text]]))
  expect(plans.get('list')?.[0]).toMatch(/^merchant by merchant_name_idx/)
})
