import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient } from '../http/client.ts'
import { codeIn, Shopper, type Visit } from '../support/shopper.ts'
import { waitFor } from '../support/wait.ts'
import { runningService } from './command.ts'

// The hosted checkout of a running service after its customer has left, while the operator moves the sandbox's clock.

// The service stops before it performs the refund of the last reversal.
const { client, run } = runningService({ leaves: ['due payment tasks'] })
const phone = '500000001'
let http: Client
let origin: URL

beforeAll(() => {
  const { NUQTA_BASE_URL, NUQTA_CA } = client()
  origin = new URL(NUQTA_BASE_URL)
  http = createClient(Number(origin.port), readFileSync(NUQTA_CA, 'utf8'))
})
afterAll(() => http.close())

interface Standing {
  readonly me: Shopper
  readonly path: string
  readonly order_uuid: string
  /** The provider's page of cards. */
  readonly cards: Visit
}

/** Confirms 1,000 points for an order of 100 SAR, and stops at the cards of the sandbox's provider. */
async function atTheCards(): Promise<Standing> {
  const json = { total_price: 100, order_number: '#77', phone_number: phone }
  const opened = await http.call('POST', `/api/v1/orders/checkout/${client().NUQTA_PUBLIC_KEY}`, { json })
  const { checkout_url, order_uuid } = opened.body.data as Record<string, string>
  const path = new URL(checkout_url ?? '').pathname
  const me = new Shopper(http.call, origin.origin, { 'accept-language': 'en' })
  const sent = await me.submit(await me.open(`${path}?at=number`), 'phone', { phone })
  const choice = await me.submit(sent, 'code', { code: codeIn(sent) })
  const cards = await me.submit(choice, 'confirm', { use: 'part', amount: '1000' })
  return { me, path, order_uuid: order_uuid ?? '', cards }
}

async function wallet(): Promise<Record<string, unknown>> {
  return (await run('wallet', 'show', phone, '--json')).json[0] ?? {}
}

async function order(uuid: string): Promise<Record<string, unknown>> {
  return (await run('orders', 'show', uuid, '--json')).json[0] ?? {}
}

describe('a customer who does not come back', () => {
  test('gets the points back once the session has expired', async () => {
    const { order_uuid } = await atTheCards()
    expect(await wallet()).toMatchObject({ posted: 10_000, held: 1_000, available: 9_000 })
    expect((await run('clock', 'advance', '31m')).code).toBe(0)
    await waitFor('the hold to be released', async () => (await wallet())['held'] === 0)
    expect(await order(order_uuid)).toMatchObject({ order_status: 'new', total_points: 0 })
    expect((await run('ledger', 'verify')).code).toBe(0)
  })

  test('has the order reversed when the payment is missing at the provider', async () => {
    const { me, path, cards, order_uuid } = await atTheCards()
    await me.submit(cards, 'card', { card: 'vanishes' })
    expect(await order(order_uuid)).toMatchObject({
      order_status: 'approved',
      total_points: 1_000,
      payments: [{ provider: 'sandbox', state: 'paid', amount: 95 }],
    })
    expect(await wallet()).toMatchObject({ posted: 9_950, held: 0 })
    expect((await run('clock', 'advance', '61m')).code).toBe(0)
    const { code, json } = await run('reconcile', '--json')
    expect(code).toBe(0)
    expect(json).toMatchObject([{ order_uuid, finding: 'missing', action: 'reversed', refund_points: 1_000 }])
    expect(await order(order_uuid)).toMatchObject({ order_status: 'fully_refunded', payments: [{ state: 'failed' }] })
    expect(await wallet()).toMatchObject({ posted: 10_000, held: 0 })
    expect((await me.open(path)).status).toBe(200)
    expect((await run('reconcile', '--json')).stdout).toBe('')
    expect((await run('ledger', 'verify')).code).toBe(0)
  })
})
