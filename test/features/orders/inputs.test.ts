import { beforeAll, describe, expect, test } from 'vitest'
import { appAtNoon, oneShop, type Shop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { earningOrder, eventNamesOf, everythingOf, replacingOrder } from '../../support/orders.ts'
import { inputRowsOf, readJson, rowsOf } from '../../support/tables.ts'

// Bad input on every order endpoint: each is refused, and the order does not change.

const database = testDatabase({ leaves: ['open holds'] })
const app = appAtNoon(database)
let shop: Shop
let other: Shop

beforeAll(async () => {
  shop = await oneShop(database.db)
  other = await oneShop(database.db)
})

/**
 * The request, the status, and the keys of `errors`. `empty`: no body and no content type. `blank`: a body of zero
 * bytes that says it is JSON. `text`: a body that is not JSON. `plain`: JSON that says it is plain text.
 */
const emptyBodies = `
  empty                             200
  blank                             200
  {}                                200
  {"unknown": 1}                    200
  []                                200
  [{}]                              422  body
  "text"                            422  body
  1                                 422  body
  true                              422  body
  null                              422  body
  text                              400
  plain                             415
`

const authorize = emptyBodies
const capture = emptyBodies

const complete = `
  ${emptyBodies.trim()}
  {"payment_method": "1"}           200
  {"payment_method": "10"}          200
  {"payment_method": " 5 "}         200
  {"payment_method": null}          200
  {"payment_method": ""}            200
  {"payment_method": "   "}         200
  {"payment_method": "0"}           422  payment_method
  {"payment_method": "11"}          422  payment_method
  {"payment_method": "01"}          422  payment_method
  {"payment_method": "1.0"}         422  payment_method
  {"payment_method": "visa"}        422  payment_method
  {"payment_method": 1}             422  payment_method
  {"payment_method": 10}            422  payment_method
  {"payment_method": true}          422  payment_method
  {"payment_method": ["1"]}         422  payment_method
  {"payment_method": {"id": "1"}}   422  payment_method
`

const cancel = `
  ${emptyBodies.trim()}
  {"reason": "x"}                   200
  {"reason": "x×500"}               200
  {"reason": "ش×500"}               200
  {"reason": null}                  200
  {"reason": ""}                    200
  {"reason": "   "}                 200
  {"reason": "x×501"}               422  reason
  {"reason": "ش×501"}               422  reason
  {"reason": 1}                     422  reason
  {"reason": true}                  422  reason
  {"reason": ["x"]}                 422  reason
  {"reason": {}}                    422  reason
  {"reason": "a\\u0000b"}            422  reason
`

const refund = `
  ${emptyBodies.trim()}
  {"amount": null}                  200
  {"amount": 0.01}                  200
  {"amount": 100}                   200
  {"amount": 1e2}                   200
  {"amount": 33.335}                200
  {"amount": 0}                     400
  {"amount": 0.001}                 400
  {"amount": 100.01}                400
  {"amount": 9999999999.99}         400
  {"amount": 10000000000}           422  amount
  {"amount": 1e999}                 422  amount
  {"amount": -0.01}                 422  amount
  {"amount": -1e999}                422  amount
  {"amount": "10"}                  422  amount
  {"amount": "abc"}                 422  amount
  {"amount": true}                  422  amount
  {"amount": [10]}                  422  amount
  {"amount": {"value": 10}}         422  amount
  {"reason": "x"}                   200
  {"reason": "x×500"}               200
  {"reason": null}                  200
  {"reason": ""}                    200
  {"reason": "x×501"}               422  reason
  {"reason": 1}                     422  reason
  {"reason": ["x"]}                 422  reason
  {"reason": "a\\u0000b"}            422  reason
  {"amount": -1, "reason": 1}       422  amount,reason
  {"amount": "", "reason": "x×501"}  422  amount,reason
`

const status = `
  empty                             422  status
  blank                             422  status
  {}                                422  status
  {"unknown": 1}                    422  status
  []                                422  status
  "text"                            422  status
  1                                 422  status
  null                              422  status
  text                              400
  plain                             415
  {"status": null}                  422  status
  {"status": ""}                    422  status
  {"status": " ", "name_ar": ""}    422  status
  {"name_ar": null, "name_en": " "}  422  status
  {"status": "new"}                 200
  {"status": "license_in_progress"}  200
  {"status": "ready_shipping"}      200
  {"status": "delivery_is_in_progress"}  200
  {"status": "delivered"}           200
  {"status": "cancelled"}           200
  {"status": " delivered "}         200
  {"status": "shipped"}             422  status
  {"status": "Delivered"}           422  status
  {"status": "approved"}            422  status
  {"status": 1}                     422  status
  {"status": true}                  422  status
  {"status": ["new"]}               422  status
  {"status": {}}                    422  status
  {"name_ar": "ش×120"}              200
  {"name_en": "x×120"}              200
  {"name_ar": "جاهز"}               200
  {"name_en": "Ready", "status": null}  200
  {"name_ar": "ش×121"}              422  name_ar
  {"name_en": "x×121"}              422  name_en
  {"name_ar": 1}                    422  name_ar
  {"name_en": false}                422  name_en
  {"name_ar": ["x"]}                422  name_ar
  {"name_en": {}}                   422  name_en
  {"name_en": "a\\u0000b"}           422  name_en
  {"status": "x", "name_ar": 1, "name_en": "x×121"}  422  name_ar,name_en,status
`

type Order = { readonly order_uuid: string }
const fresh = (): Promise<Order> => replacingOrder(database.db, shop.merchant, { phone: null })

async function authorized(): Promise<Order> {
  const order = await fresh()
  await app.actBy(shop, order.order_uuid, 'authorize')
  return order
}

const endpoints = [
  ['authorize', authorize, fresh],
  ['capture', capture, authorized],
  ['complete', complete, fresh],
  ['cancel', cancel, fresh],
  ['refund', refund, () => earningOrder(database.db, shop.merchant, { clock: app.clock })],
  ['status', status, fresh],
] as const

const json = { 'content-type': 'application/json' }

function bodyOf(text: string) {
  if (text === 'empty') return {}
  if (text === 'blank') return { bytes: '', headers: json }
  if (text === 'text') return { bytes: '{"a":', headers: json }
  if (text === 'plain') return { bytes: '{}', headers: { 'content-type': 'text/plain' } }
  // Numbers beyond those of JavaScript are sent as they are written.
  return { bytes: text.includes('e999') ? text : JSON.stringify(readJson(text)), headers: json }
}

describe.each(endpoints)('POST /v1/orders/{orderUuid}/%s', (action, table, make) => {
  test.each(inputRowsOf(table))('%s is %s %s', async (text = '', expected = '', keys = '') => {
    const { order_uuid } = await make()
    const before = await everythingOf(database.db, order_uuid)
    const reply = await app.act(order_uuid, action, { key: shop.private_key, ...bodyOf(text) })
    expect([
      reply.status,
      Object.keys(reply.body.errors ?? {})
        .sort()
        .join(','),
    ]).toEqual([Number(expected), keys])
    expect(reply.body.status).toBe(reply.status === 200)
    if (reply.status !== 200) expect(await everythingOf(database.db, order_uuid)).toEqual(before)
    else expect((await eventNamesOf(database.db, order_uuid)).length).toBeGreaterThan(0)
  })
})

/** The key, the order, the body, then the status. The body is checked first: a bad one is a 422 for every order. */
const access = `
  none         own           good  400
  unknown      own           good  400
  public       own           good  400
  revoked      own           good  400
  switched-off own           good  400
  none         own           bad   400
  good         own           good  200
  good         upper-case    good  200
  good         foreign       good  404
  good         absent        good  404
  good         malformed     good  404
  good         number        good  404
  good         foreign       bad   422
  good         absent        bad   422
  good         malformed     bad   422
  unpublished  own           good  200
`

const badBodies: Readonly<Record<string, unknown>> = {
  authorize: [1],
  capture: [1],
  complete: { payment_method: '0' },
  cancel: { reason: 1 },
  refund: { amount: -1 },
  status: {},
}

describe.each(endpoints)('who may POST /v1/orders/{orderUuid}/%s', (action, _, make) => {
  const rows = rowsOf(access.replace('switched-off own', 'switched-off  own'))
  test.each(rows)('%s key, %s order, %s body is %s', async (who = '', whose = '', body = '', expected = '') => {
    const { order_uuid } = await make()
    const foreign = await replacingOrder(database.db, other.merchant, { phone: null })
    const ids: Record<string, string> = {
      own: order_uuid,
      'upper-case': order_uuid.toUpperCase(),
      foreign: foreign.order_uuid,
      absent: '0193e7a1-4b2c-7def-8123-456789abcdef',
      malformed: 'not-a-uuid',
      number: '1',
    }
    const good = action === 'status' ? { status: 'delivered' } : {}
    const sent = { json: body === 'good' ? good : badBodies[action] }
    const before = await everythingOf(database.db, order_uuid)
    const reply = await withKey(who, (key) =>
      app.act(ids[whose] ?? '', action, key === undefined ? sent : { ...sent, key }),
    )
    expect(reply.status).toBe(Number(expected))
    if (reply.status === 400) expect(reply.body.message).toBe('Invalid or inactive API key')
    if (reply.status === 422) expect(Object.keys(reply.body.errors ?? {}).length).toBe(1)
    if (reply.status !== 200) expect(await everythingOf(database.db, order_uuid)).toEqual(before)
  })

  async function withKey<T>(who: string, work: (key: string | undefined) => Promise<T>): Promise<T> {
    if (who === 'none') return work(undefined)
    if (who === 'unknown') return work(`sk_test_${'0'.repeat(26)}`)
    if (who === 'public') return work(shop.public_key)
    if (who === 'good') return work(shop.private_key)
    const id = [shop.merchant.program_id]
    if (who === 'unpublished') {
      const set = (on: boolean) => `update merchant set verified = ${on}, published = ${on} where program_id = $1`
      return around(set(false), set(true), id, () => work(shop.private_key))
    }
    if (who === 'switched-off') {
      const set = (on: boolean) => `update api_key set status = ${on} where program_id = $1`
      return around(set(false), set(true), id, () => work(shop.private_key))
    }
    const revoke = `update api_key set private_key_hash = sha256(private_key_hash) where program_id = $1`
    const [row] = await database.owner.run<{ hash: Buffer }>({
      text: 'select private_key_hash as hash from api_key where program_id = $1',
      values: id,
    })
    const restore = `update api_key set private_key_hash = decode('${row?.hash.toString('hex')}', 'hex') where program_id = $1`
    return around(revoke, restore, id, () => work(shop.private_key))
  }

  async function around<T>(first: string, last: string, values: unknown[], work: () => Promise<T>): Promise<T> {
    await database.owner.run({ text: first, values })
    try {
      return await work()
    } finally {
      await database.owner.run({ text: last, values })
    }
  }
})

test('an order in Arabic: labels, relative time and refusals follow the locale', async () => {
  const { order_uuid } = await fresh()
  const headers = { 'accept-language': 'ar' }
  const reply = await app.act(order_uuid, 'authorize', { key: shop.private_key, headers })
  expect(reply.body.data).toMatchObject({ status: 'new', status_label: 'جديد' })
  const refused = await app.actBy(shop, order_uuid, 'authorize?lang=ar')
  expect(refused.body.message).toMatch(/لا يمكن حجز/)
})
