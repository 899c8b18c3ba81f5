import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { eraseNow, eraseRest } from '../../src/features/erasure/service.ts'
import { purchase } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { secrets } from '../support/deliveries.ts'
import { freshPhone, walletOf } from '../support/earnings.ts'
import { waitForLocks } from '../support/wait.ts'

// A refund waited for an order while its customer was erased, and was committed after the erasure had looked for what was written
// meanwhile: its reason stayed.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)
const parts = () => ({ owner: database.owner, secrets, by: { source: 'command', name: 'Sara' } as const })

test('an erasure waits for requests that waited for it', async () => {
  const { program_id } = stage.shop.merchant
  const phone = freshPhone() as Phone
  const json = purchase({ phone_number: phone, total_price: 100 })
  const { body } = await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json })
  const { uuid } = body.data as { readonly uuid: Uuid }
  const known = {
    program_id,
    customer_id: (await walletOf(database.db, program_id, phone))?.customer_id as Uuid,
    phone,
  }

  const written = Promise.withResolvers<void>()
  const committing = Promise.withResolvers<void>()
  const refunding: Promise<unknown>[] = []
  await database.owner.transaction(async (tx) => {
    await eraseNow(tx, parts(), known)
    const request = { amount_halalas: null, reason: 'Noura called' }
    const beforeCommit = () => {
      written.resolve()
      return committing.promise
    }
    refunding.push(stage.app.services.refundOrder(stage.shop.merchant, uuid, request, beforeCommit))
    await waitForLocks(database.owner)
  })
  await written.promise
  const erasing = eraseRest(parts(), known)
  await Promise.race([waitForLocks(database.owner), erasing])
  committing.resolve()
  await Promise.all([...refunding, erasing])
  const kept = `select (select count(*) from order_refund where reason like '%Noura%')
    + (select count(*) from transfer where reason like '%Noura%')
    + (select count(*) from event where payload::text like '%Noura%') as kept`
  expect(await database.owner.run({ text: kept, values: [] })).toEqual([{ kept: 0 }])
})
