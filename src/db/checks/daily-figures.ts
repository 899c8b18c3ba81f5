import { figures } from '../../domain/activity.ts'
import { type Check, check, rowsOf } from './check.ts'

const day = (at: string): string => `(${at} at time zone 'Asia/Riyadh')::date`
/** New and returning customers follow from the other orders of a customer, which a sum by day does not see. */
const compared = figures.filter((name) => !name.endsWith('_customers'))

/** The right figures of each day, from the orders and refunds that the job has reached. */
const found = `
  select o.merchant_id, ${day('o.paid_at')} as day, count(*) filter (where o.source = 'purchase') as purchases,
    count(*) filter (where o.source in ('product_rating', 'store_rating')) as ratings,
    count(*) filter (where o.type = 2) as checkouts, 0 as refunds, sum(o.total_halalas) as sales_halalas,
    sum(o.redeemed_halalas) as redeemed_halalas, 0 as refunded_halalas, sum(o.earned_points) as issued_points,
    coalesce(sum(o.total_points) filter (where o.type = 2), 0) as redeemed_points, 0 as reversed_points,
    0 as returned_points
  from progress p
  join orders o on o.program_id = $1 and o.paid_at is not null
  left join (
    select e.order_uuid from event e where e.program_id = $1 and e.event_id >= (select counted_to from progress)
      and e.name in ('approved', 'captured')
  ) later on later.order_uuid = o.order_uuid
  where later.order_uuid is null group by 1, 2
  union all
  select o.merchant_id, ${day('r.created_at')}, 0, 0, 0, count(*), 0, 0, sum(r.refund_halalas), 0, 0,
    sum(r.reversed_points), sum(r.returned_points)
  from progress p
  join order_refund r on r.program_id = $1 and r.refund_uuid < p.counted_to
  join orders o on o.program_id = $1 and o.order_uuid = r.order_uuid
  group by 1, 2`

/** The daily figures of merchants. A job makes them again by itself when it finds that rows came late. */
export const dailyFigureChecks: readonly Check[] = [
  check(
    'daily_figures',
    rowsOf('activity_program'),
    `with progress as (
       select generation, counted_to from activity_program where program_id = $1 and generation > 0 and not building
     )
     select merchant_id || ' ' || day as id, 'the figures of this merchant and day are not those of its orders: '
       || concat_ws(', ', ${compared.map((name) => `'${name} differ by ' || nullif(sum(${name}), 0)`).join(', ')}) as detail
     from (
       select d.merchant_id, d.day, ${compared.map((name) => `d.${name}`).join(', ')} from progress p
       join activity_day d on d.program_id = $1 and d.generation = p.generation
       union all
       select merchant_id, day, ${compared.map((name) => `-${name}`).join(', ')} from (${found}) found
     ) d group by merchant_id, day having ${compared.map((name) => `sum(${name}) <> 0`).join(' or ')}`,
  ),
]
