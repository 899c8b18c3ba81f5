import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { windows } from '../../../src/domain/delivery.ts'
import { FairQueue } from '../../../src/features/webhooks/fair-queue.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import { testDatabase } from '../../support/database.ts'
import { announceEvents, clearQueue, register, startWorker } from '../../support/deliveries.ts'
import { earningMerchants } from '../../support/earnings.ts'
import { answers, startReceiver } from '../../support/receiver.ts'

// A worker shares its slots fairly: a hanging receiver takes none from others.

const anyProgram = () => true

/** Claims as much as possible, as if every due webhook always had more; gives the slots of each. */
function fill(queue: FairQueue): Map<string, number> {
  const used = new Map<string, number>()
  for (let claim = queue.nextClaim(anyProgram); claim !== undefined; claim = queue.nextClaim(anyProgram)) {
    for (const reservation of claim.reservations) {
      const { webhook_uuid, slots } = reservation
      queue.settle(reservation, { count: slots, followed: false, full: true })
      used.set(webhook_uuid, (used.get(webhook_uuid) ?? 0) + slots)
    }
  }
  return used
}

/** Runs the only due delivery of a webhook. */
function runOne(queue: FairQueue, webhook_uuid: ReturnType<typeof newUuid>, silent: boolean): void {
  queue.markDue(1, [webhook_uuid])
  const reservation = queue.nextClaim(anyProgram)?.reservations.find((found) => found.webhook_uuid === webhook_uuid)
  if (reservation === undefined) throw new Error('no slot is free')
  queue.settle(reservation, { count: 1, followed: false, full: false })
  queue.attemptEnded(reservation.queue, silent)
  queue.resultWritten(reservation.queue)
}

describe('the slots of a worker', () => {
  it('go to one webhook up to its window, however much it has due', () => {
    const queue = new FairQueue({ slots: 100 })
    const webhook = newUuid()
    queue.markDue(1, [webhook])
    expect(fill(queue).get(webhook)).toBe(windows.first)
    expect(queue.in_use).toBe(windows.first)
  })

  it('go to a webhook that answers in larger numbers than to a silent one', () => {
    const queue = new FairQueue({ slots: 100 })
    const [well, silent] = [newUuid(), newUuid()]
    for (let i = 0; i < 50; i += 1) {
      runOne(queue, well, false)
      runOne(queue, silent, true)
    }
    queue.markDue(1, [well, silent])
    expect(fill(queue)).toEqual(
      new Map([
        [well, windows.most],
        [silent, windows.least],
      ]),
    )
  })

  it('stay half free for others, however many webhooks are silent', () => {
    const queue = new FairQueue({ slots: 64 })
    const well = newUuid()
    runOne(queue, well, false)
    queue.markDue(1, Array.from({ length: 500 }, newUuid))
    const taken = fill(queue)
    expect([...taken.values()].reduce((sum, count) => sum + count, 0)).toBe(32)
    queue.markDue(1, [well])
    expect(fill(queue).get(well)).toBeGreaterThan(8)
  })

  it('are free again when an attempt ends, before its result is written', () => {
    const queue = new FairQueue({ slots: 8 })
    const webhook = newUuid()
    queue.markDue(1, [webhook])
    const claim = queue.nextClaim(anyProgram)
    const [reservation] = claim?.reservations ?? []
    if (reservation === undefined) throw new Error('no slot is free')
    queue.settle(reservation, { count: 4, followed: false, full: true })
    expect(queue.nextClaim(anyProgram)).toBeUndefined()
    queue.attemptEnded(reservation.queue, false)
    queue.attemptEnded(reservation.queue, false)
    expect(queue.in_use).toBe(2)
    expect(queue.nextClaim(anyProgram)?.reservations).toHaveLength(1)
  })

  it('go to webhooks in turns', () => {
    const queue = new FairQueue({ slots: 16 })
    const webhooks = Array.from({ length: 4 }, newUuid)
    queue.markDue(1, webhooks)
    // All are slow until they answer, so half of the slots are used: one webhook at a time.
    const order: string[] = []
    for (let turn = 0; turn < 8; turn += 1) {
      const claim = queue.nextClaim(anyProgram)
      for (const reservation of claim?.reservations ?? []) {
        order.push(reservation.webhook_uuid)
        queue.settle(reservation, { count: reservation.slots, followed: false, full: true })
        for (let i = 0; i < reservation.slots; i += 1) queue.attemptEnded(reservation.queue, true)
      }
    }
    expect(order.slice(0, 4)).toEqual(webhooks)
    expect(new Set(order.slice(4)).size).toBe(4)
  })

  it('are split into small shares when many webhooks are due, so that one claim reaches many', () => {
    const queue = new FairQueue({ slots: 512 })
    const webhooks = Array.from({ length: 200 }, newUuid)
    queue.markDue(1, webhooks)
    expect(queue.nextClaim(anyProgram)?.reservations).toHaveLength(128)
    const proven = new FairQueue({ slots: 512 })
    for (const webhook_uuid of webhooks) runOne(proven, webhook_uuid, false)
    proven.markDue(1, webhooks)
    const claim = proven.nextClaim(anyProgram)
    expect(new Set(claim?.reservations.map(({ webhook_uuid }) => webhook_uuid)).size).toBe(128)
    expect(new Set(claim?.reservations.map(({ slots }) => slots))).toEqual(new Set([2]))
  })

  it('are claimed for one program at a time, and for another program while the first claim runs', () => {
    const queue = new FairQueue({ slots: 100 })
    const [first, second] = [newUuid(), newUuid()]
    queue.markDue(1, [first])
    queue.markDue(2, [second])
    expect(queue.nextClaim(anyProgram)?.program_id).toBe(1)
    queue.markDue(1, [first])
    expect(queue.nextClaim((program_id) => program_id !== 1)?.program_id).toBe(2)
    expect(queue.nextClaim((program_id) => program_id !== 1)).toBeUndefined()
  })

  it('are claimed again when a result is written that a later event waits for', () => {
    const queue = new FairQueue({ slots: 100 })
    const webhook = newUuid()
    queue.markDue(1, [webhook])
    const reservation = queue.nextClaim(anyProgram)?.reservations[0]
    if (reservation === undefined) throw new Error('no slot is free')
    queue.settle(reservation, { count: 1, followed: true, full: false })
    queue.attemptEnded(reservation.queue, false)
    expect(queue.nextClaim(anyProgram)).toBeUndefined()
    queue.resultWritten(reservation.queue)
    expect(queue.nextClaim(anyProgram)?.reservations).toHaveLength(1)
  })
})

describe('a receiver that hangs on every call', () => {
  const database = testDatabase({ plans: 'by_key', leaves: ['ledger differences'] })
  afterEach(() => clearQueue(database.owner))

  it('does not delay the deliveries of another merchant', async () => {
    const [merchant, dead] = await earningMerchants(database.db, 2)
    if (merchant === undefined || dead === undefined) throw new Error('no merchants')
    const [well, hanging] = [await startReceiver(), await startReceiver({ answer: answers.hang })]
    onTestFinished(async () => {
      await well.stop()
      await hanging.stop()
    })
    await register(database.db, merchant, well.url)
    await register(database.db, dead, hanging.url, hanging.url, hanging.url)
    const announceMany = async (count: number): Promise<void> => {
      for (let sent = 0; sent < count; sent += 1) await announceEvents(database.db, merchant, [{}])
    }
    // Use few slots: a hanging receiver without a bound would keep them all until after the test.
    startWorker(database.db, { slots: 32, settings: { timeout_s: 3_600 } })
    // A receiver that has answered is fast; an unknown one shares the slots of the slow ones.
    await announceMany(50)
    await well.waitFor(50)
    await announceEvents(
      database.db,
      dead,
      Array.from({ length: 500 }, () => ({})),
    )
    await hanging.waitFor(3)
    await announceMany(200)
    await well.waitFor(250)
    expect(hanging.received.length).toBeLessThanOrEqual(16)
    await hanging.stop()
  })
})
