import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Merchant } from '../../src/domain/merchant.ts'
import { newUuid } from '../../src/entropy.ts'
import { testDatabase } from '../support/database.ts'
import { announceEvents, clearQueue, deliveriesOf, register, startWorker } from '../support/deliveries.ts'
import { makeMerchants } from '../support/earnings.ts'
import { answers, type ReceiverOptions, startReceiver } from '../support/receiver.ts'

const database = testDatabase({ plans: 'by_key' })
let merchant: Merchant
const receiver = async (options: ReceiverOptions = {}) => {
  const started = await startReceiver(options)
  onTestFinished(() => started.stop())
  return started
}

beforeAll(async () => {
  const [one] = await makeMerchants(database.db, 1)
  if (one === undefined) throw new Error('no merchant')
  merchant = one
})
afterEach(async () => {
  await clearQueue(database.owner)
  await database.owner.script('delete from webhook')
})

describe('a delivery', () => {
  it('carries the envelope and the headers of the specification', async () => {
    const { url, waitFor } = await receiver()
    const [webhook] = await register(database.db, merchant, url)
    startWorker(database.db)
    const [event_id] = await announceEvents(database.db, merchant, [{}])
    const [got] = await waitFor(1)
    expect(got).toMatchObject({ id: event_id, attempt: 1, event: 'approved', secret: webhook?.secret, path: '/hook' })
    await vi.waitFor(async () => {
      expect(await deliveriesOf(database.db, merchant)).toMatchObject([
        { state: 'delivered', attempts: [{ attempt: 1, status: 200, response: 'ok', error: null }] },
      ])
    })
  })
})
