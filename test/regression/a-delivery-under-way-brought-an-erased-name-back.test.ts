import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { eraseCustomer } from '../../src/features/deployment/erasure.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'

// A worker that had a delivery before the erasure wrote down afterwards what the receiver answered. A receiver that repeats what
// it gets brought the name of the customer back.

const database = testDatabase()
const stage = checkoutStage(database)
const phone = '512345670' as Phone
const by = { source: 'command', name: 'Sara' } as const

test('what a receiver answers to a delivery that was under way is erased, too', async () => {
  const { program_id, merchant_id } = stage.shop.merchant
  const json = {
    ...{ phone_number: phone, total_price: 10, order_number: '1', metadata: { name: 'Noura' } },
    products: [{ product_name: 'Ring', product_price: 10, quantity: 1 }],
  }
  const { body } = await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json })
  const { uuid } = body.data as { readonly uuid: string }
  const run = (text: string, ...values: unknown[]) => database.owner.run<{ event_id: Uuid }>({ text, values })
  const [event] = await run('select event_id from event where order_uuid = $1', uuid)
  const delivery_id = `${event?.event_id.slice(0, 34)}01`
  const leased_until = new Date(Date.now() + 240_000)
  await run(
    `insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series, attempts, due_at,
       leased_until, created_at) values ($1, $2, $3, $4, gen_random_uuid(), $5, 1, 1, now(), $6, now())`,
    ...[program_id, delivery_id, event?.event_id, merchant_id, uuid, leased_until],
  )
  const waits: Date[] = []
  await eraseCustomer(
    {
      ...{ owner: database.owner, secrets: createSecretBox(defaults.secret_key), by },
      async waitUntil(at) {
        waits.push(at)
        await run(
          `insert into delivery_attempt (program_id, delivery_id, series, attempt, started_at, duration_ms, status, response)
            values ($1, $2, 1, 1, now(), 9, 200, '{"name":"Noura"}')`,
          ...[program_id, delivery_id],
        )
        await run('delete from delivery_queue where program_id = $1', program_id)
      },
    },
    { program_id, phone, typed: phone },
  )
  expect(waits).toEqual([leased_until])
  expect(await run('select status, response from delivery_attempt')).toEqual([{ status: 200, response: null }])
})
