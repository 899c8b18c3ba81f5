import type { FoundInLog, LogWindow } from '../../db/log-page.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { BodyShape } from '../../domain/answered.ts'
import type { FailureKind } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { LoggedRequest } from './sample.ts'

const insertText = prepared<never>(
  'requests.insert',
  `insert into request_log (program_id, request_id, merchant_id, method, route, order_uuid, status, duration_ms,
    failure, fields, body_bytes, body, more)
  select $1, r.* from unnest($2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::uuid[], $7::smallint[],
    $8::integer[], $9::text[], $10::json[], $11::integer[], $12::json[], $13::integer[]) as r`,
)

/** Adds rows of one program. */
export function insertRequests(program_id: number, rows: readonly LoggedRequest[]): Statement<never> {
  const of = <K extends keyof LoggedRequest>(name: K): LoggedRequest[K][] => rows.map((row) => row[name])
  return insertText(
    program_id,
    of('request_id'),
    of('merchant_id'),
    of('method'),
    of('route'),
    of('order_uuid'),
    of('status'),
    of('duration_ms').map((ms) => Math.min(Math.round(ms), max_integer)),
    of('failure'),
    of('fields').map((fields) => (fields.length === 0 ? null : JSON.stringify(fields))),
    of('body_bytes').map((bytes) => (bytes === null ? null : Math.min(bytes, max_integer))),
    of('body').map((body) => (body === null ? null : JSON.stringify(body))),
    of('more'),
  )
}

const max_integer = 2_147_483_647

export interface RequestRow {
  readonly request_id: Uuid
  readonly method: string
  readonly route: string
  readonly order_uuid: Uuid | null
  readonly status: number
  readonly duration_ms: number
  readonly failure: FailureKind | null
  readonly fields: readonly string[] | null
  readonly body_bytes: number | null
  readonly body: BodyShape | null
  readonly more: number
}

/** Which requests to find. Undefined fields match all. */
export interface RequestFilter {
  /** 2, 4 or 5: the first digit of the status. */
  readonly status_class: number | undefined
  readonly route: string | undefined
  readonly failure: string | undefined
}

const columns = 'request_id, method, route, order_uuid, status, duration_ms, failure, fields, body_bytes, body, more'

/** A page of a merchant's requests: those before an id, the newest first. */
export function findRequests(
  { program_id, merchant_id }: MerchantKey,
  { status_class, route, failure }: RequestFilter,
  { before, window, size }: LogWindow,
): Statement<FoundInLog<RequestRow>> {
  // Each has an index in the order of the ids.
  const narrowed =
    failure !== undefined || (status_class ?? 2) >= 4
      ? 'and status >= 400'
      : route === undefined
        ? ''
        : 'and route = $6'
  return {
    text: `with looked as materialized (
        select ${columns} from request_log
        where program_id = $1 and merchant_id = $2 and ($3::uuid is null or request_id < $3) ${narrowed}
        order by request_id desc limit $4
      ), found as (
        select * from looked
        where ($5::integer is null or status / 100 = $5) and ($6::text is null or route = $6)
          and ($7::text is null or failure = $7)
        order by request_id desc limit $8
      )
      select (select count(*) from looked) as looked,
        (select request_id from looked order by request_id limit 1) as last,
        (select coalesce(json_agg(row_to_json(found) order by request_id desc), '[]') from found) as rows`,
    values: [
      program_id,
      merchant_id,
      before ?? null,
      window,
      status_class ?? null,
      route ?? null,
      failure ?? null,
      size,
    ],
  }
}

/** The rows of one request of a merchant: none or one. */
export function findRequest({ program_id, merchant_id }: MerchantKey, request_id: Uuid): Statement<RequestRow> {
  return {
    text: `select ${columns} from request_log where program_id = $1 and request_id = $3 and merchant_id = $2`,
    values: [program_id, merchant_id, request_id],
  }
}

/** Deletes up to `count` rows of a program from before an id. */
export function deleteRequests(program_id: number, before: Uuid, count: number): Statement<{ request_id: Uuid }> {
  return {
    text: `delete from request_log where program_id = $1 and request_id in (
        select request_id from request_log where program_id = $1 and request_id < $2 order by request_id limit $3
      ) returning request_id`,
    values: [program_id, before, count],
  }
}
