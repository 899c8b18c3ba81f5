import { prepared, rowsOfLists, type Statement } from '../../db/statement.ts'
import type { EarningSource } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { Halalas } from '../../domain/money.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'

/** A customer with the wallet. */
export interface CustomerAtMerchant {
  readonly customer_id: Uuid
  /** Null once the customer is erased or merged. */
  readonly phone: Phone | null
  readonly name: string | null
  readonly status: 'invited' | 'active'
  readonly created_at: Date
  readonly activated_at: Date | null
  readonly erased_at: Date | null
  readonly posted: Points
  readonly held: Points
  /** The customer into whom this one was merged. */
  readonly merged_into: Uuid | null
}

const columns = `c.customer_id, c.phone, c.name, c.status, c.created_at, c.activated_at, c.erased_at, a.posted, a.held,
     a.merged_into`
const wallet = `cross join lateral (
     select a.posted, a.held, a.merged_into from account a where a.program_id = $1 and a.account_id = c.customer_id
       and (a.program_id, a.account_id) >= ($1, c.customer_id) limit 1
   ) a`

const findByIdsText = prepared<CustomerAtMerchant>(
  'staff.customers',
  `select ${columns} from ${rowsOfLists('$2::uuid[]', 'k(customer_id)')}
   cross join lateral (
     select c.* from customer c where c.program_id = $1 and c.customer_id = k.customer_id
       and (c.program_id, c.customer_id) >= ($1, k.customer_id) limit 1
   ) c ${wallet}`,
)

/** Customers with their wallets, in no order. */
export function findByIds(program_id: number, customer_ids: readonly Uuid[]): Statement<CustomerAtMerchant> {
  return findByIdsText(program_id, customer_ids)
}

/** The id of the customer of a phone. */
export const findIdOfPhone = prepared<{ readonly customer_id: Uuid }>(
  'staff.customer_of_phone',
  `select c.customer_id from customer c where c.program_id = $1 and c.phone = $2
     and (c.program_id, c.phone) >= ($1, $2) limit 1`,
)

/** The most orders of a customer that are looked through for one at the merchant. */
const most_orders = 2_000

const isKnownText = prepared<{ readonly known: boolean }>(
  'staff.known_customer',
  `select exists (
       select from (
         select o.merchant_id from orders o
         where o.program_id = $1 and o.customer_id = $3 and o.customer_id is not null
           and (o.program_id, o.customer_id) <= ($1, $3)
         order by o.program_id desc, o.customer_id desc, (o.order_uuid::text) collate "C" desc limit ${most_orders}
       ) o where o.merchant_id = $2
     ) or exists (
       select from pending_earning p
       where p.program_id = $1 and p.customer_id = $3 and p.order_uuid is null and p.merchant_id is not distinct from $2
         and (p.program_id, p.customer_id) >= ($1, $3)
     ) or (
       select count(*) from (select from merchant m where m.program_id = $1 order by m.merchant_id limit 2) m
     ) = 1 as known`,
)

/** Whether a customer has dealt with a merchant, or the program has no other merchant. */
export function isKnown({ program_id, merchant_id }: MerchantKey, customer_id: Uuid): Statement<{ known: boolean }> {
  return isKnownText(program_id, merchant_id, customer_id)
}

/** An earning that waits until its customer joins. */
export interface PendingEarning {
  readonly pending_uuid: Uuid
  readonly source: EarningSource
  readonly order_number: string
  readonly total_halalas: Halalas
  readonly total_points: Points
  readonly created_at: Date
}

const findPendingText = prepared<PendingEarning>(
  'staff.pending',
  `select p.pending_uuid, p.source, p.order_number, p.total_halalas, p.total_points, p.created_at
   from (
     select p.* from pending_earning p
     where p.program_id = $1 and p.customer_id = $3 and p.order_uuid is null and p.merchant_id is not distinct from $2
       and (p.program_id, p.customer_id) >= ($1, $3)
     offset 0
   ) p
   order by p.pending_uuid desc limit $4`,
)

/** A customer's waiting earnings at one merchant, the newest first. */
export function findPending(
  { program_id, merchant_id }: MerchantKey,
  customer_id: Uuid,
  limit: number,
): Statement<PendingEarning> {
  return findPendingText(program_id, merchant_id, customer_id, limit)
}

/** A consent to a version of the terms. */
export interface GivenConsent {
  readonly terms_version: string
  readonly locale: Locale
  readonly source: 'checkout' | 'wallet'
  readonly created_at: Date
}

const findConsentText = prepared<GivenConsent>(
  'staff.consent',
  `select s.terms_version, s.locale, s.source, s.created_at from consent s
   where s.program_id = $1 and s.customer_id = $2 and (s.program_id, s.customer_id) >= ($1, $2)
   order by s.created_at desc limit 1`,
)

/** The last consent of a customer. */
export function findConsent(program_id: number, customer_id: Uuid): Statement<GivenConsent> {
  return findConsentText(program_id, customer_id)
}
