import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { replayDelivery } from '../../src/features/webhooks/log.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { testDatabase } from '../support/database.ts'
import { announceEvents, deliveriesOf, register, startWorker } from '../support/deliveries.ts'
import { oneMerchant } from '../support/earnings.ts'
import { answers, testReceiver } from '../support/receiver.ts'
import { waitFor as waitUntil } from '../support/wait.ts'

// A delivery that is sent again by hand has made no attempt in its new series. It was taken for a first attempt, which events of
// the same order wait for: they waited while its receiver did not answer, or until its place in a long backlog had come.

const database = testDatabase({ plans: 'by_key', leaves: ['ledger differences'] })

const statesOf = async (merchant: Merchant) => (await deliveriesOf(database.db, merchant)).map(({ state }) => state)

/** A merchant whose receiver has refused some events of an order. */
async function afterFailures(names: readonly ('approved' | 'shipping_status_updated')[]) {
  const merchant = await oneMerchant(database.db)
  const refusing = await testReceiver({ answer: answers.status(500) })
  await register(database.db, merchant, refusing.url)
  const worker = startWorker(database.db, { settings: { retry_delays_s: [] } })
  const order_uuid = newUuid()
  await announceEvents(
    database.db,
    merchant,
    names.map((name) => ({ order_uuid, name })),
  )
  await waitUntil('the failures', async () => (await statesOf(merchant)).every((state) => state === 'failed'))
  await worker.stop()
  return { merchant, order_uuid }
}

/** From now on the receiver takes events and does not answer, but for `refunded`. Gives what happened there, in order. */
async function hangingReceiver() {
  const happened: string[] = []
  const held = new Set<ServerResponse>()
  const { url } = await testReceiver({
    answer(response, got) {
      happened.push(got.event ?? '')
      if (got.event === 'refunded') return answers.ok(response, got)
      held.add(response)
      response.once('close', () => happened.push('given up'))
    },
  })
  await database.owner.run({ text: 'update webhook set url = $1', values: [url] })
  const answerAll = (): void => {
    for (const response of held) response.removeAllListeners('close').end('ok')
  }
  return { happened, answerAll }
}

const refund = (merchant: Merchant, order_uuid: Uuid) =>
  announceEvents(database.db, merchant, [{ order_uuid, name: 'refunded' }])

async function replayAll(merchant: Merchant): Promise<void> {
  for (const { delivery_id } of await deliveriesOf(database.db, merchant))
    await replayDelivery(database.db, delivery_id)
}

it('a replay on its way holds back no later event of its order', async () => {
  const { merchant, order_uuid } = await afterFailures(['approved'])
  const { happened, answerAll } = await hangingReceiver()
  startWorker(database.db, { settings: { retry_delays_s: [], timeout_s: 5 } })
  await replayAll(merchant)
  await waitUntil('the replay', () => happened.includes('approved'))
  await refund(merchant, order_uuid)
  await waitUntil('the refund', () => happened.includes('refunded'))
  answerAll()
  expect(happened).toEqual(['approved', 'refunded'])
})

it('replays that wait hold back no later event of their order', async () => {
  const { merchant, order_uuid } = await afterFailures(['approved', 'shipping_status_updated'])
  const { happened, answerAll } = await hangingReceiver()
  await replayAll(merchant)
  await refund(merchant, order_uuid)
  startWorker(database.db, { settings: { retry_delays_s: [], timeout_s: 5 } })
  await waitUntil('all three', () => new Set(happened).size >= 3)
  answerAll()
  expect(happened.toSorted()).toEqual(['approved', 'refunded', 'shipping_status_updated'])
})

it('a first attempt that nobody has answered still goes before later events of its order', async () => {
  const merchant = await oneMerchant(database.db)
  await register(database.db, merchant, 'https://127.0.0.1:1/')
  const { happened, answerAll } = await hangingReceiver()
  const order_uuid = newUuid()
  await announceEvents(database.db, merchant, [{ order_uuid, name: 'approved' }])
  await refund(merchant, order_uuid)
  startWorker(database.db, { settings: { retry_delays_s: [], timeout_s: 2 } })
  await waitUntil('the refund', () => happened.includes('refunded'))
  answerAll()
  expect(happened).toEqual(['approved', 'given up', 'refunded'])
})
