import { describe, expect, it } from 'vitest'
import { isDatabaseUnavailable } from '../../../src/db/failure.ts'
import { Database } from '../../../src/db/pool.ts'
import { createAuthenticate } from '../../../src/features/merchants/authenticate.ts'
import { regenerateKeys } from '../../../src/features/merchants/keys.ts'
import { createProgram } from '../../../src/features/merchants/programs.ts'
import { createMerchants, findMerchant, setMerchant } from '../../../src/features/merchants/service.ts'
import { testDatabase } from '../../support/database.ts'

const database = testDatabase()
const now = new Date('2026-02-01T09:00:00Z')
const place = { environment: 'sandbox', now } as const
let programs = 0

async function newMerchants(count: number) {
  programs += 1
  const { program_id } = await createProgram(database.db, { ...place, name: `Keys ${programs}` })
  return createMerchants(database.db, { ...place, program_id, name: `Shop ${programs}`, count, verified: true })
}

async function newMerchant() {
  const [merchant] = await newMerchants(1)
  if (merchant === undefined) throw new Error('no merchant was made')
  return merchant
}

describe('a key', () => {
  it('gives its merchant, with program, standing, flows and rates of this moment', async () => {
    const made = await newMerchant()
    const authenticate = createAuthenticate(database.db)
    const merchant = await authenticate('private', made.private_key)
    expect(merchant).toEqual({
      program: {
        program_id: made.program_id,
        account_id: expect.any(String),
        activation: 'automatic',
        rates: [{ begins_on: expect.any(String), micro_sar_per_point: 5_000 }],
        locale: 'en',
      },
      program_id: made.program_id,
      merchant_id: made.merchant_id,
      account_id: expect.any(String),
      name: made.name,
      verified: true,
      published: false,
      flows: { earning: true, product_rating: true, store_rating: true, checkout: true },
      points_per_sar_e4: 100_000,
      product_rating_points: 50,
      store_rating_points: 100,
      refund_window_days: 30,
      integration_active: true,
    })
    expect(await authenticate('public', made.public_key)).toEqual(merchant)
  })

  it('is valid only if it is of its kind, well-formed and known', async () => {
    const made = await newMerchant()
    const authenticate = createAuthenticate(database.db)
    const { private_key, public_key } = made
    const wrong = [
      undefined,
      '',
      public_key,
      private_key.replace('sk_', 'pk_'),
      private_key.replace('_test_', '_live_'),
      private_key.toUpperCase(),
      ` ${private_key}`,
      `${private_key}\n`,
      private_key.slice(0, -1),
      `${private_key}0`,
      `sk_test_${'0'.repeat(26)}`,
    ]
    for (const key of wrong) expect(await authenticate('private', key), key).toBeNull()
    for (const key of [private_key, undefined, `${public_key} `])
      expect(await authenticate('public', key), key).toBeNull()
  })

  it('that is missing or malformed is refused without a query', async () => {
    const away = new Database('postgresql://nobody@127.0.0.1:1/none', { connect_timeout_ms: 200 })
    const authenticate = createAuthenticate(away)
    for (const key of [undefined, '', [], 5, 'sk_test_', 'x'.repeat(10_000)])
      expect(await authenticate('private', key), String(key)).toBeNull()
    await away.close()
  })

  it('that is switched off is refused, both of the pair, and is valid again when it is switched on', async () => {
    const made = await newMerchant()
    const authenticate = createAuthenticate(database.db)
    const row = await findMerchant(database.db, String(made.merchant_id))
    const both = async () => [
      await authenticate('private', made.private_key),
      await authenticate('public', made.public_key),
    ]
    await setMerchant(database.db, row, { ...place, changes: {}, key_status: false })
    expect(await both()).toEqual([null, null])
    await setMerchant(database.db, row, { ...place, changes: {}, key_status: true })
    expect((await both()).map((merchant) => merchant?.merchant_id)).toEqual([made.merchant_id, made.merchant_id])
  })

  it('that was replaced is refused at once, also by another process', async () => {
    const made = await newMerchant()
    const elsewhere = createAuthenticate(database.connect())
    expect(await elsewhere('private', made.private_key)).not.toBeNull()
    const fresh = await regenerateKeys(database.db, made, { ...place, which: 'both' })
    expect(await elsewhere('private', made.private_key)).toBeNull()
    expect(await elsewhere('public', made.public_key)).toBeNull()
    expect(await elsewhere('private', fresh.private_key)).toMatchObject({ merchant_id: made.merchant_id })
  })

  it('is replaced alone if it is the private one: the public one goes on', async () => {
    const made = await newMerchant()
    const elsewhere = createAuthenticate(database.connect())
    expect(await elsewhere('private', made.private_key)).not.toBeNull()
    const fresh = await regenerateKeys(database.db, made, { ...place, which: 'private' })
    expect(fresh.public_key).toBe(made.public_key)
    expect(await elsewhere('private', made.private_key)).toBeNull()
    expect(await elsewhere('private', fresh.private_key)).toMatchObject({ merchant_id: made.merchant_id })
    expect(await elsewhere('public', made.public_key)).toMatchObject({ merchant_id: made.merchant_id })
  })

  it('replaced by several at once: one pair is left, and it is one of those that were shown', async () => {
    const made = await newMerchant()
    const which = (index: number) => (index % 2 === 0 ? 'both' : 'private')
    const pairs = await Promise.all(
      Array.from({ length: 6 }, (_, index) => regenerateKeys(database.db, made, { ...place, which: which(index) })),
    )
    const authenticate = createAuthenticate(database.db)
    const valid = await Promise.all(pairs.map(({ private_key }) => authenticate('private', private_key)))
    expect(valid.filter((merchant) => merchant !== null)).toHaveLength(1)
  })

  it('that was switched off stays off when it is replaced', async () => {
    const made = await newMerchant()
    const row = await findMerchant(database.db, String(made.merchant_id))
    await setMerchant(database.db, row, { ...place, changes: {}, key_status: false })
    const fresh = await regenerateKeys(database.db, made, { ...place, which: 'both' })
    expect(await createAuthenticate(database.db)('private', fresh.private_key)).toBeNull()
  })
})

describe('many keys at once', () => {
  it('share a few statements, and each gets its own merchant', async () => {
    const merchants = await newMerchants(50)
    const sizes: number[] = []
    const authenticate = createAuthenticate(database.db, (size) => sizes.push(size))
    const asked = [...merchants, ...merchants]
    const found = await Promise.all(
      asked.map(({ private_key }, index) =>
        authenticate('private', index % 5 === 0 ? `sk_test_${'1'.repeat(26)}` : private_key),
      ),
    )
    expect(found.map((merchant) => merchant?.merchant_id ?? null)).toEqual(
      asked.map(({ merchant_id }, index) => (index % 5 === 0 ? null : merchant_id)),
    )
    expect(sizes).toEqual([100])
  })

  it('with an unreachable database are an outage, never an invalid key', async () => {
    const away = new Database('postgresql://nobody@127.0.0.1:1/none', { connect_timeout_ms: 200 })
    const authenticate = createAuthenticate(away)
    const asked = Array.from({ length: 3 }, (_, index) =>
      authenticate('private', `sk_test_${String(index).repeat(26)}`),
    )
    for (const outcome of await Promise.allSettled(asked))
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.toSatisfy(isDatabaseUnavailable) })
    await away.close()
  })
})
