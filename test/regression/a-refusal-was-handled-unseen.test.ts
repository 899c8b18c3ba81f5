import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { FindingKind } from '../../src/features/payments/finding-queries.ts'
import { keepAll } from '../../src/features/payments/findings.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { testApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { replacingOrder } from '../support/orders.ts'
import { makePerson } from '../support/staff.ts'

// The refused refunds of a payment are one finding, whose amount grows. An operator who had paid back what it said, and
// marked it as handled, marked with it what the provider had refused since: nobody paid that back.

const database = testDatabase({ leaves: ['open holds'] })
const started = testApp(database)

/** A finding about an order of a shop, as an operator finds it, and again by `find`. */
async function found(kind: FindingKind) {
  const { merchant } = await oneShop(database.db)
  const { program_id, merchant_id } = merchant
  const operator = await makePerson(started(), 'operator')
  const { order_uuid } = await replacingOrder(database.db, merchant, { phone: null })
  const payment = { payment_uuid: newUuid(), provider: 'paytabs', provider_reference: null }
  const nothing = { refund_halalas: null, returned_points: null, reversed_points: null }
  const find = (halalas: number) =>
    keepAll(database.db, program_id, [
      {
        ...{ finding_uuid: newUuid(), merchant_id, order_uuid: order_uuid as Uuid, ...payment, ...nothing },
        ...{ amount_halalas: asHalalas(halalas), kind, action: 'none', detail: 'too late' },
      },
    ])
  await find(3_000)
  const path = `/programs/${program_id}/findings`
  const [seen] = (await operator.call('GET', path)).body.data as { finding_uuid: string; version: string }[]
  const handle = (version = seen?.version) =>
    operator.call('PATCH', `${path}/${seen?.finding_uuid}`, { version, handled: true, note: 'Paid 30.00 SAR back' })
  return { find, handle }
}

it('a finding is not handled with a refusal that the operator has not seen', async () => {
  const { find, handle } = await found('refund_refused')
  await find(4_000)
  const refused = await handle()
  expect(refused.status).toBe(409)
  const { current } = refused.body.appended_data as { current: { version: string } }
  expect(current).toMatchObject({ amount: 70, state: 'open', note: null })
  expect((await handle(current.version)).body.data).toMatchObject({ amount: 70, state: 'handled' })
})

it('a finding that the comparison finds again can still be handled as read', async () => {
  const { find, handle } = await found('not_answered')
  await find(3_000)
  expect((await handle()).body.data).toMatchObject({ amount: 30, state: 'handled', times: 2 })
})
