import { expect, it } from 'vitest'
import { hashJson } from '../../src/features/idempotency/canonical.ts'
import { createBeginOnce } from '../../src/features/idempotency/service.ts'
import { OffsetClock } from '../../src/lib/clock.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

// What went wrong: an operator confirms some requests by a password. The dashboard sends them under an Idempotency-Key, and
// the plain SHA-256 of the body was kept for a day, and in backups for ever: the hash of little else than a password.

const database = testDatabase()
const app = testApp(database)

const password = 'kettle grants tuesday'

it('a request of the dashboard is kept under a hash that the table alone cannot confirm', async () => {
  const operator = await makePerson(app(), 'operator', password)
  const body = { email: 'colleague@nuqta.example', password }
  const create = (json: object) => operator.call('POST', '/operator/people', json, { 'idempotency-key': 'create' })
  const made = await create(body)
  expect(made.status).toBe(200)
  const kept = await database.owner.run<{ body_hash: Buffer }>({
    text: 'select body_hash from idempotency',
    values: [],
  })
  expect(kept).toHaveLength(1)
  expect(kept[0]?.body_hash).not.toEqual(hashJson(body))
  expect((await create(body)).text).toBe(made.text)
  const other = await create({ ...body, password: 'another kettle grants' })
  expect([other.status, Object.keys(other.body.errors ?? {})]).toEqual([422, ['idempotency_key']])
})

it('knows the body again while the secret key is being changed', async () => {
  const { program_id, merchant_id } = await makeMerchant(app().db)
  const [former, fresh] = ['the former key, of thirty-two and more', 'the new key, of thirty-two and some more']
  const asked = { owner: { program_id, merchant_id }, route: '/people', path: '/people', key: 'one', has_secrets: true }
  const begin = (secrets: ReturnType<typeof createSecretBox>, secret: string) =>
    createBeginOnce({ db: app().db, clock: new OffsetClock(), secrets })({ ...asked, body: { password: secret } })
  expect(await begin(createSecretBox(former), password)).toMatchObject({ kind: 'started' })
  const both = createSecretBox(fresh, former)
  expect(await begin(both, password)).toEqual({ kind: 'in_flight' })
  expect(await begin(both, 'another kettle grants')).toEqual({ kind: 'other_body' })
})

it('knows a body again that an older version has stored under its plain hash', async () => {
  const { program_id, merchant_id } = await makeMerchant(app().db)
  const asked = {
    owner: { program_id, merchant_id },
    route: '/people',
    path: '/people',
    key: 'one',
    body: { password },
  }
  const begin = createBeginOnce({ db: app().db, clock: new OffsetClock(), secrets: createSecretBox('a key'.repeat(8)) })
  expect(await begin(asked)).toMatchObject({ kind: 'started' })
  expect(await begin({ ...asked, has_secrets: true })).toEqual({ kind: 'in_flight' })
})
