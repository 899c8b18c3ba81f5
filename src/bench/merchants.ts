import { runLoad } from './load.ts'
import type { Customers } from './reference.ts'
import { customerCount, earningRequest, knownPhone, newPhone, newPhones } from './requests.ts'
import type { BenchServer, MerchantKeys } from './server.ts'

const connections = 64
const registrationConnections = 8
const registrationPatience_ms = 60_000

/** Makes a number of merchants of one program, which may earn at the same time. */
export async function makeMerchants(
  server: BenchServer,
  count: number,
  program = 'Bench',
): Promise<readonly MerchantKeys[]> {
  return (await server.command(
    ...['merchant', 'create', '--name', 'Bench', '--count', String(count)],
    ...['--verified', '--published', '--program', program],
  )) as MerchantKeys[]
}

/** Gives each merchant a webhook at `url`. */
export async function register(server: BenchServer, keys: readonly MerchantKeys[], url: string): Promise<void> {
  const remaining = Array.from({ length: registrationConnections }, (_, connection) =>
    keys.filter((_key, index) => index % registrationConnections === connection),
  )
  const { statuses } = await runLoad({
    ...placeOf(server),
    connections: registrationConnections,
    duration_ms: registrationPatience_ms,
    request: (connection) => {
      const key = remaining[connection]?.pop()
      return key === undefined ? undefined : registration(key.private_key, url)
    },
  })
  if (statuses['200'] !== keys.length) throw new Error(`webhooks were not registered: ${JSON.stringify(statuses)}`)
}

function placeOf({ port, ca }: BenchServer) {
  return { port, ca }
}

function registration(key: string, url: string): Buffer {
  const body = JSON.stringify({ name: 'Bench', url })
  return Buffer.from(
    `POST /api/v1/webhooks HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n` +
      `accept: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

export interface EarningRequests {
  readonly keys: readonly MerchantKeys[]
  readonly connections: number
  readonly customers: Customers
  /** How many customers have an account. */
  readonly known: number
  /** Differs from every run before. */
  readonly run: number
  /** How many numbers new customers may have; as many as every run, unless given. */
  readonly new_phones?: number
}

/** Gives the next earning of a connection. No two connections share a merchant, so that none waits for another. */
export function earningRequests({
  new_phones = newPhones.run,
  ...options
}: EarningRequests): (connection: number) => Buffer {
  const { keys, connections, customers, known, run } = options
  const sent = new Array<number>(connections).fill(0)
  const share = Math.floor(new_phones / connections)
  return (connection) => {
    const turn = sent[connection] ?? 0
    sent[connection] = turn + 1
    // Merchants connection, connection + n, connection + 2n, …: no two connections share one.
    const own = Math.floor((keys.length - 1 - connection) / connections) + 1
    const key = keys[connection + (turn % own) * connections]?.private_key ?? ''
    const isNew = customers === 'half new' && turn % 2 === 1
    const customer = isNew
      ? newPhone(run, connection * share + (turn % share))
      : knownPhone(Math.floor(Math.random() * known))
    return earningRequest(key, `${run}-${connection}-${turn}`, customer)
  }
}

export interface Earnings {
  readonly duration_s: number
  readonly keys: readonly MerchantKeys[]
  /** As fast as the service answers, unless given. */
  readonly pace_per_s?: number
}

export interface Earned {
  readonly accepted: number
  readonly seconds: number
}

/** Sends earnings over HTTPS; gives how many were accepted in how many seconds. Throws when one is refused. */
export async function earn(server: BenchServer, { duration_s, keys, pace_per_s }: Earnings): Promise<Earned> {
  const count = Math.min(connections, keys.length)
  const run = Math.floor(Math.random() * 2 ** 31)
  const { statuses, seconds } = await runLoad({
    ...placeOf(server),
    connections: count,
    duration_ms: duration_s * 1000,
    ...(pace_per_s === undefined ? {} : { pace_per_s }),
    request: earningRequests({ keys, connections: count, customers: 'known', known: customerCount, run }),
  })
  const accepted = statuses['200'] ?? 0
  const answered = Object.values(statuses).reduce((sum, one) => sum + one, 0)
  if (accepted < answered) throw new Error(`earnings were refused: ${JSON.stringify(statuses)}`)
  return { accepted, seconds }
}
