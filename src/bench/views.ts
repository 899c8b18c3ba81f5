import type { Filled, Target } from './filled.ts'
import { runLoad } from './load.ts'
import { readOf, readRequest } from './reads.ts'
import { getRequest } from './requests.ts'
import type { BenchServer } from './server.ts'

/** Requests of a view in each turn, each for another order, and its merchant or customer. */
const requests = 40
const patience_ms = 120_000
const email = 'bench@nuqta.example'

export interface View {
  readonly name: string
  readonly request: (of: Target, cookie: string) => Buffer
}

const merchant = ({ merchant_id }: Target): string => `/dashboard/api/merchants/${merchant_id}`
const program = ({ program_id }: Target): string => `/dashboard/api/programs/${program_id}`
const page = (name: string, path: (of: Target) => string): View => ({
  name,
  request: (of, cookie) => getRequest(path(of), `cookie: ${cookie}\r\n`),
})

/** P12: lists, searches and pages of the dashboard. */
export const views: readonly View[] = [
  {
    name: 'API, one order',
    request: ({ order_uuid, private_key }) => readRequest(readOf(order_uuid, private_key)),
  },
  page('orders, newest', (of) => `${merchant(of)}/orders`),
  page('orders, by number', (of) => `${merchant(of)}/orders?q=${of.order_number}`),
  page('orders, by reference', (of) => `${merchant(of)}/orders?q=${of.reference_number}`),
  page('orders, by phone', (of) => `${merchant(of)}/orders?q=${of.phone}`),
  page('orders, cancelled', (of) => `${merchant(of)}/orders?status=cancelled`),
  page('one order', (of) => `${merchant(of)}/orders/${of.order_uuid}`),
  page('customers', (of) => `${merchant(of)}/customers`),
  page('history of a customer', (of) => `${merchant(of)}/customers/${of.customer_id}/history`),
  page('search of everything', (of) => `${merchant(of)}/search?q=${of.order_number}`),
  page('overview of a merchant', (of) => `${merchant(of)}/overview`),
  page('merchants of a program', (of) => `${program(of)}/merchants`),
  page('overview of a program', (of) => `${program(of)}/overview`),
  page('settlements', (of) => `${program(of)}/settlements`),
  page('findings', (of) => `${program(of)}/findings`),
  page('health', () => '/dashboard/api/operator/health'),
]

/** The median time of a view, one request at a time. */
export async function timeView(
  { server: { port, ca }, choose }: Pick<Filled, 'server' | 'choose'>,
  { name, request }: View,
  cookie: string,
): Promise<number> {
  let left = requests
  const { statuses, p50_ms } = await runLoad({
    ...{ port, ca, connections: 1, duration_ms: patience_ms },
    request() {
      left -= 1
      return left < 0 ? undefined : request(choose(), cookie)
    },
  })
  if (statuses['200'] !== requests) throw new Error(`${name} was refused: ${JSON.stringify(statuses)}`)
  return p50_ms
}

/** Makes an operator and signs in by the one-time link; gives the cookie. */
export async function signIn(server: BenchServer): Promise<string> {
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
