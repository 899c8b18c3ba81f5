import { prepared, type Statement } from '../../db/statement.ts'
import { last_uuid, type Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { OrderState } from '../../domain/order.ts'
import type { Points } from '../../domain/points.ts'

/** An order that settlements leave out, with its merchant. */
export interface DisputeRow {
  readonly order_uuid: Uuid
  readonly excluded_at: Date
  /** Null once an erasure has taken it. */
  readonly reason: string | null
  readonly merchant_id: number
  readonly merchant_name: string
  readonly merchant_name_ar: string | null
  readonly order_number: string
  readonly order_status: OrderState
  readonly type: 1 | 2
  readonly total_halalas: Halalas
  readonly total_points: Points
}

/** Where a page of the list goes on. */
export interface DisputePlace {
  readonly at: Date
  readonly order_uuid: Uuid
}

const columns = `x.order_uuid, x.excluded_at, x.reason, x.merchant_id, m.name as merchant_name, m.name_ar as merchant_name_ar,
     o.order_number, o.order_status, o.type, o.total_halalas, o.total_points`

/** The disputes that `exclusions` gives, with their orders and merchants. */
const withOrders = (exclusions: string): string =>
  `select ${columns} from (${exclusions}) x
   cross join lateral (
     select o.* from orders o where o.program_id = $1 and o.order_uuid = x.order_uuid
       and (o.program_id, o.order_uuid) >= ($1, x.order_uuid) limit 1
   ) o
   cross join lateral (
     select m.name, m.name_ar from merchant m where m.program_id = $1 and m.merchant_id = x.merchant_id
       and (m.program_id, m.merchant_id) >= ($1, x.merchant_id) limit 1
   ) m
   order by x.excluded_at desc, x.order_uuid desc`

const findDisputesText = prepared<DisputeRow>(
  'settlement.disputes',
  withOrders(`
     select x.* from settlement_exclusion x
     where x.program_id = $1 and x.included_at is null and (x.program_id, x.excluded_at, x.order_uuid) < ($1, $2::timestamptz, $3::uuid)
     order by x.program_id desc, x.excluded_at desc, x.order_uuid desc limit $4
   `),
)

/**
 * All of a merchant's are read by its index and then sorted: people leave orders out, so they are few. Of what is still left out
 * there is an index too, which has those of the whole program.
 */
const findDisputesOfText = prepared<DisputeRow>(
  'settlement.disputes_of',
  withOrders(`
     select x.* from (
       select x.* from settlement_exclusion x where x.program_id = $1 and x.merchant_id = $5
         and (x.program_id, x.merchant_id) >= ($1, $5) offset 0
     ) x
     where x.included_at is null and (x.excluded_at, x.order_uuid) < ($2::timestamptz, $3::uuid)
     order by x.excluded_at desc, x.order_uuid desc limit $4
   `),
)

/** Orders that settlements leave out, of a program or of one of its merchants, before a place, the newest first. */
export function findDisputes(
  { program_id, merchant_id }: { readonly program_id: number; readonly merchant_id?: number | undefined },
  before: DisputePlace | null,
  limit: number,
): Statement<DisputeRow> {
  const [at, order_uuid] = [before?.at ?? 'infinity', before?.order_uuid ?? last_uuid]
  return merchant_id === undefined
    ? findDisputesText(program_id, at, order_uuid, limit)
    : findDisputesOfText(program_id, at, order_uuid, limit, merchant_id)
}
