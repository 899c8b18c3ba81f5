import { folded } from '../../db/folded.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import { type Figures, figures, sums, type Visits } from '../../domain/activity.ts'
import type { Day } from '../../domain/day.ts'
import { last_uuid, type Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'

/** The generation that pages show. */
const shown = '(select p.generation from activity_program p where p.program_id = $1)'

type Sum = (typeof sums)[number]
/** Sums are texts: they may exceed 2^53. */
export type DayRow = Omit<Figures, Sum> & Readonly<Record<Sum, string>> & { readonly day: Day }

const isSum = (name: string): boolean => sums.some((sum) => sum === name)

const findDaysText = prepared<DayRow>(
  'activity.days',
  `select d.day, ${figures.map((name) => (isSum(name) ? `d.${name}::text as ${name}` : `d.${name}`)).join(', ')} from activity_day d
   where d.program_id = $1 and d.generation = ${shown} and d.merchant_id = $2 and d.day >= $3::date and d.day <= $4::date
     and (d.program_id, d.generation, d.merchant_id) >= ($1, ${shown}, $2)
   order by d.day`,
)

/** A merchant's figures from one day to another, without days on which nothing happened. */
export function findDays(
  { program_id, merchant_id }: MerchantKey,
  { from, to }: { readonly from: Day; readonly to: Day },
): Statement<DayRow> {
  return findDaysText(program_id, merchant_id, from, to)
}

const findProgramDaysText = prepared<DayRow>(
  'activity.program_days',
  `select d.day, ${figures.map((name) => `sum(d.${name})::${isSum(name) ? 'text' : 'bigint'} as ${name}`).join(', ')} from activity_day d
   where d.program_id = $1 and d.generation = ${shown} and d.day >= $2::date and d.day <= $3::date
   group by d.day order by d.day`,
)

/** The figures of all merchants of a program together, from one day to another, without days on which nothing happened. */
export function findProgramDays(
  program_id: number,
  { from, to }: { readonly from: Day; readonly to: Day },
): Statement<DayRow> {
  return findProgramDaysText(program_id, from, to)
}

export interface WalletTotals {
  /** Without those who were erased, or whose numbers were given up in a merge. */
  readonly customers: number
  /** Texts, because they may exceed a bigint. Held points are among the posted ones. */
  readonly posted: string
  readonly held: string
}

/** What all wallets of a program hold. It reads each of them. */
export const sumWallets = prepared<WalletTotals>(
  'activity.wallets',
  `select count(*) filter (where merged_into is null and erased_at is null) as customers,
     coalesce(sum(posted), 0)::text as posted, coalesce(sum(held), 0)::text as held
   from account where program_id = $1 and kind = 'customer'`,
)

const findBalanceText = prepared<{ readonly points: string }>(
  'activity.balance',
  `select coalesce(sum(d.issued_points - d.reversed_points - d.redeemed_points + d.returned_points), 0)::text as points
   from activity_day d where d.program_id = $1 and d.generation = ${shown} and d.merchant_id = $2
     and (d.program_id, d.generation, d.merchant_id) >= ($1, ${shown}, $2)`,
)

/** The points that a merchant has ever issued, less those redeemed there. A text, because it may exceed a bigint. */
export function findBalance({ program_id, merchant_id }: MerchantKey): Statement<{ readonly points: string }> {
  return findBalanceText(program_id, merchant_id)
}

export interface Freshness {
  /** 0 before the first figures are complete. */
  readonly generation: number
  readonly building: boolean
  readonly counted_to: Uuid
  /** True if events wait to be added. */
  readonly is_behind: boolean
}

/** How fresh a program's figures are: whether there are events before `$2` that are not in them. */
export const findFreshness = prepared<Freshness>(
  'activity.freshness',
  `select a.generation, a.building, a.counted_to,
     exists (select from event e where e.program_id = $1 and e.event_id >= a.counted_to and e.event_id < $2
       and (e.program_id, e.event_id) >= ($1, a.counted_to)) as is_behind
   from activity_program a where a.program_id = $1`,
)

/** A figure that says when something happened first. */
export type FirstOf = 'purchases' | 'checkouts' | 'refunds'

const findFirstDaysText = prepared<Readonly<Record<FirstOf, Day | null>>>(
  'activity.first_days',
  `select ${(['purchases', 'checkouts', 'refunds'] as const)
    .map(
      (name) => `(select d.day from activity_day d
     where d.program_id = $1 and d.generation = ${shown} and d.merchant_id = $2 and d.${name} > 0
       and (d.program_id, d.generation, d.merchant_id) >= ($1, ${shown}, $2)
     order by d.program_id, d.generation, d.merchant_id, d.day limit 1) as ${name}`,
    )
    .join(', ')}`,
)

/** The first days on which a merchant had a purchase, a paid checkout and a refund. */
export function findFirstDays({ program_id, merchant_id }: MerchantKey): Statement<Record<FirstOf, Day | null>> {
  return findFirstDaysText(program_id, merchant_id)
}

/** Where a page of customers goes on. */
export interface CustomerCursor {
  readonly last_at: Date
  readonly customer_id: Uuid
}

/** A text, because it may exceed 2^53. */
type Sales = { readonly sales_halalas: string }
export type MerchantCustomer = Pick<Visits, 'customer_id' | 'orders' | 'first_at' | 'last_at'> & Sales

const visitColumns = 'c.customer_id, c.orders, c.first_at, c.last_at, c.sales_halalas::text as sales_halalas'

const findMerchantCustomersText = prepared<MerchantCustomer>(
  'activity.customers',
  `select ${visitColumns} from merchant_customer c
   where c.program_id = $1 and c.generation = ${shown} and c.merchant_id = $2
     and (c.last_at, (c.customer_id::text) collate "C") < ($3, $4::text)
   order by c.last_at desc, (c.customer_id::text) collate "C" desc limit $5`,
)

/** The paid orders of one customer at a merchant, or nothing. */
export const findVisitsOf = prepared<MerchantCustomer>(
  'activity.visits_of',
  `select ${visitColumns} from merchant_customer c
   where c.program_id = $1 and c.generation = ${shown} and c.merchant_id = $2 and c.customer_id = $3
     and (c.program_id, c.generation, c.merchant_id, c.customer_id) >= ($1, ${shown}, $2, $3) limit 1`,
)

/** How many of a merchant's customers a search for a name looks at. */
export const most_looked_at = 5_000

const findCustomersNamedText = prepared<MerchantCustomer>(
  'activity.customers_named',
  `select ${visitColumns} from (
     select ${visitColumns} from merchant_customer c
     where c.program_id = $1 and c.generation = ${shown} and c.merchant_id = $2
     order by c.last_at desc, (c.customer_id::text) collate "C" desc limit ${most_looked_at}
   ) c
   cross join lateral (
     select n.name from customer n where n.program_id = $1 and n.customer_id = c.customer_id
       and (n.program_id, n.customer_id) >= ($1, c.customer_id) limit 1
   ) n
   where position(${folded('$3')} in ${folded('n.name')}) > 0
   order by c.last_at desc, (c.customer_id::text) collate "C" desc limit $4`,
)

/** Among the customers who came last, finds those whose names contain a text. docs/decisions/0045-dashboard-at-work.md */
export function findCustomersNamed(
  { program_id, merchant_id }: MerchantKey,
  name: string,
  limit: number,
): Statement<MerchantCustomer> {
  return findCustomersNamedText(program_id, merchant_id, name, limit)
}

const end_of_time = new Date('9999-12-31T00:00:00Z')

/** A merchant's customers with paid orders, who came last first. `before` is the last one of the page before. */
export function findMerchantCustomers(
  { program_id, merchant_id }: MerchantKey,
  { before, limit }: { readonly before: CustomerCursor | null; readonly limit: number },
): Statement<MerchantCustomer> {
  const { last_at, customer_id } = before ?? { last_at: end_of_time, customer_id: last_uuid }
  return findMerchantCustomersText(program_id, merchant_id, last_at, customer_id, limit)
}
