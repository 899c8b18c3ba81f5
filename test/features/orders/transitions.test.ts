import { beforeAll, describe, expect, test } from 'vitest'
import type { Failure } from '../../../src/domain/failures.ts'
import { messageOf } from '../../../src/http/api/responses.ts'
import { appAtNoon, oneShop, type Shop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { earningOrder, eventNamesOf, everythingOf, replacingOrder } from '../../support/orders.ts'

// Every action on every possible order, through the API (docs/spec/orders.md#transitions).

const database = testDatabase({ leaves: ['open holds'] })
const app = appAtNoon(database)

/** Type, state, action; then the status, the new state or the failure, and the events. */
const table = `
  earning    approved            authorize    400  cannot_authorize       -
  earning    approved            capture      400  cannot_capture         -
  earning    approved            complete     400  not_a_replacing_order  -
  earning    approved            cancel       400  cannot_cancel          -
  earning    approved            refund       200  fully_refunded         refunded
  earning    approved            refund-part  200  partially_refunded     refunded
  earning    approved            status       200  approved               shipping_status_updated
  earning    partially_refunded  authorize    400  cannot_authorize       -
  earning    partially_refunded  capture      400  cannot_capture         -
  earning    partially_refunded  complete     400  not_a_replacing_order  -
  earning    partially_refunded  cancel       400  cannot_cancel          -
  earning    partially_refunded  refund       200  fully_refunded         refunded
  earning    partially_refunded  refund-part  200  partially_refunded     refunded
  earning    partially_refunded  status       200  partially_refunded     shipping_status_updated
  earning    fully_refunded      authorize    400  cannot_authorize       -
  earning    fully_refunded      capture      400  cannot_capture         -
  earning    fully_refunded      complete     400  not_a_replacing_order  -
  earning    fully_refunded      cancel       400  cannot_cancel          -
  earning    fully_refunded      refund       400  cannot_refund          -
  earning    fully_refunded      refund-part  400  cannot_refund          -
  earning    fully_refunded      status       200  fully_refunded         shipping_status_updated
  replacing  new                 authorize    200  authorized             authorized
  replacing  new                 capture      400  cannot_capture         -
  replacing  new                 complete     200  approved               approved,completed
  replacing  new                 cancel       200  cancelled              cancelled
  replacing  new                 refund       400  cannot_refund          -
  replacing  new                 refund-part  400  cannot_refund          -
  replacing  new                 status       200  new                    shipping_status_updated
  replacing  authorized          authorize    400  cannot_authorize       -
  replacing  authorized          capture      200  captured               captured
  replacing  authorized          complete     400  cannot_complete        -
  replacing  authorized          cancel       200  cancelled              cancelled
  replacing  authorized          refund       400  cannot_refund          -
  replacing  authorized          refund-part  400  cannot_refund          -
  replacing  authorized          status       200  authorized             shipping_status_updated
  replacing  captured            authorize    400  cannot_authorize       -
  replacing  captured            capture      400  cannot_capture         -
  replacing  captured            complete     400  order_already_paid     -
  replacing  captured            cancel       400  cannot_cancel          -
  replacing  captured            refund       200  fully_refunded         refunded
  replacing  captured            refund-part  200  partially_refunded     refunded
  replacing  captured            status       200  captured               shipping_status_updated
  replacing  approved            authorize    400  cannot_authorize       -
  replacing  approved            capture      400  cannot_capture         -
  replacing  approved            complete     400  order_already_paid     -
  replacing  approved            cancel       400  cannot_cancel          -
  replacing  approved            refund       200  fully_refunded         refunded
  replacing  approved            refund-part  200  partially_refunded     refunded
  replacing  approved            status       200  approved               shipping_status_updated
  replacing  cancelled           authorize    400  cannot_authorize       -
  replacing  cancelled           capture      400  cannot_capture         -
  replacing  cancelled           complete     400  cannot_complete        -
  replacing  cancelled           cancel       400  cannot_cancel          -
  replacing  cancelled           refund       400  cannot_refund          -
  replacing  cancelled           refund-part  400  cannot_refund          -
  replacing  cancelled           status       200  cancelled              shipping_status_updated
  replacing  partially_refunded  authorize    400  cannot_authorize       -
  replacing  partially_refunded  capture      400  cannot_capture         -
  replacing  partially_refunded  complete     400  cannot_complete        -
  replacing  partially_refunded  cancel       400  cannot_cancel          -
  replacing  partially_refunded  refund       200  fully_refunded         refunded
  replacing  partially_refunded  refund-part  200  partially_refunded     refunded
  replacing  partially_refunded  status       200  partially_refunded     shipping_status_updated
  replacing  fully_refunded      authorize    400  cannot_authorize       -
  replacing  fully_refunded      capture      400  cannot_capture         -
  replacing  fully_refunded      complete     400  cannot_complete        -
  replacing  fully_refunded      cancel       400  cannot_cancel          -
  replacing  fully_refunded      refund       400  cannot_refund          -
  replacing  fully_refunded      refund-part  400  cannot_refund          -
  replacing  fully_refunded      status       200  fully_refunded         shipping_status_updated
`

const rows = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))

/** The body of an action. A partial refund takes a tenth. */
const bodies: Readonly<Record<string, object>> = { 'refund-part': { amount: 10 }, status: { status: 'delivered' } }

const act = (shop: Shop, order_uuid: string, action: string, json = bodies[action]) =>
  app.actBy(shop, order_uuid, action.replace('-part', ''), json)

const ways: Readonly<Record<string, readonly string[]>> = {
  new: [],
  authorized: ['authorize'],
  captured: ['authorize', 'capture'],
  cancelled: ['cancel'],
  partially_refunded: ['refund-part'],
  fully_refunded: ['refund'],
}

/** An order of 100 SAR in a state. A replacing one has 4,000 points (20 SAR) chosen, and held where the state needs it. */
async function orderIn(shop: Shop, type: string, state: string): Promise<string> {
  if (type === 'earning') {
    const { order_uuid } = await earningOrder(database.db, shop.merchant, { clock: app.clock })
    for (const action of state === 'approved' ? [] : (ways[state] ?? [])) await mustAct(shop, order_uuid, action)
    return order_uuid
  }
  const { order_uuid } = await replacingOrder(database.db, shop.merchant, { points: 4_000 })
  const way = ways[state] ?? []
  const paying = state === 'approved' || state.endsWith('refunded') ? ['complete'] : []
  for (const action of [...paying, ...way]) await mustAct(shop, order_uuid, action)
  return order_uuid
}

async function mustAct(shop: Shop, order_uuid: string, action: string): Promise<void> {
  const { status, text } = await act(shop, order_uuid, action)
  if (status !== 200) throw new Error(`${action}: ${text}`)
}

describe('every action in every state', () => {
  let shop: Shop

  beforeAll(async () => {
    shop = await oneShop(database.db)
  })

  test('has its row', () => {
    const states = { earning: 3, replacing: 7 }
    expect(rows.length).toBe((states.earning + states.replacing) * 7)
    expect(new Set(rows.map((row) => row.slice(0, 3).join(' '))).size).toBe(rows.length)
  })

  test.each(rows)(
    '%s order, %s: %s is %s %s, and fires %s',
    async (type = '', state = '', action = '', ...expected) => {
      const [status, result = '', events] = expected
      const order_uuid = await orderIn(shop, type, state)
      const [fired, stored] = [await eventNamesOf(database.db, order_uuid), await everythingOf(database.db, order_uuid)]
      const reply = await act(shop, order_uuid, action)
      expect(reply.status).toBe(Number(status))
      if (reply.status === 200) {
        expect(reply.body).toMatchObject({
          status: true,
          message: '',
          data: { uuid: order_uuid, order_status: result },
        })
        expect((await eventNamesOf(database.db, order_uuid)).slice(fired.length).join(',')).toBe(events)
      } else {
        const failure = { kind: result } as Failure
        expect(reply.body).toEqual({ status: false, message: messageOf(failure, 'en'), appended_data: {} })
        expect(await everythingOf(database.db, order_uuid)).toEqual(stored)
      }
    },
  )
})
