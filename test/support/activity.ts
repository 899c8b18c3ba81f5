import type { Database } from '../../src/db/pool.ts'
import { figures } from '../../src/domain/activity.ts'
import { type CountParts, createCount, grace_ms } from '../../src/features/activity/count.ts'
import type { ProgramSteps } from '../../src/lib/step-loop.ts'

/** A job that counts rows written up to now: its clock is ahead by the grace period. */
export function countOn(db: Database, parts: Partial<CountParts> = {}): ProgramSteps {
  return createCount({ db, retention_days: 90, machine_ms: () => Date.now() + grace_ms, ...parts })
}

/** Takes steps until nothing is left to do. */
export async function countAll(count: ProgramSteps): Promise<void> {
  for (const program_id of await count.programs()) while (await count.step(program_id));
}

/** Rebuilds a program's figures, as if everything had happened an hour ago. */
export async function rebuildAll(db: Database, program_id: number): Promise<void> {
  const later = (): number => Date.now() + 3_600_000
  await countOn(db, { machine_ms: later, retention_days: 0 }).step(program_id)
  await countAll(countOn(db, { machine_ms: later }))
}

/** One day of figures, to compare with those of the job. */
export type FoundDay = Readonly<Record<string, unknown>>

/** The figures that pages show. */
export function daysOf(db: Database, program_id: number): Promise<FoundDay[]> {
  return db.run({
    text: `select d.merchant_id, d.day, ${figures.map((name) => `d.${name}`).join(', ')} from activity_day d
      join activity_program p on p.program_id = d.program_id and p.generation = d.generation
      where d.program_id = $1 and (${figures.map((name) => `d.${name} <> 0`).join(' or ')}) order by d.merchant_id, d.day`,
    values: [program_id],
  })
}

/** The same figures, summed without the job: points from the entries of merchants, the rest from all orders and refunds. */
export function daysFromEntries(db: Database, program_id: number): Promise<FoundDay[]> {
  const day = (at: string): string => `(${at} at time zone 'Asia/Riyadh')::date`
  const points = (kind: string): string => `coalesce(sum(abs(e.amount)) filter (where t.kind = '${kind}'), 0)::bigint`
  return db.run({
    text: `with moved as (
        select a.merchant_id, ${day('t.created_at')} as day, ${points('earn')} as issued_points,
          ${points('post')} as redeemed_points, ${points('reverse')} as reversed_points, ${points('return')} as returned_points
        from transfer t join entry e on e.program_id = $1 and e.transfer_id = t.transfer_id
        join account a on a.program_id = $1 and a.account_id = e.account_id and a.kind = 'merchant'
        where t.program_id = $1 group by 1, 2
      ), paid as (
        select merchant_id, ${day('paid_at')} as day, count(*) filter (where source = 'purchase') as purchases,
          count(*) filter (where source like '%rating') as ratings, count(*) filter (where type = 2) as checkouts,
          sum(total_halalas)::bigint as sales_halalas, sum(redeemed_halalas)::bigint as redeemed_halalas
        from orders where program_id = $1 and paid_at is not null group by 1, 2
      ), refunded as (
        select o.merchant_id, ${day('r.created_at')} as day, count(*) as refunds,
          sum(r.refund_halalas)::bigint as refunded_halalas
        from order_refund r join orders o on o.program_id = $1 and o.order_uuid = r.order_uuid
        where r.program_id = $1 group by 1, 2
      ), came as (
        select merchant_id, ${day('paid_at')} as day, count(*) filter (where visit = 1) as new_customers,
          count(*) filter (where visit = 2) as returning_customers
        from (select merchant_id, paid_at, row_number() over (partition by merchant_id, customer_id order by paid_at) as visit
          from orders where program_id = $1 and paid_at is not null and customer_id is not null) v
        where visit <= 2 group by 1, 2
      )
      select merchant_id, day, ${figures.map((name) => `coalesce(${name}, 0) as ${name}`).join(', ')}
      from moved full join paid using (merchant_id, day) full join refunded using (merchant_id, day)
        full join came using (merchant_id, day) order by merchant_id, day`,
    values: [program_id],
  })
}
