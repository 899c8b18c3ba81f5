import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { windows } from '../../../src/domain/delivery.ts'
import { Lanes } from '../../../src/features/webhooks/fair-queue.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import { testDatabase } from '../../support/database.ts'
import { announceEvents, clearQueue, register, startWorker } from '../../support/deliveries.ts'
import { makeMerchants } from '../../support/earnings.ts'
import { answers, startReceiver } from '../../support/receiver.ts'

// How a worker shares its slots: nobody who hangs takes those of others.

const anyProgram = () => true

/** Takes as much as there is room for, of every lane that is wanted, as if more were always due. */
function fill(lanes: Lanes): Map<string, number> {
  const taken = new Map<string, number>()
  for (let claim = lanes.next(anyProgram); claim !== undefined; claim = lanes.next(anyProgram)) {
    for (const room of claim.lanes) {
      lanes.taken(room, { count: room.room, followed: false, full: true })
      taken.set(room.webhook_uuid, (taken.get(room.webhook_uuid) ?? 0) + room.room)
    }
  }
  return taken
}

/** Takes one delivery of a webhook that has nothing else due, and ends it. */
function one(lanes: Lanes, webhook_uuid: ReturnType<typeof newUuid>, silent: boolean): void {
  lanes.want(1, [webhook_uuid])
  const room = lanes.next(anyProgram)?.lanes.find((found) => found.webhook_uuid === webhook_uuid)
  if (room === undefined) throw new Error('no room')
  lanes.taken(room, { count: 1, followed: false, full: false })
  lanes.answered(room.lane, silent)
  lanes.written(room.lane)
}

describe('the slots of a worker', () => {
  it('are taken by one webhook up to its window, however much is due for it', () => {
    const lanes = new Lanes({ slots: 100 })
    const webhook = newUuid()
    lanes.want(1, [webhook])
    expect(fill(lanes).get(webhook)).toBe(windows.first)
    expect(lanes.in_use).toBe(windows.first)
  })

  it('are taken by more of a webhook that answers, and by fewer of one that does not', () => {
    const lanes = new Lanes({ slots: 100 })
    const [well, silent] = [newUuid(), newUuid()]
    for (let i = 0; i < 50; i += 1) {
      one(lanes, well, false)
      one(lanes, silent, true)
    }
    lanes.want(1, [well, silent])
    expect(fill(lanes)).toEqual(
      new Map([
        [well, windows.most],
        [silent, windows.least],
      ]),
    )
  })

  it('are left to others by half, however many webhooks are silent', () => {
    const lanes = new Lanes({ slots: 64 })
    const well = newUuid()
    one(lanes, well, false)
    lanes.want(1, Array.from({ length: 500 }, newUuid))
    const taken = fill(lanes)
    expect([...taken.values()].reduce((sum, count) => sum + count, 0)).toBe(32)
    lanes.want(1, [well])
    expect(fill(lanes).get(well)).toBeGreaterThan(8)
  })

  it('are free again when the attempt has ended, before its result is written', () => {
    const lanes = new Lanes({ slots: 8 })
    const webhook = newUuid()
    lanes.want(1, [webhook])
    const claim = lanes.next(anyProgram)
    const [asked] = claim?.lanes ?? []
    if (asked === undefined) throw new Error('no room')
    lanes.taken(asked, { count: 4, followed: false, full: true })
    expect(lanes.next(anyProgram)).toBeUndefined()
    lanes.answered(asked.lane, false)
    lanes.answered(asked.lane, false)
    expect(lanes.in_use).toBe(2)
    expect(lanes.next(anyProgram)?.lanes).toHaveLength(1)
  })

  it('go round: whoever was served stands at the end of the line', () => {
    const lanes = new Lanes({ slots: 16 })
    const webhooks = Array.from({ length: 4 }, newUuid)
    lanes.want(1, webhooks)
    // Half of the slots, since nobody has answered yet: one webhook at a time.
    const order: string[] = []
    for (let turn = 0; turn < 8; turn += 1) {
      const claim = lanes.next(anyProgram)
      for (const room of claim?.lanes ?? []) {
        order.push(room.webhook_uuid)
        lanes.taken(room, { count: room.room, followed: false, full: true })
        for (let i = 0; i < room.room; i += 1) lanes.answered(room.lane, true)
      }
    }
    expect(order.slice(0, 4)).toEqual(webhooks)
    expect(new Set(order.slice(4)).size).toBe(4)
  })

  it('are kept a few for each when many webhooks are wanted, so that one claim reaches them all', () => {
    const lanes = new Lanes({ slots: 512 })
    const webhooks = Array.from({ length: 200 }, newUuid)
    lanes.want(1, webhooks)
    expect(lanes.next(anyProgram)?.lanes).toHaveLength(128)
    const proven = new Lanes({ slots: 512 })
    for (const webhook_uuid of webhooks) one(proven, webhook_uuid, false)
    proven.want(1, webhooks)
    const claim = proven.next(anyProgram)
    expect(new Set(claim?.lanes.map(({ webhook_uuid }) => webhook_uuid)).size).toBe(128)
    expect(new Set(claim?.lanes.map(({ room }) => room))).toEqual(new Set([2]))
  })

  it('are claimed for one program at a time, and for another while the first is asked', () => {
    const lanes = new Lanes({ slots: 100 })
    const [first, second] = [newUuid(), newUuid()]
    lanes.want(1, [first])
    lanes.want(2, [second])
    expect(lanes.next(anyProgram)?.program_id).toBe(1)
    lanes.want(1, [first])
    expect(lanes.next((program_id) => program_id !== 1)?.program_id).toBe(2)
    expect(lanes.next((program_id) => program_id !== 1)).toBeUndefined()
  })

  it('are asked for again when a result is written, where a later event waited for it', () => {
    const lanes = new Lanes({ slots: 100 })
    const webhook = newUuid()
    lanes.want(1, [webhook])
    const room = lanes.next(anyProgram)?.lanes[0]
    if (room === undefined) throw new Error('no room')
    lanes.taken(room, { count: 1, followed: true, full: false })
    lanes.answered(room.lane, false)
    expect(lanes.next(anyProgram)).toBeUndefined()
    lanes.written(room.lane)
    expect(lanes.next(anyProgram)?.lanes).toHaveLength(1)
  })
})

describe('a receiver that hangs on every call', () => {
  const database = testDatabase({ plans: 'by_key', leaves: ['ledger differences'] })
  afterEach(() => clearQueue(database.owner))

  it('keeps no delivery of another merchant waiting', async () => {
    const [merchant, dead] = await makeMerchants(database.db, 2)
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
    // Few slots, all of which the hanging receiver would keep until after the test if it could.
    startWorker(database.db, { slots: 32, settings: { timeout_s: 3_600 } })
    // A receiver that has answered is not slow; one of which nothing is known yet shares the slots of the slow ones.
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
