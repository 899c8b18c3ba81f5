import type { Database } from '../db/pool.ts'
import { runLoad } from './load.ts'
import { getRequest, knownPhone } from './requests.ts'
import type { BenchServer, MerchantKeys } from './server.ts'

/** Requests of each view. */
const requests = 40
const patience_ms = 120_000
const email = 'bench@nuqta.example'

export interface ViewResult {
  readonly name: string
  readonly p50_ms: number
}

interface Order {
  readonly order_uuid: string
  readonly order_number: string
  readonly reference_number: string
  readonly customer_id: string
}

/** P12: measures lists, searches and pages of the dashboard, one request at a time, as an operator of the program. */
export async function measureViews(
  server: BenchServer,
  db: Database,
  keys: readonly MerchantKeys[],
): Promise<readonly ViewResult[]> {
  const headers = `cookie: ${await signIn(server)}\r\n`
  const [shop] = keys
  if (shop === undefined) throw new Error('the bench has no merchants')
  const { program_id, merchant_id, private_key } = shop
  const [order] = await db.run<Order>({
    text: `select order_uuid, order_number, reference_number, customer_id from orders
      where program_id = $1 and merchant_id = $2 order by created_at, order_uuid limit 1`,
    values: [program_id, merchant_id],
  })
  if (order === undefined) throw new Error('the merchant of the bench has no orders')
  const merchant = `/dashboard/api/merchants/${merchant_id}`
  const program = `/dashboard/api/programs/${program_id}`
  const views: readonly (readonly [name: string, path: string])[] = [
    ['orders, newest', `${merchant}/orders`],
    ['orders, by number', `${merchant}/orders?q=${order.order_number}`],
    ['orders, by reference', `${merchant}/orders?q=${order.reference_number}`],
    ['orders, by phone', `${merchant}/orders?q=${knownPhone(1)}`],
    ['orders, cancelled', `${merchant}/orders?status=cancelled`],
    ['one order', `${merchant}/orders/${order.order_uuid}`],
    ['customers', `${merchant}/customers`],
    ['history of a customer', `${merchant}/customers/${order.customer_id}/history`],
    ['search of everything', `${merchant}/search?q=${order.order_number}`],
    ['overview of a merchant', `${merchant}/overview`],
    ['merchants of a program', `${program}/merchants`],
    ['overview of a program', `${program}/overview`],
    ['settlements', `${program}/settlements`],
    ['findings', `${program}/findings`],
    ['health', '/dashboard/api/operator/health'],
  ]
  const found: ViewResult[] = [
    await timeView(server, 'API, one order', `/api/v1/orders/${order.order_uuid}`, `x-api-key: ${private_key}\r\n`),
  ]
  for (const [name, path] of views) found.push(await timeView(server, name, path, headers))
  return found
}

async function timeView({ port, ca }: BenchServer, name: string, path: string, headers: string): Promise<ViewResult> {
  let left = requests
  const bytes = getRequest(path, headers)
  const { statuses, p50_ms } = await runLoad({
    ...{ host: '127.0.0.1', port, ca, connections: 1, duration_ms: patience_ms },
    request() {
      left -= 1
      return left < 0 ? undefined : bytes
    },
  })
  if (statuses['200'] !== requests) throw new Error(`${name} was refused: ${JSON.stringify(statuses)}`)
  return { name, p50_ms }
}

/** Makes an operator and signs in by the one-time link; gives the cookie. */
async function signIn(server: BenchServer): Promise<string> {
  const [made] = (await server.command('operator', 'create', '--email', email)) as [{ link: string }]
  const origin = `https://localhost:${server.port}`
  const { Agent, fetch } = await import('undici')
  const dispatcher = new Agent({ connect: { ca: server.ca } })
  try {
    const response = await fetch(`${origin}/dashboard/api/links/accept`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({
        token: new URL(made.link).hash.slice(1),
        name: 'Bench',
        password: crypto.randomUUID(),
      }),
    })
    if (response.status !== 200) throw new Error(`nobody could sign in: ${await response.text()}`)
    return response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
  } finally {
    await dispatcher.close()
  }
}
