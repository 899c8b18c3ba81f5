import { figures } from '../../domain/activity.ts'
import { type Check, check, rowsOf } from './check.ts'

const day = (at: string): string => `(${at} at time zone 'Asia/Riyadh')::date`

/** What the job has reached: the generation that pages show, what is kept of customers in it, and its paid orders. */
const reached = `progress as (
       select generation, counted_to from activity_program where program_id = $1 and generation > 0 and not building
     ), kept as (
       select c.* from progress p join merchant_customer c on c.program_id = $1 and c.generation = p.generation
     ), paid as (
       select o.merchant_id, o.customer_id, o.type, o.source, o.paid_at, o.total_halalas, o.redeemed_halalas, o.earned_points, o.total_points
       from progress p
       join orders o on o.program_id = $1 and o.paid_at is not null
       left join (
         select e.order_uuid from event e where e.program_id = $1 and e.event_id >= (select counted_to from progress)
           and e.name in ('approved', 'captured')
       ) later on later.order_uuid = o.order_uuid
       where later.order_uuid is null
     )`

/** What is kept of the customers of a merchant. */
const keptOf = ['orders', 'first_at', 'second_at', 'last_at', 'sales_halalas', 'earned_points', 'redeemed_points']

/** SQL for all figures: 0 but for those that are given. */
const only = (given: Readonly<Partial<Record<(typeof figures)[number], string>>>): string =>
  figures.map((name) => `${given[name] ?? '0'} as ${name}`).join(', ')

/**
 * The right figures of each day, from the orders and refunds that the job has reached, and from what is kept of customers,
 * which has a check of its own.
 */
const found = `
  select merchant_id, ${day('paid_at')} as day, ${only({
    purchases: `count(*) filter (where source = 'purchase')`,
    ratings: `count(*) filter (where source in ('product_rating', 'store_rating'))`,
    checkouts: 'count(*) filter (where type = 2)',
    sales_halalas: 'sum(total_halalas)',
    redeemed_halalas: 'sum(redeemed_halalas)',
    issued_points: 'sum(earned_points)',
    redeemed_points: 'coalesce(sum(total_points) filter (where type = 2), 0)',
  })} from paid group by 1, 2
  union all
  select merchant_id, ${day('first_at')}, ${only({ new_customers: 'count(*)' })} from kept group by 1, 2
  union all
  select merchant_id, ${day('second_at')}, ${only({ returning_customers: 'count(*)' })} from kept
  where second_at is not null group by 1, 2
  union all
  select o.merchant_id, ${day('r.created_at')}, ${only({
    refunds: 'count(*)',
    refunded_halalas: 'sum(r.refund_halalas)',
    reversed_points: 'sum(r.reversed_points)',
    returned_points: 'sum(r.returned_points)',
  })}
  from progress p
  join order_refund r on r.program_id = $1 and r.refund_uuid < p.counted_to
  join orders o on o.program_id = $1 and o.order_uuid = r.order_uuid
  group by 1, 2`

/** The daily figures of merchants. A job makes them again by itself when it finds that rows came late. */
export const dailyFigureChecks: readonly Check[] = [
  check(
    'daily_figures',
    rowsOf('activity_program'),
    `with ${reached}
     select merchant_id || ' ' || day as id, 'the figures of this merchant and day are not those of its orders: '
       || concat_ws(', ', ${figures.map((name) => `'${name} differ by ' || nullif(sum(${name}), 0)`).join(', ')}) as detail
     from (
       select d.merchant_id, d.day, ${figures.map((name) => `d.${name}`).join(', ')} from progress p
       join activity_day d on d.program_id = $1 and d.generation = p.generation
       union all
       select merchant_id, day, ${figures.map((name) => `-${name}`).join(', ')} from (${found}) found
     ) d group by merchant_id, day having ${figures.map((name) => `sum(${name}) <> 0`).join(' or ')}`,
  ),
  check(
    'customer_figures',
    rowsOf('activity_program'),
    `with ${reached}, visits as (
       select merchant_id, customer_id, count(*) as orders, min(paid_at) as first_at,
         (array_agg(paid_at order by paid_at))[2] as second_at, max(paid_at) as last_at, sum(total_halalas) as sales_halalas,
         sum(earned_points) as earned_points, sum(case type when 2 then total_points else 0 end) as redeemed_points
       from paid where customer_id is not null group by 1, 2
     )
     select coalesce(v.customer_id, c.customer_id) as id, 'what is kept of this customer of the merchant '
       || coalesce(v.merchant_id, c.merchant_id) || ' does not come from its ' || coalesce(v.orders, 0) || ' orders' as detail
     from visits v full join kept c on c.merchant_id = v.merchant_id and c.customer_id = v.customer_id
     where (${keptOf.map((name) => `v.${name}`).join(', ')}) is distinct from (${keptOf.map((name) => `c.${name}`).join(', ')})`,
  ),
]
