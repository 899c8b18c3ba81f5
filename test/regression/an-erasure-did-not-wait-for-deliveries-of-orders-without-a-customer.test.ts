import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { eraseCustomer } from '../../src/features/deployment/erasure.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults, purchase } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { openedCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'

// The checkout of an order without a customer names the phone until it is erased. An erasure looked for deliveries under way only
// afterwards, and did not find those of such orders: what their receivers answered stayed.

const database = testDatabase({ leaves: ['due deliveries', 'due messages'] })
const stage = checkoutStage(database)
const by = { source: 'command', name: 'Sara' } as const

test('what a receiver answers about an order that only its checkout ties to the person is erased', async () => {
  const { program_id, merchant_id } = stage.shop.merchant
  const phone = freshPhone()
  const { order_uuid } = await openedCheckout(stage.app.services, stage.shop, { given: phone })
  const json = purchase({ phone_number: phone })
  await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json })
  await stage.app.actBy(stage.shop, order_uuid, 'cancel', {})
  const run = (text: string, ...values: unknown[]) => database.owner.run<{ event_id: Uuid }>({ text, values })
  const [event] = await run('select event_id from event where order_uuid = $1', order_uuid)
  const delivery_id = `${event?.event_id.slice(0, 34)}01`
  const leased_until = new Date(Date.now() + 240_000)
  await run(
    `insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series, attempts, due_at,
       leased_until, created_at) values ($1, $2, $3, $4, gen_random_uuid(), $5, 1, 1, now(), $6, now())`,
    ...[program_id, delivery_id, event?.event_id, merchant_id, order_uuid, leased_until],
  )
  const waits: Date[] = []
  await eraseCustomer(
    {
      ...{ owner: database.owner, secrets: createSecretBox(defaults.secret_key), by },
      async waitUntil(at) {
        waits.push(at)
        await run(
          `insert into delivery_attempt (program_id, delivery_id, series, attempt, started_at, duration_ms, status, response)
            values ($1, $2, 1, 1, now(), 9, 200, '{"phone":"${phone}"}')`,
          ...[program_id, delivery_id],
        )
      },
    },
    { program_id, phone, typed: phone },
  )
  expect(waits).toEqual([leased_until])
  expect(await run('select status, response from delivery_attempt')).toEqual([{ status: 200, response: null }])
})
