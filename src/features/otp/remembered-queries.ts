import { prepared, rowsOfLists, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'
import type { RememberedFacts } from '../../domain/remembered.ts'

export interface RememberedRow extends RememberedFacts {
  readonly program_id: number
  readonly remembered_uuid: Uuid
  readonly phone: Phone
  readonly customer_id: Uuid
  /** Such as `Chrome, Android`. */
  readonly device: string | null
  readonly used_at: Date
  readonly created_at: Date
}

const listText = prepared<RememberedRow>(
  'remembered.list',
  `select b.program_id, b.remembered_uuid, b.phone, b.customer_id, b.device, b.proven_at, b.used_at, b.expires_at, b.created_at
   from remembered_browser b
   cross join lateral (
     select from customer c
     where c.program_id = $1 and c.customer_id = $2 and (c.program_id, c.customer_id) >= ($1, $2)
       and c.phone is not distinct from b.phone and c.status = 'active' limit 1
   ) c
   where b.program_id = $1 and b.customer_id = $2 and (b.program_id, b.customer_id) >= ($1, $2)
   order by b.used_at desc, b.remembered_uuid`,
)

/** A browser with the hash of its token. */
export interface FoundRemembered extends RememberedRow {
  readonly token_hash: Buffer
}

const findText = prepared<FoundRemembered>(
  'remembered.find',
  `select b.* from ${rowsOfLists('$2::bytea[]', 't(hash)')}
   cross join lateral (
     select b.program_id, b.remembered_uuid, b.token_hash, b.phone, b.customer_id, b.device, b.proven_at, b.used_at, b.expires_at, b.created_at
     from remembered_browser b
     where b.program_id = $1 and b.token_hash = t.hash and (b.program_id, b.token_hash) >= ($1, t.hash) limit 1
   ) b
   cross join lateral (
     select from customer c
     where c.program_id = $1 and c.customer_id = b.customer_id and (c.program_id, c.customer_id) >= ($1, b.customer_id)
       and c.phone is not distinct from b.phone and c.status = 'active' limit 1
   ) c
   order by b.used_at desc`,
)

/** The browsers of some tokens, expired or not, the last used first. */
export function findRemembered(program_id: number, hashes: readonly Buffer[]): Statement<FoundRemembered> {
  return findText(program_id, hashes)
}

/** The browsers of a customer, the last used first, while the customer is active and has the phone. */
export function listRemembered(program_id: number, customer_id: Uuid): Statement<RememberedRow> {
  return listText(program_id, customer_id)
}

export interface NewRemembered extends Omit<RememberedRow, 'used_at' | 'proven_at'> {
  readonly token_hash: Buffer
}

export function insertRemembered(browser: NewRemembered): Statement<never> {
  const { program_id, remembered_uuid, token_hash, phone, customer_id, device, expires_at, created_at } = browser
  return {
    text: `insert into remembered_browser
        (program_id, remembered_uuid, token_hash, phone, customer_id, device, expires_at, proven_at, used_at, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)`,
    values: [program_id, remembered_uuid, token_hash, phone, customer_id, device, expires_at, created_at],
  }
}

/** Deletes the browsers of a customer but the `kept` ones that were used last. */
export function deleteUnused(program_id: number, customer_id: Uuid, kept: number): Statement<never> {
  return {
    text: `delete from remembered_browser where program_id = $1 and remembered_uuid in (
        select remembered_uuid from remembered_browser where program_id = $1 and customer_id = $2
        order by used_at desc, remembered_uuid offset $3
      )`,
    values: [program_id, customer_id, kept],
  }
}

/** Extends a browser that was used. */
export function renewRemembered(
  program_id: number,
  remembered_uuid: Uuid,
  times: { readonly used_at: Date; readonly expires_at: Date },
): Statement<{ remembered_uuid: Uuid }> {
  return {
    text: `update remembered_browser set used_at = $3, expires_at = $4
      where program_id = $1 and remembered_uuid = $2 returning remembered_uuid`,
    values: [program_id, remembered_uuid, times.used_at, times.expires_at],
  }
}

/** Records for all browsers of a phone that it was proven by a code. */
export function markPhoneProven(program_id: number, phone: Phone, now: Date): Statement<never> {
  return {
    text: 'update remembered_browser set proven_at = $3 where program_id = $1 and phone = $2',
    values: [program_id, phone, now],
  }
}

/** Ends browsers of a customer. */
export function deleteRemembered(
  program_id: number,
  customer_id: Uuid,
  browsers: readonly Uuid[],
): Statement<{ remembered_uuid: Uuid }> {
  return {
    text: `delete from remembered_browser
      where program_id = $1 and customer_id = $2 and remembered_uuid = any($3::uuid[]) returning remembered_uuid`,
    values: [program_id, customer_id, browsers],
  }
}

/** Ends every browser of a phone. */
export function deleteRememberedOf(program_id: number, phone: Phone): Statement<{ remembered_uuid: Uuid }> {
  return {
    text: 'delete from remembered_browser where program_id = $1 and phone = $2 returning remembered_uuid',
    values: [program_id, phone],
  }
}

/** Deletes up to `count` browsers of a program that expired before `before`. */
export function deleteExpired(program_id: number, before: Date, count: number): Statement<{ remembered_uuid: Uuid }> {
  return {
    text: `delete from remembered_browser where program_id = $1 and remembered_uuid in (
        select remembered_uuid from remembered_browser where program_id = $1 and expires_at < $2 order by expires_at limit $3
      ) and expires_at < $2 returning remembered_uuid`,
    values: [program_id, before, count],
  }
}

const spentText = prepared<{ points: Points }>(
  'remembered.spent',
  `select coalesce(sum(points), 0)::bigint as points from remembered_spend
   where program_id = $1 and customer_id = $2 and (program_id, customer_id) >= ($1, $2)
     and spent_at + interval '0' > $3`,
)

/** The points that a customer has spent without a code since an instant. Exact under the wallet's lock. */
export function sumSpent(program_id: number, customer_id: Uuid, since: Date): Statement<{ points: Points }> {
  return spentText(program_id, customer_id, since)
}

export interface NewSpend {
  readonly program_id: number
  readonly customer_id: Uuid
  readonly order_uuid: Uuid
  readonly points: Points
}

/** Counts points that an order takes without a code. The caller has locked the wallet. */
export function insertSpend({ program_id, customer_id, order_uuid, points }: NewSpend, now: Date): Statement<never> {
  return {
    text: `insert into remembered_spend (program_id, customer_id, order_uuid, points, spent_at) values ($1, $2, $3, $4, $5)
      on conflict (program_id, customer_id, order_uuid) do update set points = excluded.points, spent_at = excluded.spent_at`,
    values: [program_id, customer_id, order_uuid, points, now],
  }
}

/** Uncounts the points of an order whose confirmation was taken back. */
export function deleteSpend(program_id: number, customer_id: Uuid, order_uuid: Uuid): Statement<never> {
  return {
    text: 'delete from remembered_spend where program_id = $1 and customer_id = $2 and order_uuid = $3',
    values: [program_id, customer_id, order_uuid],
  }
}

/** Deletes up to `count` spendings of a program before `before`. */
export function deleteSpends(program_id: number, before: Date, count: number): Statement<{ order_uuid: Uuid }> {
  return {
    text: `delete from remembered_spend where program_id = $1 and (customer_id, order_uuid) in (
        select customer_id, order_uuid from remembered_spend where program_id = $1 and spent_at < $2 order by spent_at limit $3
      ) and spent_at < $2 returning order_uuid`,
    values: [program_id, before, count],
  }
}
