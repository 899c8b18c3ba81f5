import { expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { announceEvents, register, startWorker } from '../support/deliveries.ts'
import { earningMerchants } from '../support/earnings.ts'
import { testReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait.ts'

// A database that reads but takes no writes, such as a standby: every look at the queue, five a second, logged that the
// deliveries could not be claimed, with a stack.

// Events without orders.
const database = testDatabase({ leaves: ['ledger differences'] })

it('deliveries that cannot be claimed are told once, until one can', async () => {
  const [merchant] = await earningMerchants(database.db, 1)
  if (merchant === undefined) throw new Error('no merchant was made')
  const { url, waitFor: arrived } = await testReceiver()
  await register(database.db, merchant, url)
  const db = database.connectTo(database.url)
  const transaction = db.transaction.bind(db)
  let [refuses, refused] = [true, 0]
  db.transaction = (work, options) =>
    transaction(async (tx) => {
      if (refuses) void tx.run({ text: 'set transaction read only', values: [] })
      return work(tx)
    }, options).catch((error: unknown) => {
      refused += 1
      throw error
    })
  const worker = startWorker(db)
  await announceEvents(database.db, merchant, [{}])
  await waitFor('some claims to fail', () => refused > 3)
  const told = expect.stringMatching(/^due deliveries could not be claimed .*read-only/)
  expect(worker.warned).toEqual([told])
  refuses = false
  await arrived(1)
  const queued = { text: 'select from delivery_queue', values: [] }
  await waitFor('it to be written', async () => (await database.owner.run(queued)).length === 0)
  refuses = true
  await announceEvents(database.db, merchant, [{}])
  await waitFor('another warning', () => worker.warned.length > 1)
  expect(worker.warned).toEqual([told, told])
  refuses = false
  await arrived(2)
  await worker.stop()
})
