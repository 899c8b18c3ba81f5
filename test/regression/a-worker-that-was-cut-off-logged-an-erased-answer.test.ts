import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { createResultWriter } from '../../src/features/webhooks/result-writer.ts'
import { purchase } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { secrets } from '../support/deliveries.ts'
import { deliveryUnderWay } from '../support/delivery-under-way.ts'
import { freshPhone } from '../support/earnings.ts'

// A worker that was cut off from the database after it had sent a delivery wrote down what the receiver answered when it came back:
// its lease had ended, and the erasure of the customer with it.

const database = testDatabase({ leaves: ['due messages', 'due deliveries'] })
const stage = checkoutStage(database)
const by = { source: 'command', name: 'Sara' } as const
const run = <Row>(text: string, ...values: unknown[]) => database.owner.run<Row>({ text, values })

async function customerUnderDelivery() {
  const phone = freshPhone() as Phone
  const json = purchase({ phone_number: phone, metadata: { name: 'Noura' } })
  const { body } = await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json })
  const { uuid } = body.data as { readonly uuid: Uuid }
  await deliveryUnderWay(database.owner, stage.shop.merchant, uuid)
  return { phone, uuid }
}

const erase = (phone: Phone, waitUntil: () => Promise<void> = async () => undefined) =>
  eraseCustomer(
    { owner: database.owner, secrets, by, waitUntil },
    { program_id: stage.shop.merchant.program_id, phone, typed: phone },
  )

async function deliveryOf(order_uuid: string): Promise<Uuid> {
  const [event] = await run<{ event_id: string }>('select event_id from event where order_uuid = $1', order_uuid)
  return `${event?.event_id.slice(0, 34)}01` as Uuid
}

/** The result of the first attempt, as the worker writes it that has come back. */
async function comeBack(order_uuid: Uuid): Promise<void> {
  const { program_id } = stage.shop.merchant
  const delivery = { delivery_id: await deliveryOf(order_uuid), series: 1 }
  const answered = { status: 500, response: '{"name":"Noura"}', error: 'Noura', error_code: null }
  const next = { kind: 'retry', order_uuid, attempts: 1, made: true, due_at: new Date() } as const
  const warned: unknown[] = []
  await createResultWriter(database.db, { warn: (error) => void warned.push(error), isStopping: () => true }).write({
    program_id,
    attempt: { ...delivery, attempt: 1, started_at: new Date(), duration_ms: 9, ...answered },
    next: { ...next, ...delivery },
  })
  expect(warned).toEqual([])
}

const textsOf = async (order_uuid: string) =>
  run(
    'select attempt, response, error, error_code from delivery_attempt where delivery_id = $1 order by attempt',
    await deliveryOf(order_uuid),
  )

const closed = { response: null, error: null, error_code: 'interrupted' }
const interrupted = `insert into delivery_attempt (program_id, delivery_id, series, attempt, started_at, error, error_code)
  select program_id, delivery_id, 1, 1, now(), 'interrupted: the worker ended', 'interrupted' from delivery_queue where order_uuid = $1`

test('an answer is not written after an erasure has waited for it', async () => {
  const { phone, uuid } = await customerUnderDelivery()
  await erase(phone)
  await comeBack(uuid)
  expect(await textsOf(uuid)).toEqual([{ attempt: 1, ...closed }])
})

test('nor if its lease had ended before', async () => {
  const { phone, uuid } = await customerUnderDelivery()
  await run(`update delivery_queue set leased_until = now() - interval '1 min' where order_uuid = $1`, uuid)
  await erase(phone)
  await comeBack(uuid)
  expect(await textsOf(uuid)).toEqual([{ attempt: 1, ...closed }])
})

test('nor if another worker has the delivery now, and is yet to log the attempt as interrupted', async () => {
  const { phone, uuid } = await customerUnderDelivery()
  await run('update delivery_queue set attempts = 2 where order_uuid = $1', uuid)
  await erase(phone)
  await comeBack(uuid)
  expect(await textsOf(uuid)).toEqual([1, 2].map((attempt) => ({ attempt, ...closed })))
})

test('nor if the attempt was logged as interrupted, and its delivery waits for the next one', async () => {
  const { phone, uuid } = await customerUnderDelivery()
  await run(interrupted, uuid)
  await run('update delivery_queue set leased_until = null where order_uuid = $1', uuid)
  await erase(phone)
  await comeBack(uuid)
  expect(await textsOf(uuid)).toEqual([{ attempt: 1, ...closed }])
})

test('without an erasure it still corrects an attempt that was logged as interrupted', async () => {
  const { uuid } = await customerUnderDelivery()
  await run(interrupted, uuid)
  await comeBack(uuid)
  expect(await textsOf(uuid)).toEqual([{ attempt: 1, response: '{"name":"Noura"}', error: 'Noura', error_code: null }])
})
