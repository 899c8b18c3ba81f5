import { beforeAll, describe, expect, it } from 'vitest'
import { findPrivateKeys } from '../../../src/features/merchants/key-queries.ts'
import { regenerateKeys } from '../../../src/features/merchants/keys.ts'
import { hashSecret } from '../../../src/lib/ids.ts'
import { makeMerchant, makeProgram, purchase, testApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { outcomeOf, readTable } from '../../support/tables.ts'

const database = testDatabase()
const app = testApp(database)
const path = '/v1/integration/status'
let program_id: number

beforeAll(async () => {
  program_id = (await makeProgram(database.db)).program_id
})

async function storedFlag(private_key: string): Promise<boolean | undefined> {
  const [row] = await database.db.run(findPrivateKeys([hashSecret(private_key)]))
  return row?.integration_active
}

const bodies = readTable(`
  body                                         | outcome                | answers
  {"integration_active":true}                  | 200                    | true
  {"integration_active":false}                 | 200                    | false
  {"active":true}                              | 200                    | true
  {"active":false}                             | 200                    | false
  {"integration_active":false,"active":true}   | 200                    | false
  {"integration_active":true,"active":false}   | 200                    | true
  {"integration_active":null,"active":false}   | 200                    | false
  {"integration_active":false,"active":null}   | 200                    | false
  {"integration_active":false,"other":1}       | 200                    | false
  {"integration_active":null}                  | 422 integration_active |
  {"integration_active":null,"active":null}    | 422 integration_active |
  {"integration_active":"true"}                | 422 integration_active |
  {"integration_active":""}                    | 422 integration_active |
  {"integration_active":1}                     | 422 integration_active |
  {"integration_active":0}                     | 422 integration_active |
  {"integration_active":[]}                    | 422 integration_active |
  {"integration_active":{}}                    | 422 integration_active |
  {"integration_active":"yes","active":true}   | 422 integration_active |
  {"active":"true"}                            | 422 active             |
  {"active":1}                                 | 422 active             |
  {"active":[true]}                            | 422 active             |
  {"integration_active":true,"active":"x"}     | 422 active             |
  {"integration_active":"x","active":"x"}      | 422 active integration_active |
  {}                                           | 422 integration_active |
  []                                           | 422 integration_active |
  [true]                                       | 422 integration_active |
  true                                         | 422 integration_active |
  null                                         | 422 integration_active |
  "true"                                       | 422 integration_active |
  {"integration_active":                       | 400                    |
  (nothing)                                    | 422 integration_active |
`)

describe('POST /v1/integration/status', () => {
  it.each(bodies)('$body: $outcome $answers', async ({ body = '', outcome, answers }) => {
    const { private_key: key } = await makeMerchant(database.db, { program_id })
    const headers = { 'content-type': 'application/json' }
    const reply = await app().call('POST', path, body === '(nothing)' ? { key } : { key, bytes: body, headers })
    expect(outcomeOf(reply)).toBe(outcome)
    const active = answers === 'true'
    if (outcome === '200') expect(reply.body.data).toEqual({ integration_active: active, active })
    expect(await storedFlag(key)).toBe(outcome === '200' ? active : true)
  })

  it.each(
    readTable(`
    key               | outcome
    (none)            | 400
    (public)          | 400
    (switched off)    | 400
    sk_test_00000000000000000000000000 | 400
    (not verified)    | 200
    (not published)   | 200
    (all flows off)   | 200
  `),
  )('key $key: $outcome', async ({ key = '', outcome }) => {
    const off = { earning_on: false, product_rating_on: false, store_rating_on: false, checkout_on: false }
    const merchant = await makeMerchant(database.db, {
      program_id,
      ...(key === '(switched off)' ? { key_status: false } : {}),
      changes: {
        verified: key !== '(not verified)',
        published: key !== '(not published)',
        ...(key === '(all flows off)' ? off : {}),
      },
    })
    const sent = { '(none)': {}, '(public)': { key: merchant.public_key } }[key] ?? {
      key: key.startsWith('(') ? merchant.private_key : key,
    }
    expect(outcomeOf(await app().call('POST', path, { ...sent, json: { active: false } }))).toBe(outcome)
  })

  it('can be repeated and reversed', async () => {
    const { private_key: key } = await makeMerchant(database.db, { program_id })
    for (const active of [false, false, true, true]) {
      const reply = await app().post(path, key, { integration_active: active })
      expect(reply).toMatchObject({ status: 200, body: { data: { integration_active: active, active } } })
    }
  })

  it('never affects authentication: a merchant whose integration is off can earn', async () => {
    const { private_key: key } = await makeMerchant(database.db, { program_id })
    await app().post(path, key, { active: false })
    expect(await app().post('/v1/orders/earning', key, purchase())).toMatchObject({ status: 200 })
    expect(await app().post(path, key, { active: true })).toMatchObject({ status: 200 })
  })

  it('changes only this merchant’s flag', async () => {
    const one = await makeMerchant(database.db, { program_id })
    const two = await makeMerchant(database.db, { program_id })
    await app().post(path, one.private_key, { active: false })
    expect([await storedFlag(one.private_key), await storedFlag(two.private_key)]).toEqual([false, true])
  })

  it('survives a regeneration of the keys, even a concurrent one', async () => {
    const owner = await makeMerchant(database.db, { program_id })
    const place = { environment: 'sandbox', now: new Date() } as const
    const [reply, pair] = await Promise.all([
      app().post(path, owner.private_key, { active: false }),
      regenerateKeys(database.db, owner, { ...place, which: 'both' }),
    ])
    if (reply.status === 200) expect(await storedFlag(pair.private_key)).toBe(false)
    else expect(reply.status).toBe(400)
  })

  it('has no other method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS'])
      expect(await app().call(method, path)).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  })
})
