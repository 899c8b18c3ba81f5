import { describe, expect, test } from 'vitest'
import { waitFor } from '../support/wait.ts'
import { call, earn, runningService } from './command.ts'

// The commands of orders, customers and settlements, beside a running service.

const { client, run } = runningService()

async function buy(phone_number: string): Promise<string> {
  const { status, body } = await earn(client(), client().NUQTA_PRIVATE_KEY, phone_number)
  expect(status).toBe(200)
  return String(body.data?.['uuid'])
}

const act = (uuid: string, action: string, body: object = {}) =>
  call(client(), { path: `/api/v1/orders/${uuid}/${action}`, key: client().NUQTA_PRIVATE_KEY, body })

describe('orders', () => {
  test('show gives the Order of the API, with merchant, phone, payment method and ledger', async () => {
    const uuid = await buy('0511111111')
    await act(uuid, 'refund', { amount: 2.5, reason: 'One cup' })
    const { code, json } = await run('orders', 'show', uuid, '--json')
    expect(code).toBe(0)
    expect(json).toEqual([
      expect.objectContaining({
        uuid,
        order_status: 'partially_refunded',
        settlement_status: 'pending',
        total_price: 10,
        total_points: 100,
        merchant_id: 1,
        phone: '511111111',
        payment_method: null,
        ledger: [
          expect.objectContaining({ kind: 'earn', points: 100, reason: null }),
          expect.objectContaining({ kind: 'reverse', points: 25, reason: 'One cup' }),
        ],
      }),
    ])
    expect((await run('orders', 'show', uuid)).stdout).toMatch(/order_status +partially_refunded[\s\S]*reverse +25/)
  })

  test('list gives the newest first, by merchant, phone and state', async () => {
    const [first, second] = [await buy('0522222222'), await buy('0522222222')]
    await act(second, 'refund')
    const uuidsOf = async (...args: string[]) => {
      const { json, code } = await run('orders', 'list', ...args, '--json')
      expect(code).toBe(0)
      return json.map(({ uuid }) => uuid)
    }
    expect(await uuidsOf('--phone', '+966 52 222 2222')).toEqual([second, first])
    expect(await uuidsOf('--phone', '522222222', '--status', 'approved')).toEqual([first])
    expect(await uuidsOf('--merchant', 'Demo Store', '--phone', '522222222')).toEqual([second, first])
    expect(await uuidsOf('--phone', '0599999999')).toEqual([])
    expect(await uuidsOf()).toEqual(expect.arrayContaining([first, second]))
    expect((await run('orders', 'list', '--phone', '522222222')).stdout).toContain(`${second}  `)
  })

  test.each([
    [['orders', 'show', '0193e7a1-4b2c-7def-8123-456789abcdef'], 1, /There is no order/],
    [['orders', 'show', 'VQ8K8ZPPCF'], 1, /There is no order/],
    [['orders', 'show'], 2, /missing required argument/],
    [['orders', 'list', '--status', 'paid'], 2, /Allowed choices/],
    [['orders', 'list', '--merchant', 'Nobody'], 1, /no merchant Nobody/],
    [['orders', 'list', '--phone', '12'], 1, /not a Saudi mobile number/],
    [['customers', 'activate', '0598765432'], 1, /No customer/],
    [['customers', 'activate', '12'], 1, /not a Saudi mobile number/],
    [['customers', 'activate', '0511111111', '--program', 'Nowhere'], 1, /no program named Nowhere/],
    [['settlement', 'close', '--merchant', 'Nobody'], 1, /no merchant Nobody/],
  ])('%j ends with %i', async (args, code, said) => {
    const ended = await run(...args)
    expect([ended.code, ended.stdout]).toEqual([code, ''])
    expect(ended.stderr).toMatch(said)
  })
})

describe('customers', () => {
  test('activate turns pending earnings into orders', async () => {
    const { body } = await earn(client(), client().NUQTA_PRIVATE_KEY, '500000003')
    expect(body.data).toMatchObject({ pending_client_activation: true })
    const { json } = await run('customers', 'activate', '0500000003', '--json')
    expect(json).toEqual([{ phone: '500000003', customer_status: 'active', orders_created: 1 }])
    const again = await run('customers', 'activate', '0500000003', '--json')
    expect(again.json).toEqual([{ phone: '500000003', customer_status: 'active', orders_created: 0 }])
    expect((await run('wallet', 'show', '500000003', '--json')).json).toEqual([
      { phone: '500000003', customer_status: 'active', posted: 100, held: 0, available: 100 },
    ])
  })
})

describe('settlements', () => {
  test('preview shows what close does; settled orders are no longer refunded', async () => {
    const created = await run('merchant', 'create', '--name', 'Settled', '--verified', '--published', '--json')
    const key = String(created.json[0]?.['private_key'])
    const { body } = await earn(client(), key)
    const of = { merchant_id: created.json[0]?.['merchant_id'], orders: 1, net_points: 100, net_amount: 0.5 }
    const preview = await run('settlement', 'preview', '--merchant', 'Settled', '--json')
    expect(preview.json).toEqual([expect.objectContaining({ settlement_id: null, ...of })])
    const close = await run('settlement', 'close', '--merchant', 'Settled', '--json')
    const settlement_id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(close.json).toEqual([expect.objectContaining({ settlement_id, ...of })])
    const uuid = String(body.data?.['uuid'])
    const refused = await call(client(), { path: `/api/v1/orders/${uuid}/refund`, key, body: {} })
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/already settled/)])
    const read = await call(client(), { path: `/api/v1/orders/${uuid}`, key })
    expect(read.body.data).toMatchObject({ settlement_status: 'settled' })
  })

  test('of all merchants print one line for each with orders', async () => {
    await buy('0533333331')
    const preview = await run('settlement', 'preview', '--json')
    expect(preview.json.map(({ merchant_id }) => merchant_id)).toEqual([1])
    expect((await run('settlement', 'close', '--json')).json).toHaveLength(1)
    expect((await run('settlement', 'close', '--json')).json).toEqual([])
  })
})

describe('the clock of the sandbox', () => {
  test('ends the refund window of a running service when it is moved', async () => {
    const uuid = await buy('0544444444')
    await run('clock', 'advance', '31d')
    await waitFor('the service to follow', async () => {
      const { body } = await call(client(), { path: `/api/v1/orders/${uuid}`, key: client().NUQTA_PRIVATE_KEY })
      return body.data?.['since'] === '1 month ago'
    })
    const refused = await act(uuid, 'refund')
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/refund window/)])
    await run('clock', 'reset')
  })

  test('and the ledger verifies clean afterwards', async () => {
    expect((await run('ledger', 'verify')).code).toBe(0)
  })
})
