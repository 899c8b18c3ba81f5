import { beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/pool.ts'
import { purgeKeys } from '../../src/features/idempotency/service.ts'
import { purgeRemembered } from '../../src/features/otp/remembered.ts'
import { purgeSignIns } from '../../src/features/staff/purge.ts'
import { purgeCards } from '../../src/features/wallet/card.ts'
import { purgeSessions } from '../../src/features/wallet/session.ts'
import { makeMerchant } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { waitForLocks } from '../support/wait.ts'

// A purge found what had expired, waited for whoever held a row, and deleted it though it had just been renewed: a customer
// who had entered the right code was signed out again, and a request under a key of the day before lost its claim.

const database = testDatabase()
let program_id: number

beforeAll(async () => {
  program_id = (await makeMerchant(database.db)).program_id
})

interface Renewed {
  readonly table: string
  readonly columns: string
  readonly values: string
  readonly renewal: string
  readonly purge: (db: Database, now: Date) => Promise<number>
}

const [id, hash, past, ahead] = [
  'gen_random_uuid()',
  `sha256('a')`,
  `now() - interval '2 days'`,
  `now() + interval '1 hour'`,
]
const rows: readonly Renewed[] = [
  {
    table: 'idempotency',
    columns: 'program_id, merchant_id, key_hash, route, body_hash, request_uuid, owner, leased_until, created_at',
    values: `$1, 1, ${hash}, 'r', ${hash}, ${id}, ${id}, ${past}, ${past}`,
    renewal: 'created_at = now()',
    purge: purgeKeys,
  },
  {
    table: 'wallet_session',
    columns: 'program_id, session_uuid, token_hash, phone, seen_at, expires_at, created_at',
    values: `$1, ${id}, ${hash}, '512345678', ${past}, ${past}, ${past}`,
    renewal: `proven_at = now(), expires_at = ${ahead}`,
    purge: purgeSessions,
  },
  {
    table: 'card_session',
    columns: 'program_id, card_uuid, merchant_id, token_hash, phone, stage, created_at, expires_at',
    values: `$1, ${id}, 1, ${hash}, '512345678', 'asked', ${past}, ${past}`,
    renewal: `stage = 'open', expires_at = ${ahead}`,
    purge: purgeCards,
  },
  {
    table: 'remembered_browser',
    columns: 'program_id, remembered_uuid, token_hash, phone, customer_id, proven_at, used_at, expires_at, created_at',
    values: `$1, ${id}, ${hash}, '512345678', ${id}, ${past}, ${past}, ${past}, ${past}`,
    renewal: `expires_at = ${ahead}`,
    purge: purgeRemembered,
  },
  {
    table: 'staff_session',
    columns: 'session_uuid, token_hash, staff_uuid, method, proven_at, seen_at, expires_at, created_at',
    values: `${id}, ${hash}, ${id}, 'password', ${past}, ${past}, ${ahead}, ${past}`,
    renewal: 'seen_at = now()',
    purge: purgeSignIns,
  },
]

test.each(rows)('a row of $table that is renewed while it is purged stays', async (row) => {
  const { table, columns, values, renewal, purge } = row
  const written = columns.startsWith('program_id') ? [program_id] : []
  await database.owner.run({ text: `insert into ${table} (${columns}) values (${values})`, values: written })
  let purged: Promise<number> | undefined
  await database.owner.transaction(async (tx) => {
    await tx.run({ text: `update ${table} set ${renewal}`, values: [] })
    purged = purge(database.db, new Date())
    await waitForLocks(database.owner)
  })
  expect(await purged).toBe(0)
  expect(await database.owner.run({ text: `select from ${table}`, values: [] })).toHaveLength(1)
})
