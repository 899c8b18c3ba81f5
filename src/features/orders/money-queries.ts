import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { OrderKey } from './order.ts'

interface Recorded {
  readonly money_uuid: Uuid
  /** When it counts in the merchant's account, if later than now. */
  readonly booked_at: Date | null
}

const collectedText = prepared<never>(
  'money.collected',
  `insert into provider_money (program_id, money_uuid, merchant_id, order_uuid, kind, amount_halalas, booked_at, created_at)
   select $1::bigint, $3::uuid, o.merchant_id, $2::uuid, 'collected', p.amount_halalas, coalesce($4::timestamptz, $5::timestamptz), $5::timestamptz
   from (
     select o.merchant_id from orders o
     where o.program_id = $1 and o.order_uuid = $2 and (o.program_id, o.order_uuid) >= ($1, $2) limit 1
   ) o
   cross join lateral (
     select p.amount_halalas, p.provider, p.own_account from order_payment p
     where p.program_id = $1 and p.order_uuid = $2 and p.state in ('paid', 'authorized')
       and (p.program_id, p.order_uuid) >= ($1, $2) limit 1
   ) p
   left join lateral (
     select true as own from merchant_payment_account a
     where a.program_id = $1 and a.merchant_id = o.merchant_id and a.provider = p.provider
       and (a.program_id, a.merchant_id, a.provider) >= ($1, o.merchant_id, p.provider) limit 1
   ) a on true
   where not coalesce(p.own_account, a.own, false)`,
)

/**
 * Records the money that a provider has collected for an order that is paid now, on the program's account: nothing where it went
 * to an account of the merchant's own, or the merchant collects itself. For a payment of an older version, which does not say to
 * which it went, a merchant who has an account now is taken to have used it.
 */
export function recordCollected(
  { program_id, order_uuid }: OrderKey,
  { money_uuid, booked_at }: Recorded,
  now: Date,
): Statement<never> {
  return collectedText(program_id, order_uuid, money_uuid, booked_at, now)
}

/** A parameter: written into the statement, it would let a partial index be chosen by what is known of the table. */
const collected = 'collected'

const gaveUpText = prepared<never>(
  'money.gave_up',
  `insert into provider_money (program_id, money_uuid, merchant_id, order_uuid, kind, amount_halalas, booked_at, created_at)
   select $1::bigint, $3::uuid, m.merchant_id, $2::uuid, $6, coalesce($7::bigint, m.amount_halalas), coalesce($4::timestamptz, $5::timestamptz), $5::timestamptz
   from (
     select m.merchant_id, m.amount_halalas from provider_money m
     where m.program_id = $1 and m.order_uuid = $2 and m.kind = $8
       and (m.program_id, m.order_uuid) >= ($1, $2) limit 1
   ) m`,
)

/** Records that money collected for an order goes back to its customer. */
export function recordPaidBack(
  { program_id, order_uuid }: OrderKey,
  { money_uuid, booked_at, amount_halalas }: Recorded & { readonly amount_halalas: Halalas },
  now: Date,
): Statement<never> {
  return gaveUpText(program_id, order_uuid, money_uuid, booked_at, now, 'paid_back', amount_halalas, collected)
}

/** Records that a provider does not have what it had collected for an order. */
export function recordMissing(
  { program_id, order_uuid }: OrderKey,
  { money_uuid, booked_at }: Recorded,
  now: Date,
): Statement<never> {
  return gaveUpText(program_id, order_uuid, money_uuid, booked_at, now, 'missing', null, collected)
}
