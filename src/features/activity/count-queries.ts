import { prepared, rowsOfLists, type Statement } from '../../db/statement.ts'
import {
  type DayFigures,
  figures,
  largest_sum,
  type MadeRefund,
  type PaidOrder,
  type Visits,
} from '../../domain/activity.ts'
import type { Uuid } from '../../domain/ids.ts'

/** The events of an order that say that it was paid. Each order has one of them, once. */
const paid_events = `('approved', 'captured')`

const orderColumns = `o.merchant_id, o.customer_id, o.source, o.total_halalas, o.redeemed_halalas,
  case o.type when 2 then o.total_points else 0 end as redeemed_points, o.earned_points, o.paid_at`

/** Where a part of at most `$4` events ends that begins at `$2` and ends before `$3`; nothing if it has them all. */
export const findEndOfPart = prepared<{ readonly event_id: Uuid }>(
  'activity.end_of_part',
  `select event_id from event where program_id = $1 and event_id >= $2 and event_id < $3
     and (program_id, event_id) >= ($1, $2)
   order by event_id offset $4 limit 1`,
)

/** An event of any name, with its order if the event says that it was paid. */
export type EventOfOrder = { readonly event_id: Uuid } & (PaidOrder | { readonly merchant_id: null })

/** The events from `$2` up to, but not including, `$3`. */
export const findEvents = prepared<EventOfOrder>(
  'activity.events',
  `select e.event_id, o.* from event e
   left join lateral (
     select ${orderColumns} from orders o
     where e.name in ${paid_events} and o.program_id = $1 and o.order_uuid = e.order_uuid
       and (o.program_id, o.order_uuid) >= ($1, e.order_uuid) limit 1
   ) o on true
   where e.program_id = $1 and e.event_id >= $2 and e.event_id < $3 and (e.program_id, e.event_id) >= ($1, $2)`,
)

const refundColumns = 'o.merchant_id, r.refund_halalas, r.reversed_points, r.returned_points, r.created_at'
const ordersOfRefunds = `cross join lateral (
     select o.merchant_id from orders o where o.program_id = $1 and o.order_uuid = r.order_uuid
       and (o.program_id, o.order_uuid) >= ($1, r.order_uuid) limit 1
   ) o`

/** The refunds from `$2` up to, but not including, `$3`. */
export const findRefunds = prepared<MadeRefund>(
  'activity.refunds',
  `select ${refundColumns} from order_refund r ${ordersOfRefunds}
   where r.program_id = $1 and r.refund_uuid >= $2 and r.refund_uuid < $3 and (r.program_id, r.refund_uuid) >= ($1, $2)`,
)

/** An order, with whether it was paid before the cut. */
export type OrderToBuild = PaidOrder & { readonly order_uuid: Uuid; readonly is_counted: boolean }

/** The `$4` orders after `$2`. An order is not counted if the event that says that it was paid is not before `$3`. */
export const findOrdersToBuild = prepared<OrderToBuild>(
  'activity.orders_to_build',
  `select o.order_uuid, ${orderColumns}, o.paid_at is not null and not exists (
     select from event e where e.program_id = $1 and e.order_uuid = o.order_uuid and e.event_id >= $3
       and e.name in ${paid_events} and (e.program_id, e.order_uuid) >= ($1, o.order_uuid)
   ) as is_counted
   from orders o where o.program_id = $1 and o.order_uuid > $2
     and (o.program_id, o.order_uuid) > ($1, $2) order by o.order_uuid limit $4`,
)

/** The `$4` refunds after `$2` and before `$3`. */
export const findRefundsToBuild = prepared<MadeRefund & { readonly refund_uuid: Uuid }>(
  'activity.refunds_to_build',
  `select r.refund_uuid, ${refundColumns}
   from (select * from order_refund r where r.program_id = $1 and r.refund_uuid > $2 and r.refund_uuid < $3
       and (r.program_id, r.refund_uuid) > ($1, $2)
     order by r.refund_uuid limit $4) r ${ordersOfRefunds} order by r.refund_uuid`,
)

/** The sums of visits are texts: they may exceed 2^53. */
export type VisitsRow = Omit<Visits, VisitSum> & Readonly<Record<VisitSum, string>>
export const visitSums = ['sales_halalas', 'earned_points', 'redeemed_points'] as const
type VisitSum = (typeof visitSums)[number]

const findVisitsText = prepared<VisitsRow>(
  'activity.visits',
  `select c.merchant_id, c.customer_id, c.orders, c.first_at, c.second_at, c.last_at,
     c.sales_halalas::text as sales_halalas, c.earned_points::text as earned_points, c.redeemed_points::text as redeemed_points
   from ${rowsOfLists('$3::bigint[], $4::uuid[]', 'k(merchant_id, customer_id)')}
   cross join lateral (
     select * from merchant_customer c where c.program_id = $1 and c.generation = $2 and c.merchant_id = k.merchant_id
       and c.customer_id = k.customer_id
       and (c.program_id, c.generation, c.merchant_id, c.customer_id) >= ($1, $2, k.merchant_id, k.customer_id) limit 1
   ) c`,
)

export interface Generation {
  readonly program_id: number
  readonly generation: number
}

/** What is known of these customers of merchants. */
export function findVisits(
  { program_id, generation }: Generation,
  keys: readonly { readonly merchant_id: number; readonly customer_id: Uuid }[],
): Statement<VisitsRow> {
  return findVisitsText(
    ...[program_id, generation],
    keys.map(({ merchant_id }) => merchant_id),
    keys.map(({ customer_id }) => customer_id),
  )
}

const visitColumns = {
  merchant_id: 'bigint',
  customer_id: 'uuid',
  orders: 'bigint',
  first_at: 'timestamptz',
  second_at: 'timestamptz',
  last_at: 'timestamptz',
  sales_halalas: 'bigint',
  earned_points: 'bigint',
  redeemed_points: 'bigint',
} as const satisfies Record<keyof Visits, string>
const visitNames = Object.keys(visitColumns) as readonly (keyof Visits)[]

const writeVisitsText = prepared<never>(
  'activity.write_visits',
  `insert into merchant_customer (program_id, generation, ${visitNames.join(', ')})
   select $1::bigint, $2::integer, v.* from unnest(${visitNames.map((name, n) => `$${n + 3}::${visitColumns[name]}[]`).join(', ')})
     as v(${visitNames.join(', ')})
   on conflict (program_id, generation, merchant_id, customer_id) do update set
     ${visitNames
       .slice(2)
       .map((name) => `${name} = excluded.${name}`)
       .join(', ')}`,
)

/** Writes what is now known of customers of merchants. */
export function writeVisits({ program_id, generation }: Generation, visits: readonly Visits[]): Statement<never> {
  return writeVisitsText(program_id, generation, ...visitNames.map((name) => visits.map((one) => one[name])))
}

const addDaysText = prepared<never>(
  'activity.add_days',
  `insert into activity_day (program_id, generation, merchant_id, day, ${figures.join(', ')})
   select $1::bigint, $2::integer, d.* from unnest($3::bigint[], $4::date[], ${figures.map((_, n) => `$${n + 5}::bigint[]`).join(', ')})
     as d(merchant_id, day, ${figures.join(', ')})
   on conflict (program_id, generation, merchant_id, day) do update set
     ${figures.map((name) => `${name} = least(activity_day.${name}::numeric + excluded.${name}, ${largest_sum})::bigint`).join(', ')}`,
)

/** Adds to the figures of days. */
export function addDays({ program_id, generation }: Generation, days: readonly DayFigures[]): Statement<never> {
  return addDaysText(
    ...[program_id, generation],
    days.map(({ merchant_id }) => merchant_id),
    days.map(({ day }) => day),
    ...figures.map((name) => days.map((day) => String(day[name]))),
  )
}

/** Deletes at most `$3` days of generations before `$2`. */
export const deleteOldDays = prepared<{ readonly day: string }>(
  'activity.delete_days',
  `delete from activity_day d using (
     select generation, merchant_id, day from activity_day where program_id = $1 and generation < $2
     order by generation, merchant_id, day limit $3
   ) old
   where d.program_id = $1 and d.generation = old.generation and d.merchant_id = old.merchant_id and d.day = old.day
   returning d.day`,
)

/** Deletes at most `$3` customers of merchants of generations before `$2`. */
export const deleteOldVisits = prepared<{ readonly customer_id: Uuid }>(
  'activity.delete_visits',
  `delete from merchant_customer c using (
     select generation, merchant_id, customer_id from merchant_customer where program_id = $1 and generation < $2
     order by generation, merchant_id, customer_id limit $3
   ) old
   where c.program_id = $1 and c.generation = old.generation and c.merchant_id = old.merchant_id
     and c.customer_id = old.customer_id
   returning c.customer_id`,
)
