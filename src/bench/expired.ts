import { makeMonths, partitioned } from '../db/partitions.ts'
import type { Database } from '../db/pool.ts'
import { uuidV7Floor } from '../domain/ids.ts'
import { before, day_ms, hour_ms } from '../domain/spans.ts'
import { idOf } from './grow.ts'
import type { MerchantKeys } from './server.ts'

/** The settings of a server whose maintenance deletes what `loadExpired` has written. */
export const retentionSettings = { NUQTA_RETENTION_DAYS: '400', NUQTA_REQUEST_LOG_DAYS: '30' } as const
const retention_days = Number(retentionSettings.NUQTA_RETENTION_DAYS)
const request_log_days = Number(retentionSettings.NUQTA_REQUEST_LOG_DAYS)

/** Rows that are older than their retention, by table. */
export type ExpiredRows = Readonly<Record<string, number>>

type Table = 'event' | 'delivery' | 'delivery_attempt' | 'request_log' | 'idempotency' | 'wallet_session'

/** How many rows to write. An event has one delivery with one attempt. */
export type ExpiredCounts = Readonly<Record<Table, number>>

const many: ExpiredCounts = {
  ...{ event: 300_000, delivery: 300_000, delivery_attempt: 300_000 },
  ...{ request_log: 300_000, idempotency: 200_000, wallet_session: 100_000 },
}

type Merchant = Pick<MerchantKeys, 'program_id' | 'merchant_id'>

interface Times {
  /** The first moment of a month that ended before retention begins. */
  readonly month_ms: number
  /** Requests are older than this. */
  readonly requests_ms: number
  /** Keys and sessions have ended by then. */
  readonly ended_ms: number
}

/** When rows have to be written so that they are past retention at `now`. */
function expiredTimes(now: Date): Times {
  const old = before(now, retention_days * day_ms)
  return {
    month_ms: Date.UTC(old.getUTCFullYear(), old.getUTCMonth() - 1, 1),
    requests_ms: now.getTime() - (request_log_days + 1) * day_ms,
    ended_ms: now.getTime() - 2 * day_ms,
  }
}

/**
 * Writes rows that are past retention: events that were delivered, requests, idempotency keys and sessions of wallets. The
 * events are tests of webhooks, which have no orders, so that the ledger still verifies. Each merchant has a webhook. The
 * first maintenance, a minute after the server's next start, deletes them.
 * @param merchants of one program, whose ids follow each other
 * @returns how many
 */
export async function loadExpired(
  owner: Database,
  merchants: readonly Merchant[],
  now: Date,
  counts = many,
): Promise<ExpiredRows> {
  const times = expiredTimes(now)
  const month = new Date(times.month_ms).toISOString().slice(0, 7).replace('-', '_')
  const months = partitioned.map(({ table }) => `${table}_${month}`)
  await owner.transaction((tx) => makeMonths(tx, months))
  await owner.script(expiredSql(merchants, times, counts))
  // As old rows are: vacuumed long ago, and known to the planner.
  for (const table of [...months, 'request_log', 'idempotency', 'wallet_session'])
    await owner.script(`vacuum (analyze) ${table}`)
  return counts
}

function expiredSql(
  merchants: readonly Merchant[],
  { month_ms, requests_ms, ended_ms }: Times,
  counts: ExpiredCounts,
): string {
  const program = merchants[0]?.program_id ?? 0
  const first = Math.min(...merchants.map(({ merchant_id }) => merchant_id))
  const merchant = `${first} + n % ${merchants.length}`
  const inMonth = { from_ms: month_ms, every_ms: 1_000 }
  const at = `to_timestamp((${month_ms} + n * 1000) / 1000.0)`
  const numbers = (rows: number): string => `from generate_series(0, ${rows - 1}) as n`
  const requests_from_ms = requests_ms - counts.request_log * 100
  const ended = `to_timestamp(${ended_ms} / 1000.0)`
  return `
    insert into event (program_id, event_id, merchant_id, order_uuid, name, payload, created_at)
    select ${program}, ${idOf('n', 4, inMonth)}, ${merchant}, ${idOf('n', 5, inMonth)}, 'test',
      '{"type":"earning","total_price":100,"total_points":1000,"payment_status":"fully_paid","order_status":"approved"}', ${at}
    ${numbers(counts.event)};
    insert into delivery (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, state, series, attempts,
      created_at, ended_at)
    select ${program}, ${idOf('n', 6, inMonth)}, ${idOf('n', 4, inMonth)}, w.merchant_id, w.webhook_uuid,
      ${idOf('n', 5, inMonth)}, 'delivered', 1, 1, ${at}, ${at}
    ${numbers(counts.delivery)} join webhook w on w.program_id = ${program} and w.merchant_id = ${merchant};
    insert into delivery_attempt (program_id, delivery_id, series, attempt, started_at, duration_ms, status, response)
    select ${program}, ${idOf('n', 6, inMonth)}, 1, 1, ${at}, 12, 200, 'ok' ${numbers(counts.delivery_attempt)};
    insert into request_log (program_id, request_id, merchant_id, method, route, status, duration_ms, body_bytes, more)
    select ${program}, ${idOf('n', 7, { from_ms: requests_from_ms, every_ms: 100 })}, ${merchant}, 'POST',
      '/v1/orders/earning', 200, 4, 180, 0
    ${numbers(counts.request_log)};
    insert into idempotency (program_id, merchant_id, key_hash, route, body_hash, request_uuid, owner, leased_until, status,
      answer, created_at)
    select ${program}, ${merchant}, sha256(n::text::bytea), 'POST /v1/orders/:orderUuid/refund', sha256(n::text::bytea),
      gen_random_uuid(), gen_random_uuid(), ${ended}, 200, decode(repeat('5a', 400), 'hex'), ${ended}
    ${numbers(counts.idempotency)};
    insert into wallet_session (program_id, session_uuid, token_hash, phone, proven_at, seen_at, expires_at, created_at)
    select ${program}, gen_random_uuid(), sha256(n::text::bytea), '51' || lpad(n::text, 7, '0'), ${ended}, ${ended}, ${ended},
      ${ended}
    ${numbers(counts.wallet_session)};`
}

/** Counts the rows of a program that are past retention at `now`. */
export async function countExpired(db: Database, program_id: number, now: Date): Promise<ExpiredRows> {
  const kept_from = uuidV7Floor(now.getTime() - retention_days * day_ms)
  const requests_from = uuidV7Floor(now.getTime() - request_log_days * day_ms)
  const sources = [
    ...partitioned.map(({ table, key }) => ({ table, old: `${key} < $2` })),
    { table: 'request_log', old: 'request_id < $3' },
    { table: 'idempotency', old: 'created_at < $4' },
    { table: 'wallet_session', old: 'expires_at < $4' },
  ]
  const counts = sources.map(
    ({ table, old }) => `(select count(*) from ${table} where program_id = $1 and ${old}) as ${table}`,
  )
  const row = await db.one<Record<string, number>>({
    text: `select ${counts.join(', ')}`,
    values: [program_id, kept_from, requests_from, before(now, day_ms + hour_ms)],
  })
  return row ?? {}
}
