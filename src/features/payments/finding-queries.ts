import { programsWith } from '../../db/programs.ts'
import { columnsOf, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import { type PaymentTaskKind, refusedTaskFindings } from '../../domain/payment.ts'
import type { Judgement } from '../../domain/payment-result.ts'

export type FindingState = 'open' | 'handled' | 'resolved'
export type FindingKind = Exclude<Judgement, 'right'> | `${PaymentTaskKind}_refused`

/** A finding of one run, or a task that was refused, to be kept. */
export interface NewFinding {
  readonly finding_uuid: Uuid
  readonly merchant_id: number
  readonly order_uuid: Uuid
  readonly payment_uuid: Uuid
  readonly provider: string
  readonly provider_reference: string | null
  readonly amount_halalas: Halalas
  readonly kind: FindingKind
  readonly action: 'reversed' | 'none'
  readonly detail: string
  readonly refund_halalas: Halalas | null
  readonly returned_points: number | null
  readonly reversed_points: number | null
}

/** SQL: the findings that a refusal makes, in the text: a cluster allows no parameters here but the inserted values. */
const refusals = refusedTaskFindings.map((kind) => `'${kind}'`).join(', ')

/**
 * Keeps findings. One that is known is only seen again; one that had resolved itself is open once more. What an operator
 * has handled stays so, unless a provider has refused another task: each refusal is a new one, and those of refunds that nobody
 * has handled add up.
 */
export function keepFindings(program_id: number, findings: readonly NewFinding[], now: Date): Statement<never> {
  return {
    text: `insert into reconciliation_finding as f (program_id, finding_uuid, merchant_id, order_uuid, payment_uuid, provider,
        provider_reference, amount_halalas, kind, action, detail, refund_halalas, returned_points, reversed_points,
        found_at, seen_at)
      select $1::bigint, k.*, $2::timestamptz, $2::timestamptz from unnest($3::uuid[], $4::bigint[], $5::uuid[], $6::uuid[],
        $7::text[], $8::text[], $9::bigint[], $10::text[], $11::text[], $12::text[], $13::bigint[], $14::bigint[], $15::bigint[])
        as k(finding_uuid, merchant_id, order_uuid, payment_uuid, provider, provider_reference, amount_halalas, kind, action,
          detail, refund_halalas, returned_points, reversed_points)
      order by k.payment_uuid, k.kind
      on conflict (program_id, payment_uuid, kind) do update set detail = excluded.detail, times = f.times + 1,
        seen_at = excluded.seen_at, action = excluded.action, refund_halalas = excluded.refund_halalas,
        returned_points = excluded.returned_points, reversed_points = excluded.reversed_points,
        amount_halalas = case when f.kind = 'refund_refused' and f.state = 'open' then f.amount_halalas + excluded.amount_halalas
          else excluded.amount_halalas end,
        state = case when f.state = 'handled' and f.kind not in (${refusals}) then 'handled' else 'open' end,
        ended_at = case when f.state = 'handled' and f.kind not in (${refusals}) then f.ended_at end`,
    values: [
      ...[program_id, now],
      ...columnsOf(findings, 'finding_uuid', 'merchant_id', 'order_uuid', 'payment_uuid', 'provider'),
      ...columnsOf(findings, 'provider_reference', 'amount_halalas', 'kind', 'action', 'detail'),
      ...columnsOf(findings, 'refund_halalas', 'returned_points', 'reversed_points'),
    ],
  }
}

/** Programs with open findings about which nothing was done. */
export function findProgramsWithFindings(): Statement<{ program_id: number }> {
  return {
    text: programsWith(
      `select from reconciliation_finding f where f.program_id = p.program_id and f.state = 'open' and f.action = 'none'`,
    ),
    values: [],
  }
}

/**
 * Resolves open findings whose payment agrees now, has failed, or has gone back. A refusal to give back, void or refund is
 * resolved only by another request; a refused capture also by a reversal of its order.
 */
export function resolveFindings(program_id: number, now: Date): Statement<never> {
  return {
    text: `update reconciliation_finding f set state = 'resolved', ended_at = $2
      from order_payment p
      where f.program_id = $1 and f.state = 'open' and f.action = 'none'
        and p.program_id = $1 and p.payment_uuid = f.payment_uuid
        and ((f.kind not in (${refusals}) or f.kind = 'capture_refused')
            and (p.reconciled_at is not null or p.state not in ('authorized', 'paid'))
          or f.kind in (${refusals}) and not exists (
            select from payment_task t where t.program_id = $1 and t.payment_uuid = f.payment_uuid
              and t.kind || '_refused' = f.kind and t.state = 'refused'))`,
    values: [program_id, now],
  }
}

export interface FindingRow extends NewFinding {
  readonly merchant_name: string
  readonly merchant_name_ar: string | null
  readonly order_number: string
  readonly reference_number: string
  readonly order_status: string
  readonly state: FindingState
  readonly note: string | null
  readonly changed_by: string | null
  readonly changed_at: Date | null
  readonly times: number
  readonly found_at: Date
  readonly seen_at: Date
  readonly ended_at: Date | null
}

const shown = `f.finding_uuid, f.merchant_id, m.name as merchant_name, m.name_ar as merchant_name_ar, f.order_uuid,
  o.order_number, o.reference_number, o.order_status, f.payment_uuid, f.provider, f.provider_reference, f.amount_halalas, f.kind, f.action, f.detail,
  f.refund_halalas, f.returned_points, f.reversed_points, f.state, f.note, f.changed_by, f.changed_at, f.times, f.found_at,
  f.seen_at, f.ended_at`

const named = `join orders o on o.program_id = $1 and o.order_uuid = f.order_uuid
      join merchant m on m.program_id = $1 and m.merchant_id = f.merchant_id`

/** A page of a program's findings: those before an id, the newest first. */
export function listFindings(
  program_id: number,
  state: FindingState | undefined,
  page: { readonly before: Uuid | undefined; readonly size: number },
): Statement<FindingRow> {
  // A condition on the state only where there is one, so that either index gives the order.
  const wanted = state === undefined ? '' : 'and f.state = $4'
  return {
    text: `select ${shown} from (
        select f.* from reconciliation_finding f
        where f.program_id = $1 and ($2::uuid is null or f.finding_uuid < $2) ${wanted}
        order by f.finding_uuid desc limit $3
      ) f ${named} order by f.finding_uuid desc`,
    values: [program_id, page.before ?? null, page.size, ...(state === undefined ? [] : [state])],
  }
}

/** One finding. */
export function findFinding(program_id: number, finding_uuid: Uuid): Statement<FindingRow> {
  return {
    text: `select ${shown} from reconciliation_finding f ${named} where f.program_id = $1 and f.finding_uuid = $2`,
    values: [program_id, finding_uuid],
  }
}

export type LockedFinding = Pick<FindingRow, 'state' | 'note' | 'amount_halalas' | 'order_uuid' | 'merchant_id'>

/** Locks a finding until the transaction ends. */
export function lockFinding(program_id: number, finding_uuid: Uuid): Statement<LockedFinding> {
  return {
    text: `select state, note, amount_halalas, order_uuid, merchant_id from reconciliation_finding
      where program_id = $1 and finding_uuid = $2 for no key update`,
    values: [program_id, finding_uuid],
  }
}

/** What an operator makes of a locked finding. */
export function changeFinding(
  { program_id, finding_uuid }: { readonly program_id: number; readonly finding_uuid: Uuid },
  { state, note, by }: { readonly state: FindingState; readonly note: string | null; readonly by: string },
  now: Date,
): Statement<never> {
  return {
    text: `update reconciliation_finding set state = $3, note = $4, changed_by = $5, changed_at = $6,
        ended_at = case when $3 = 'open' then null else coalesce(ended_at, $6) end
      where program_id = $1 and finding_uuid = $2`,
    values: [program_id, finding_uuid, state, note, by, now],
  }
}

/** How many open findings a program has, up to `most`, and how many of them are tasks that a provider refused. */
export function countOpenFindings(program_id: number, most: number): Statement<{ findings: number; refused: number }> {
  return {
    text: `select count(*) as findings, count(*) filter (where open.kind in (${refusals})) as refused from (
        select kind from reconciliation_finding where program_id = $1 and state = 'open' limit $2) open`,
    values: [program_id, most],
  }
}

/** Deletes up to `count` findings of a program that ended before `before`, and were not found since. */
export function deleteEndedFindings(
  program_id: number,
  before: Date,
  count: number,
): Statement<{ finding_uuid: Uuid }> {
  return {
    text: `delete from reconciliation_finding where program_id = $1 and finding_uuid in (
        select finding_uuid from reconciliation_finding where program_id = $1 and ended_at < $2 and seen_at < $2
        order by ended_at limit $3
      ) and ended_at < $2 and seen_at < $2 returning finding_uuid`,
    values: [program_id, before, count],
  }
}
