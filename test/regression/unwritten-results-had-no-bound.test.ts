import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { announceEvents, clearQueue, register, startWorker } from '../support/deliveries.ts'
import { oneMerchant } from '../support/earnings.ts'
import { testReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait.ts'

// While the database wrote results slowly, a worker kept sending: 66,000 leases expired before their results were written, their
// deliveries were sent again, and the process used 800 MB.

const database = testDatabase({ plans: 'by_key', leaves: ['ledger differences'] })
afterAll(() => clearQueue(database.owner))

const events = 200
const most_unwritten = 20
/** The most deliveries that four claims of this worker can take. */
const slots = 16

test('a worker with unwritten results stops at its bound, and sends the rest later, each once', async () => {
  const merchant = await oneMerchant(database.db)
  const { url, received } = await testReceiver()
  await register(database.db, merchant, url)
  await announceEvents(
    database.db,
    merchant,
    Array.from({ length: events }, () => ({})),
  )
  await database.owner.transaction(async (tx) => {
    await tx.script('lock table delivery_attempt in share row exclusive mode')
    const worker = startWorker(database.db, { slots, most_unwritten })
    await waitFor('the worker to pause', () => received.length > most_unwritten && worker.in_flight === 0)
    expect(received.length).toBeLessThanOrEqual(most_unwritten + slots)
  })
  await waitFor('all of them', () => received.length >= events)
  expect(new Set(received.map(({ id }) => id)).size).toBe(events)
  expect(received.every(({ attempt }) => attempt === 1)).toBe(true)
})
