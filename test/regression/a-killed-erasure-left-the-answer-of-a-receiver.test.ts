import { beforeAll, expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { doErasures, eraseRequested } from '../../src/features/erasure/job.ts'
import { type EraseParts, eraseCustomer } from '../../src/features/erasure/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults, purchase } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { openedCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { deliveryUnderWay, namedByCheckout } from '../support/delivery-under-way.ts'
import { freshPhone, walletOf } from '../support/earnings.ts'
import type { Person } from '../support/staff.ts'

// An erasure waited for the deliveries that workers had, but had ended its request before. If its process died while it waited,
// nobody erased what the receivers answered.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)
const secrets = createSecretBox(defaults.secret_key)
const by = { source: 'command', name: 'Root' } as const
let operator: Person
let program_id: number

beforeAll(async () => {
  program_id = stage.shop.merchant.program_id
  operator = await stage.person('operator')
})

const run = <Row>(text: string, ...values: unknown[]) => database.owner.run<Row>({ text, values })
const path = (id: string) => `/programs/${program_id}/customers/${id}/erasure`
const stateOf = async (id: string) =>
  ((await operator.call('GET', path(id))).body.data as { request: { state: string } }).request.state
const makeDue = () => run(`update erasure_request set due_at = now() - interval '1 s' where state = 'due'`)
/** The worker of another process, when the request is due again. */
async function workLater(): Promise<void> {
  await makeDue()
  const warned: unknown[] = []
  await doErasures({ owner: database.owner, secrets, log: { warn: (about: object) => void warned.push(about) } })
  expect(warned).toEqual([])
}

/** A customer, with a delivery about them that a worker has. */
async function customerUnderDelivery() {
  const phone = freshPhone() as Phone
  const json = purchase({ phone_number: phone, metadata: { name: 'Noura' } })
  const { body } = await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json })
  const { uuid } = body.data as { readonly uuid: string }
  const { answer, answers } = await deliveryUnderWay(database.owner, stage.shop.merchant, uuid)
  const id = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  return { phone, id, answers, answer: () => answer({ name: 'Noura' }) }
}

/** Erases in a process that dies while it waits for the delivery. */
async function dieWaiting(erase: (parts: EraseParts) => Promise<unknown>): Promise<void> {
  const waitUntil = () => Promise.reject(new Error('killed'))
  await expect(erase({ owner: database.owner, secrets, by, waitUntil })).rejects.toThrow('killed')
}

test('what a receiver answers is erased by another process if the one that waits for it dies', async () => {
  const { phone, id, answer, answers } = await customerUnderDelivery()
  const asked = await operator.call('POST', path(id), { phone, reason: 'by mail' })
  const { request_uuid } = asked.body.data as { readonly request_uuid: Uuid }
  await dieWaiting((parts) => eraseRequested(parts, { program_id, request_uuid }))
  // What is erased cannot be taken back: another process has to find the rest.
  expect((await operator.call('DELETE', path(id))).status).toBe(404)
  await answer()
  await workLater()
  expect([await stateOf(id), await answers()]).toEqual(['done', [{ status: 200, response: null }]])
})

test('a command that dies leaves a request, by which a worker erases the answer', async () => {
  const { phone, id, answer, answers } = await customerUnderDelivery()
  await dieWaiting((parts) => eraseCustomer(parts, { program_id, phone, typed: phone }))
  await answer()
  await workLater()
  expect([await stateOf(id), await answers()]).toEqual(['done', [{ status: 200, response: null }]])
})

test('no other worker begins the same wait', async () => {
  const { phone, id, answer, answers } = await customerUnderDelivery()
  const waitUntil = async () => {
    const later = `select due_at > $2 as is_later from erasure_request where customer_id = $1`
    expect(await run(later, id, new Date(Date.now() + 240_000))).toEqual([{ is_later: true }])
    await answer()
  }
  await eraseCustomer({ owner: database.owner, secrets, by, waitUntil }, { program_id, phone, typed: phone })
  expect([await stateOf(id), await answers()]).toEqual(['done', [{ status: 200, response: null }]])
})

/** A customer, with a delivery about an order that only its checkout ties to them. */
async function customerNamedByCheckout() {
  const { phone, answer, ...rest } = await namedByCheckout(database.owner, stage)
  const id = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  return { ...rest, phone, id, answer: () => answer({ phone }) }
}

test('the other process finds orders that only their checkouts tied to the person', async () => {
  const { phone, id, order_uuid, answer, answers } = await customerNamedByCheckout()
  await dieWaiting((parts) => eraseCustomer(parts, { program_id, phone, typed: phone }))
  const kept = 'select orders from erasure_request where customer_id = $1'
  expect(await run(kept, id)).toEqual([{ orders: [order_uuid] }])
  await answer()
  await run('update orders set reason = $2 where order_uuid = $1', order_uuid, 'Noura called')
  await workLater()
  expect([await stateOf(id), await answers()]).toEqual(['done', [{ status: 200, response: null }]])
  expect(await run('select reason from orders where order_uuid = $1', order_uuid)).toEqual([{ reason: null }])
  expect(await run(kept, id)).toEqual([{ orders: null }])
})

test('it finds an open order that somebody else has got meanwhile', async () => {
  const { phone, id, answer: end } = await customerUnderDelivery()
  const other = await customerUnderDelivery()
  // The number that the store sent is a customer's, and so is the order until somebody confirms it.
  const { order_uuid } = await openedCheckout(stage.app.services, stage.shop, { given: phone })
  await stage.app.actBy(stage.shop, order_uuid, 'status', { status: 'delivered' })
  const { answer, answers } = await deliveryUnderWay(database.owner, stage.shop.merchant, order_uuid)
  await dieWaiting((parts) => eraseCustomer(parts, { program_id, phone, typed: phone }))
  await Promise.all([end(), answer({ phone })])
  await run('update orders set customer_id = $2 where order_uuid = $1', order_uuid, other.id)
  await workLater()
  expect([await stateOf(id), await answers()]).toEqual(['done', [{ status: 200, response: null }]])
  await other.answer()
})

test('an order that somebody else has got meanwhile keeps what is theirs', async () => {
  const { phone, id, order_uuid, answer, answers } = await customerNamedByCheckout()
  const other = await customerUnderDelivery()
  await dieWaiting((parts) => eraseCustomer(parts, { program_id, phone, typed: phone }))
  await answer()
  await run(`update orders set customer_id = $2, reason = 'Sara called' where order_uuid = $1`, order_uuid, other.id)
  await workLater()
  expect([await stateOf(id), await answers()]).toEqual(['done', [{ status: 200, response: null }]])
  expect(await run('select reason from orders where order_uuid = $1', order_uuid)).toEqual([{ reason: 'Sara called' }])
  await other.answer()
})
