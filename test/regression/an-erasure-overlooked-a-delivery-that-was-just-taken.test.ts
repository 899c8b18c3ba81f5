import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { claimDue } from '../../src/features/webhooks/delivery-queries.ts'
import { purchase } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { secrets } from '../support/deliveries.ts'
import { deliveryUnderWay } from '../support/delivery-under-way.ts'
import { freshPhone } from '../support/earnings.ts'
import { waitForLocks } from '../support/wait.ts'

// A worker took a delivery while its customer was erased: it had read the name, and its lease was committed after the erasure had
// looked for deliveries under way. What the receiver answered stayed.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)
const by = { source: 'command', name: 'Sara' } as const
const run = <Row>(text: string, ...values: unknown[]) => database.owner.run<Row>({ text, values })

test('an erasure waits for workers that are just taking deliveries', async () => {
  const { program_id } = stage.shop.merchant
  const phone = freshPhone() as Phone
  const json = purchase({ phone_number: phone, metadata: { name: 'Noura' } })
  const { body } = await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json })
  const { uuid } = body.data as { readonly uuid: string }
  const { answer, answers } = await deliveryUnderWay(database.owner, stage.shop.merchant, uuid)
  const [queued] = await run<{ webhook_uuid: Uuid }>(
    'update delivery_queue set attempts = 0, leased_until = null where order_uuid = $1 returning webhook_uuid',
    uuid,
  )
  if (queued === undefined) throw new Error('the delivery is not in the queue')
  const taken = Promise.withResolvers<string | null | undefined>()
  const committing = Promise.withResolvers<void>()
  const now = new Date()
  const until = new Date(now.getTime() + 60_000)
  const claiming = database.db.transaction(async (tx) => {
    const [claimed] = await tx.run(claimDue(program_id, [{ ...queued, slots: 1 }], { now, until, max_attempts: 4 }))
    taken.resolve(claimed?.payload)
    await committing.promise
  })
  expect(await taken.promise).toContain('Noura')

  const waits: Date[] = []
  const waitUntil = async (at: Date) => {
    waits.push(at)
    await answer({ name: 'Noura' })
  }
  const erasing = eraseCustomer({ owner: database.owner, secrets, by, waitUntil }, { program_id, phone, typed: phone })
  await Promise.race([waitForLocks(database.owner), erasing])
  committing.resolve()
  await Promise.all([claiming, erasing])
  expect(waits).toEqual([until])
  expect(await answers()).toEqual([{ status: 200, response: null }])
})
