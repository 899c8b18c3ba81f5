import { expect, it } from 'vitest'
import { takeTurns } from '../../src/db/leased-queue.ts'
import { minute_ms } from '../../src/domain/spans.ts'
import { messageQueue } from '../../src/features/customers/invitation-queries.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { makeMerchant } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { announceEvents, clearQueue, deliveriesOf, register, startWorker } from '../support/deliveries.ts'
import { oneMerchant } from '../support/earnings.ts'
import { type Answer, answers, testReceiver } from '../support/receiver.ts'

// Once a minute a worker ends leases that no right clock can have set. It compared them with its own clock of a moment before,
// so it also ended those taken since, and those of a server whose clock was a little ahead or whose attempts may take longer.
// Each minute some deliveries went out twice, and a receiver that asked for an hour's patience was asked again at once.

const database = testDatabase({ leaves: ['due messages', 'ledger differences'] })

/** Makes a delivery that a repair makes due, and waits until a worker has repaired and sent it. */
async function waitForRepair({ merchant, received }: Awaited<ReturnType<typeof shopWithReceiver>>): Promise<void> {
  const [event_id] = await announceEvents(database.db, merchant, [{}])
  await database.owner.run({
    text: 'update delivery_queue set due_at = $2 where event_id = $1',
    values: [event_id, new Date(Date.now() + 400 * 86_400_000)],
  })
  let passed_ms = 0
  startWorker(database.db, { now: () => Date.now() + passed_ms })
  passed_ms = minute_ms
  await expect.poll(() => received.map(({ id }) => id)).toContain(event_id)
}

async function shopWithReceiver(answer: Parameters<typeof testReceiver>[0]) {
  const merchant = await oneMerchant(database.db)
  const { url, received, waitFor } = await testReceiver(answer)
  await register(database.db, merchant, url)
  return { merchant, received, waitFor }
}

it.each([
  ['a server whose clock is a little ahead', { now: () => Date.now() + minute_ms + 30_000 }],
  ['a server whose attempts may take longer', { settings: { timeout_s: 200 }, now: () => Date.now() + minute_ms }],
])('a lease of %s stays until its end', async (_, other) => {
  const held = Promise.withResolvers<void>()
  const late: Answer = (response, one) => held.promise.then(() => answers.ok(response, one))
  const shop = await shopWithReceiver({ answer: answers.firstly(1, late, answers.ok) })
  const [event_id] = await announceEvents(database.db, shop.merchant, [{}])
  startWorker(database.connect({ plans: 'by_key', size: 2 }), other)
  await shop.waitFor(1)
  const leases = () =>
    database.db.run({
      text: 'select attempts, leased_until from delivery_queue where event_id = $1',
      values: [event_id],
    })
  const before = await leases()
  await waitForRepair(shop)
  expect(before).toHaveLength(1)
  expect(await leases()).toEqual(before)
  held.resolve()
  await clearQueue(database.owner)
})

it('a receiver that asked for an hour is not asked earlier', async () => {
  const busy = answers.status(503, { 'retry-after': '3600' })
  const shop = await shopWithReceiver({ answer: answers.firstly(1, busy, answers.ok) })
  const [event_id] = await announceEvents(database.db, shop.merchant, [{}])
  startWorker(database.connect({ plans: 'by_key', size: 2 }), { now: () => Date.now() + minute_ms + 30_000 })
  await expect
    .poll(async () => (await deliveriesOf(database.db, shop.merchant)).map(({ attempts }) => attempts.length))
    .toEqual([1])
  await waitForRepair(shop)
  expect(shop.received.filter(({ id }) => id === event_id)).toHaveLength(1)
  await clearQueue(database.owner)
})

it('a message that another server put off for as long as it may waits', async () => {
  const { program_id, merchant_id } = await makeMerchant(database.db)
  const now = new Date()
  const later = new Date(now.getTime() + 48 * 3_600_000 + 30_000)
  await database.owner.run({
    text: `insert into sms_queue (program_id, sms_uuid, kind, customer_id, merchant_id, due_at, leased_until, created_at)
      values ($1, $2, 'invitation', $2, $3, $4, null, $5)`,
    values: [program_id, newUuid(), merchant_id, later, now],
  })
  await takeTurns(database.db, messageQueue, now, async () => 0)
  expect(
    await database.db.run({ text: 'select due_at from sms_queue where program_id = $1', values: [program_id] }),
  ).toEqual([{ due_at: later }])
})
