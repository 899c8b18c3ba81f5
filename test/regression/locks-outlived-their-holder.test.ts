import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Database } from '../../src/db/pool.ts'
import { testDatabase } from '../support/database.ts'
import { makeMerchants } from '../support/earnings.ts'

const database = testDatabase()

const lockMerchant = 'select from earning_lock where program_id = $1 for no key update'
const lockWallet = 'select from account where program_id = $1 for no key update'

async function oneProgram(): Promise<number> {
  const [merchant] = await makeMerchants(database.db, 1)
  return merchant?.program_id ?? 0
}

/** Milliseconds until the merchant's lock is free. */
async function waitForLock(program_id: number): Promise<number> {
  const started_ms = performance.now()
  const find = { text: `${lockMerchant} skip locked`, values: [program_id] }
  while ((await database.owner.run(find)).length === 0) await sleep(20)
  return performance.now() - started_ms
}

function asRequests(): Database {
  return database.connect({ plans: 'by_key', query_timeout_ms: 500 })
}

// What went wrong: the server was given no limits, so the transaction of a process that froze, or whose machine lost its
// network, stayed open, and its merchant was answered with 429 until TCP gave the connection up: two hours by default.
test('the lock of a process that froze within a transaction ends', async () => {
  const program_id = await oneProgram()
  const frozen = asRequests().transaction(async (tx) => {
    await tx.run({ text: lockMerchant, values: [program_id] })
    await sleep(1_500)
    await tx.run({ text: 'select 1', values: [] })
  })
  frozen.catch(() => undefined)
  await sleep(100)
  expect(await waitForLock(program_id)).toBeLessThan(1_200)
  // The connection is lost, so it is tried again, whole.
  await frozen.catch(() => undefined)
})

test('the lock of a transaction that was given up while it waited for another lock ends', async () => {
  const program_id = await oneProgram()
  await database.owner.transaction(async (tx) => {
    await tx.run({ text: lockWallet, values: [program_id] })
    const given_up = asRequests().transaction(async (waiting) => {
      await waiting.run({ text: lockMerchant, values: [program_id] })
      await waiting.run({ text: lockWallet, values: [program_id] })
    })
    await expect(given_up).rejects.toThrow()
    expect(await waitForLock(program_id)).toBeLessThan(1_000)
  })
})
