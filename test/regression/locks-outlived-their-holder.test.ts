import { expect, test } from 'vitest'
import type { Database } from '../../src/db/pool.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants } from '../support/earnings.ts'
import { waitFor } from '../support/wait.ts'

const database = testDatabase()

const lockMerchant = 'select from earning_lock where program_id = $1 for no key update'
const lockWallet = 'select from account where program_id = $1 for no key update'

async function oneProgram(): Promise<number> {
  const [merchant] = await earningMerchants(database.db, 1)
  return merchant?.program_id ?? 0
}

/** Waits until the merchant's lock is free. */
function waitForLock(program_id: number): Promise<void> {
  const find = { text: `${lockMerchant} skip locked`, values: [program_id] }
  return waitFor('the lock to be free', async () => (await database.owner.run(find)).length > 0)
}

function asRequests(): Database {
  return database.connect({ plans: 'by_key', query_timeout_ms: 1_500 })
}

// What went wrong: the server had no timeouts. The transaction of a process that froze, or whose machine lost its
// network, stayed open, and its merchant got 429 until TCP closed the connection: two hours by default.
test('the lock of a process that froze within a transaction ends', async () => {
  const program_id = await oneProgram()
  const [locked, thawed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const frozen = asRequests().transaction(async (tx) => {
    await tx.run({ text: lockMerchant, values: [program_id] })
    locked.resolve()
    await thawed.promise
    await tx.run({ text: 'select 1', values: [] })
  })
  frozen.catch(() => undefined)
  await locked.promise
  await waitForLock(program_id)
  thawed.resolve()
  // The connection is lost, so the whole transaction is tried again.
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
    // Free although the other lock is still held.
    await waitForLock(program_id)
  })
})
