import type { Random } from '../lib/random.ts'
import { knownPhone } from './requests.ts'

/** How to fill a database until it is as large as after years: earnings, each with all rows that it writes. */
export interface Growth {
  readonly program_id: number
  /** The id of the first merchant; the ids of the others follow. */
  readonly first_merchant: number
  readonly merchants: number
  readonly customers: number
  /** Earnings, spread evenly over the customers. */
  readonly orders: number
  /** The time of the first earning, and the time between two, in milliseconds. */
  readonly from_ms: number
  readonly every_ms: number
}

const points = 1_000
/** Earnings written by one statement. */
const chunk = 250_000

type Times = Pick<Growth, 'from_ms' | 'every_ms'>

/** A UUIDv7 of number `n`, in order of time; `what` tells orders, transfers, events, customers and others apart. */
export const idOf = (n: string, what: number, { from_ms, every_ms }: Times): string =>
  `(lpad(to_hex(${from_ms} + ${n} * ${every_ms}), 12, '0') || '7000800${what}' || lpad(to_hex(${n}), 12, '0'))::uuid`
/** One customer a second, from 2025 on: ids that begin alike would sort more slowly than those of a shop. */
const customersMade = { from_ms: Date.UTC(2025, 0, 1), every_ms: 1_000 }
const customerOf = (n: string): string => idOf(n, 3, customersMade)

/** The same without a database. */
function uuidOf(n: number, what: number, { from_ms, every_ms }: Times): string {
  const hex = (value: number): string => value.toString(16).padStart(12, '0')
  const digits = `${hex(from_ms + n * every_ms)}7000800${what}${hex(n)}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** An order that the statements of `growSql` write. */
export interface GrownOrder {
  readonly order_uuid: string
  readonly order_number: string
  readonly reference_number: string
  readonly merchant_id: number
  readonly customer_id: string
  readonly phone: string
}

/** Chooses any of the orders. Nothing is read, so that no page of it is in a cache for that reason. */
export function chooseOrder(growth: Growth, random: Random): GrownOrder {
  return grownOrder(growth, random.whole(0, growth.orders - 1))
}

function grownOrder(growth: Growth, n: number): GrownOrder {
  const { first_merchant, merchants, customers } = growth
  const customer = ((n % customers) * step + Math.floor(n / customers)) % customers
  return {
    order_uuid: uuidOf(n, 0, growth),
    order_number: `grown-${n}`,
    reference_number: n.toString(16).toUpperCase().padStart(10, '0'),
    merchant_id: first_merchant + (n % merchants),
    customer_id: uuidOf(customer, 3, customersMade),
    phone: knownPhone(customer),
  }
}

/** Inserts active customers with empty wallets; number n has the phone 51 and n in seven digits. */
export function customersSql(program_id: number, customers: number): string {
  return `
    insert into customer (program_id, customer_id, phone, status, created_at, activated_at)
    select ${program_id}, ${customerOf('n')}, '51' || lpad(n::text, 7, '0'), 'active', now(), now()
    from generate_series(0, ${customers - 1}) as n;
    insert into account (program_id, account_id, kind, customer_id, posted, held, version, created_at)
    select ${program_id}, ${customerOf('n')}, 'customer', ${customerOf('n')}, 0, 0, 0, now()
    from generate_series(0, ${customers - 1}) as n;`
}

/** Coprime to the number of customers, so that neighbours in time are no neighbours in the tables. */
const step = 7_919

/**
 * The statements that fill a program with orders, transfers, entries, events and wallets, as the service writes them.
 * `customersSql` has made its customers, and they have earned nothing yet.
 */
export function* growSql(growth: Growth): Generator<string> {
  const { program_id, customers, orders } = growth
  if (customers % step === 0) throw new RangeError(`not ${customers} customers: a multiple of ${step}`)
  for (let from = 0; from < orders; from += chunk) yield earningsSql(growth, from, Math.min(from + chunk, orders) - 1)
  const rounds = Math.floor(orders / customers)
  yield `
    update account a set posted = ${points} * e.lines, version = e.lines
    from (
      select ${customerOf(`(place::bigint * ${step} + ${rounds}) % ${customers}`)} as account_id,
        ${rounds} + (place < ${orders % customers})::integer as lines
      from generate_series(0, ${customers - 1}) as place
    ) e where a.program_id = ${program_id} and a.account_id = e.account_id;`
}

/** Inserts the earnings `from` to `to`, in turns: every customer has one in each turn. */
function earningsSql(growth: Growth, from: number, to: number): string {
  const { program_id, first_merchant, merchants, customers, from_ms, every_ms } = growth
  const numbers = `(
      select n, ${first_merchant} + n % ${merchants} as merchant_id, n / ${customers} + 1 as turn,
        ${customerOf(`(n % ${customers} * ${step} + n / ${customers}) % ${customers}`)} as customer_id,
        ${idOf('n', 0, growth)} as order_uuid, ${idOf('n', 1, growth)} as transfer_id, ${idOf('n', 2, growth)} as event_id,
        to_timestamp((${from_ms} + n * ${every_ms}) / 1000.0) as at
      from generate_series(${from}::bigint, ${to}::bigint) as n
    ) g`
  return `
    insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number, order_number,
      order_status, total_halalas, total_points, earned_points, items, paid_at, created_at, updated_at)
    select ${program_id}, order_uuid, merchant_id, customer_id, 1, 'purchase', lpad(upper(to_hex(n)), 10, '0'), 'grown-' || n,
      'approved', 10000, ${points}, ${points}, '[{"product_name":"Coffee","product_price":50,"quantity":2}]', at, at, at
    from ${numbers};
    insert into transfer (program_id, transfer_id, kind, reference, order_uuid, created_at)
    select ${program_id}, transfer_id, 'earn', 'earn:' || order_uuid, order_uuid, at from ${numbers};
    insert into entry (program_id, transfer_id, line, account_id, bucket, amount, balance_after, account_version, kind,
      micro_sar_per_point, created_at)
    select ${program_id}, transfer_id, side.line, case side.line when 0 then m.account_id else g.customer_id end, 'available',
      case side.line when 0 then -${points} else ${points} end, case side.line when 1 then g.turn * ${points} end,
      case side.line when 1 then g.turn end, 'earn', 5000, g.at
    from ${numbers}
    join merchant m on m.program_id = ${program_id} and m.merchant_id = g.merchant_id
    cross join (values (0), (1)) as side(line) order by g.n, side.line;
    insert into event (program_id, event_id, merchant_id, order_uuid, name, payload, created_at)
    select ${program_id}, event_id, merchant_id, order_uuid, 'approved', ('{"id":"' || order_uuid || '","reference_number":"'
      || lpad(upper(to_hex(n)), 10, '0') || '","order_number":"grown-' || n || '","type":"earning","total_price":100,"total_points":'
      || '${points},"payment_status":"fully_paid","order_status":"approved","metadata":null,"created_at":' || to_json(at)
      || ',"updated_at":' || to_json(at) || '}')::json, at
    from ${numbers};`
}
