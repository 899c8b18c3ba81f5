import type { Database } from '../../src/db/pool.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { purchase } from './api.ts'
import type { Stage } from './checkout-stage.ts'
import { openedCheckout } from './checkouts.ts'
import { freshPhone } from './earnings.ts'

/**
 * Gives a worker a delivery of an order's event, which it never ends. `answer` logs what the receiver answered, as the worker
 * does in the end.
 */
export async function deliveryUnderWay(
  owner: Database,
  { program_id, merchant_id }: Pick<Merchant, 'program_id' | 'merchant_id'>,
  order_uuid: string,
) {
  const run = <Row>(text: string, ...values: unknown[]) => owner.run<Row>({ text, values })
  const [event] = await run<{ event_id: string }>('select event_id from event where order_uuid = $1', order_uuid)
  const delivery_id = `${event?.event_id.slice(0, 34)}01`
  const leased_until = new Date(Date.now() + 240_000)
  await run(
    `insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series, attempts, due_at,
       leased_until, created_at) values ($1, $2, $3, $4, gen_random_uuid(), $5, 1, 1, now(), $6, now())`,
    ...[program_id, delivery_id, event?.event_id, merchant_id, order_uuid, leased_until],
  )
  return {
    leased_until,
    async answer(response: object): Promise<void> {
      await run(
        `insert into delivery_attempt (program_id, delivery_id, series, attempt, started_at, duration_ms, status, response)
          values ($1, $2, 1, 1, now(), 9, 200, $3)`,
        ...[program_id, delivery_id, JSON.stringify(response)],
      )
      await run('delete from delivery_queue where program_id = $1 and delivery_id = $2', program_id, delivery_id)
    },
    /** What is stored of the answers of its receiver. */
    answers: () =>
      run<{ status: number; response: string | null }>(
        'select status, response from delivery_attempt where program_id = $1 and delivery_id = $2',
        ...[program_id, delivery_id],
      ),
  }
}

/** A customer, with a cancelled order that only its checkout ties to them, and a delivery about it that a worker has. */
export async function namedByCheckout(owner: Database, { app, shop }: Stage) {
  const phone: Phone = freshPhone()
  const { order_uuid } = await openedCheckout(app.services, shop, { given: phone })
  const json = purchase({ phone_number: phone })
  await app.call('POST', '/api/v1/orders/earning', { key: shop.private_key, json })
  await app.actBy(shop, order_uuid, 'cancel', {})
  return { phone, order_uuid, ...(await deliveryUnderWay(owner, shop.merchant, order_uuid)) }
}
