import { prepared, type Statement } from '../../db/statement.ts'
import type { MerchantKey } from './queries.ts'

/** What a merchant has done so far, each by a look at one entry of an index. */
export interface Done {
  /** When some earning was made; not the first one. */
  readonly earning_at: Date | null
  readonly webhook_at: Date | null
  /** The last of the newest deliveries that succeeded. */
  readonly delivered_at: Date | null
  readonly opened_at: Date | null
  readonly logo_at: Date | null
}

const findDoneText = prepared<Done>(
  'activity.done',
  `select
     (select o.created_at from orders o
      where o.program_id = $1 and o.merchant_id = $2 and o.source = 'purchase' and o.type = 1
      order by o.program_id, o.merchant_id, o.source, o.order_number limit 1) as earning_at,
     (select w.created_at from webhook w where w.program_id = $1 and w.merchant_id = $2
      order by w.program_id, w.merchant_id, w.slot limit 1) as webhook_at,
     (select d.ended_at from (
        select d.ended_at, d.state from delivery d where d.program_id = $1 and d.merchant_id = $2
        order by d.program_id desc, d.merchant_id desc, d.delivery_id desc limit 100
      ) d where d.state = 'delivered' limit 1) as delivered_at,
     (select s.created_at from checkout_session s
      where s.program_id = $1 and s.merchant_id = $2 and s.state = 'open' and s.proven_at is null and s.kept_at is null
      order by s.program_id, s.merchant_id, s.expires_at, s.session_uuid limit 1) as opened_at,
     (select l.created_at from merchant_logo l where l.program_id = $1 and l.merchant_id = $2
      order by l.program_id, l.merchant_id limit 1) as logo_at`,
)

/** Answers every question of the checklist that the daily figures do not. */
export function findDone({ program_id, merchant_id }: MerchantKey): Statement<Done> {
  return findDoneText(program_id, merchant_id)
}
