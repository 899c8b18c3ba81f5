import { prepared, type Statement } from '../../db/statement.ts'
import type { MerchantKey } from '../../domain/merchant.ts'

/** What a merchant has done so far, each by a look at one entry of an index. */
export interface Done {
  /** When some earning was made; not the first one. */
  readonly earning_at: Date | null
  readonly webhook_at: Date | null
  /** Some delivery that arrived: one of the newest, if any of them did. */
  readonly delivered_at: Date | null
  readonly opened_at: Date | null
  readonly logo_at: Date | null
}

/** Most merchants' last deliveries arrived. Only for the others the query reads many, from both ends. */
const few = 100
const many = 5_000

/** One delivery that arrived, among that many from one end of the merchant's deliveries. */
function delivered(direction: 'asc' | 'desc', most: number): string {
  const order = ['program_id', 'merchant_id', 'delivery_id'].map((name) => `d.${name} ${direction}`).join(', ')
  return `(select d.ended_at from (
        select d.ended_at, d.state from delivery d where d.program_id = $1 and d.merchant_id = $2
        order by ${order} limit ${most}
      ) d where d.state = 'delivered' limit 1)`
}

const findDoneText = prepared<Done>(
  'activity.done',
  `select
     (select o.created_at from orders o
      where o.program_id = $1 and o.merchant_id = $2 and o.source = 'purchase' and o.type = 1
      order by o.program_id, o.merchant_id, o.source, o.order_number limit 1) as earning_at,
     (select w.created_at from webhook w where w.program_id = $1 and w.merchant_id = $2
      order by w.program_id, w.merchant_id, w.slot limit 1) as webhook_at,
     coalesce(${delivered('desc', few)}, ${delivered('desc', many)}, ${delivered('asc', many)}) as delivered_at,
     -- A type above 1, for the indexes of type 2 alone have other keys.
     (select o.created_at from orders o where o.program_id = $1 and -o.merchant_id = -$2::bigint and o.type > 1
      order by o.program_id, -o.merchant_id, o.type, o.order_status, o.created_at, (o.order_uuid::text) collate "C" limit 1) as opened_at,
     (select l.created_at from merchant_logo l where l.program_id = $1 and l.merchant_id = $2
      order by l.program_id, l.merchant_id limit 1) as logo_at`,
)

/** Answers every question of the checklist that the daily figures do not. */
export function findDone({ program_id, merchant_id }: MerchantKey): Statement<Done> {
  return findDoneText(program_id, merchant_id)
}
