import { beforeAll, expect, it } from 'vitest'
import { addMerchants, findMerchantById, setMerchant } from '../../../src/features/merchants/service.ts'
import { type App, makeMerchant, purchase, testApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { makePerson, type Person } from '../../support/staff.ts'

// Operators create, review and suspend merchants; each change applies from the next request on, in every process.

const database = testDatabase()
const started = testApp(database)
/** Another process of the same deployment. */
const other = testApp(database)
let app: App
let operator: Person
let shop: Awaited<ReturnType<typeof makeMerchant>>

beforeAll(async () => {
  app = started()
  operator = await makePerson(app, 'operator')
  shop = await makeMerchant(app.db, { name: 'Sidra' })
})

interface Reviewed {
  readonly merchant_id: number
  readonly stage: string
  readonly verified_by: string | null
  readonly standing: { readonly version: string; readonly published: boolean; readonly key_status: boolean }
  readonly note: { readonly version: string; readonly note: string; readonly changed_by: string | null }
  readonly documents: readonly { readonly document: string; readonly seen_by: string | null; readonly note: string }[]
}

const at = (path = '', { program_id, merchant_id } = shop) => `/programs/${program_id}/merchants/${merchant_id}${path}`
const read = async () => (await operator.call('GET', at())).body.data as Reviewed
const earn = (through = app) => through.post('/v1/orders/earning', shop.private_key, purchase())
const logged = async (action: string) =>
  app.db.run<{ actor: string; before: object; after: object }>({
    text: 'select actor, before, after from audit where program_id = $1 and action = $2 order by audit_id',
    values: [shop.program_id, action],
  })

async function change(json: object) {
  const { version } = (await read()).standing
  return operator.call('PATCH', at(), { version, ...json })
}

it('makes a merchant once under its key, and shows the private key once', async () => {
  const key = { 'idempotency-key': 'made-once' }
  const json = { name: 'Corner Café', name_ar: 'مقهى الزاوية' }
  const path = `/programs/${shop.program_id}/merchants`
  const [first, again] = [await operator.call('POST', path, json, key), await operator.call('POST', path, json, key)]
  expect([first.status, again.body]).toEqual([200, first.body])
  expect(again.headers['idempotency-replayed']).toBe('true')
  const { merchant_id, private_key } = first.body.data as { merchant_id: number; private_key: string }
  expect(private_key).toMatch(/^sk_test_/)
  const { program_id } = shop
  expect((await operator.call('GET', at('', { ...shop, merchant_id }))).body.data).toMatchObject({
    ...json,
    stage: 'unverified',
  })
  expect(await logged('merchant.create')).toEqual([
    { actor: operator.email, before: null, after: { ...json, verified: false, published: false } },
  ])
  expect((await operator.call('POST', path, { name: ' ' }, { 'idempotency-key': 'x' })).status).toBe(422)
  expect(program_id).toBeGreaterThan(0)
})

it('verifies, publishes and switches, and each change is known to every process at once', async () => {
  expect((await change({ verified: false })).body.data).toMatchObject({ stage: 'unverified', verified_by: null })
  expect([(await earn()).status, (await earn(other())).status]).toEqual([403, 403])
  expect((await change({ verified: true })).body.data).toMatchObject({ stage: 'live', verified_by: operator.email })
  expect([(await earn()).status, (await earn(other())).status]).toEqual([200, 200])
  await change({ flows: { earning: false } })
  expect((await earn(other())).status).toBe(403)
  await change({ flows: { earning: true }, key_status: false })
  expect((await earn(other())).status).toBe(400)
  await change({ key_status: true })
  expect((await earn(other())).status).toBe(200)
  expect(await operator.call('PATCH', at(), { version: 'old', verified: false })).toMatchObject({ status: 409 })
})

it('suspends a merchant with a reason, and gives back what it was', async () => {
  const suspended = await operator.call('POST', at('/suspend'), { reason: 'No answer for a month.' })
  expect(suspended.body.data).toEqual({ stage: 'suspended', key_status: true })
  expect((await earn(other())).body).toMatchObject({ status: false })
  expect((await earn(other())).status).toBe(403)
  // Nobody publishes it meanwhile, not even by command.
  expect((await change({ published: true })).status).toBe(409)
  const row = await findMerchantById(app.db, shop.merchant_id)
  const now = new Date()
  const set = { environment: 'sandbox', now, changes: { published: true } } as const
  await expect(setMerchant(app.db, row, set)).rejects.toMatchObject({ failure: { kind: 'merchant_suspended' } })
  expect((await operator.call('POST', at('/suspend'), { reason: 'Again' })).status).toBe(409)
  expect((await operator.call('POST', at('/resume'))).body.data).toEqual({ stage: 'live', key_status: true })
  expect((await earn(other())).status).toBe(200)

  await operator.call('POST', at('/suspend'), { reason: 'Stolen keys', keys_off: true })
  expect((await earn(other())).status).toBe(400)
  await operator.call('POST', at('/resume'), { keys_on: true })
  expect((await earn()).status).toBe(200)
  expect((await logged('merchant.suspend')).map(({ after }) => after)).toEqual([
    { reason: 'No answer for a month.', published: false, key_status: true },
    { reason: 'Stolen keys', published: false, key_status: false },
  ])
  expect((await logged('merchant.resume')).map(({ after }) => after)).toEqual([
    { published: true, key_status: true },
    { published: true, key_status: true },
  ])
})

it('keeps a note and a checklist, whose words the merchant never reads', async () => {
  const { note } = await read()
  const text = 'The register names another owner.'
  expect((await operator.call('PUT', at('/note'), { version: note.version, note: text })).status).toBe(200)
  expect((await operator.call('PUT', at('/note'), { version: note.version, note: 'late' })).status).toBe(409)
  await operator.call('PUT', at('/documents/contract'), { seen: true, note: text })
  const colleague = await makePerson(app, 'operator')
  // A second tick is a new note under the first one's name.
  await colleague.call('PUT', at('/documents/contract'), { seen: true, note: null })
  await colleague.call('PUT', at('/documents/bank_letter'), { seen: true })
  await colleague.call('PUT', at('/documents/bank_letter'), { seen: false, note: 'It has expired.' })
  expect((await operator.call('PUT', at('/documents/passport'), { seen: true })).status).toBe(404)
  const { documents, note: written } = await read()
  expect(written).toMatchObject({ note: text, changed_by: operator.email })
  expect(documents.map(({ document, seen_by, note }) => [document, seen_by, note])).toEqual([
    ['commercial_register', null, ''],
    ['vat_certificate', null, ''],
    ['bank_letter', null, 'It has expired.'],
    ['contract', operator.email, ''],
  ])
  const owner = await makePerson(app, { ...shop, role: 'owner' })
  const audit = JSON.stringify((await owner.call('GET', `/merchants/${shop.merchant_id}/audit`)).body)
  expect(audit).toContain('merchant.document')
  expect(audit).not.toContain('another owner')
  expect((await owner.call('GET', at())).status).toBe(403)
})

it('lists a program by stage and name, a page at a time', async () => {
  const { program_id } = shop
  const many = { program_id, environment: 'sandbox', now: new Date(), name: 'Many', count: 120 } as const
  await app.db.transaction((tx) => addMerchants(tx, many))
  await makeMerchant(app.db, { name: 'Many elsewhere' })
  const list = async (query: string) => {
    const { body } = await operator.call('GET', `/programs/${program_id}/merchants?${query}`)
    return body as unknown as { data: { name: string; stage: string }[]; next: string | null }
  }
  expect((await list('stage=live')).data.map(({ name }) => name)).toEqual(['Sidra'])
  expect((await list('q=corner')).data).toMatchObject([{ name: 'Corner Café', stage: 'unverified' }])
  const first = await list('q=many&limit=2')
  expect(first.data.map(({ name }) => name)).toEqual(['Many 1', 'Many 10'])
  const second = await list(`q=many&limit=1&after=${first.next}`)
  expect(second.data.map(({ name }) => name)).toEqual(['Many 100'])
  expect((await list(`q=${shop.merchant_id}`)).data[0]?.name).toBe('Sidra')
  const { body } = await operator.call('GET', `/programs/${program_id}/overview`)
  expect(body.data).toMatchObject({ merchants: { live: 1, unverified: 121, suspended: 0, unpublished: 0 } })
})
