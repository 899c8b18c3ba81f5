import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'

export interface AuditRow {
  readonly program_id: number
  readonly audit_id: Uuid
  readonly source: 'command' | 'dashboard'
  readonly actor: string
  readonly action: string
  readonly object: string
  readonly before: object | null
  readonly after: object | null
  readonly created_at: Date
}

/** Which changes to find. Undefined fields match all. */
export interface AuditFilter {
  /** About one of these. */
  readonly objects?: readonly string[] | undefined
  /** From this id on. */
  readonly from?: Uuid | undefined
}

const columns = 'program_id, audit_id, source, actor, action, object, before, after, created_at'

/** A page of a program's changes: those before an id, the newest first. */
export function findChanges(
  program_id: number,
  { objects, from }: AuditFilter,
  page: { readonly before: Uuid | undefined; readonly size: number },
): Statement<AuditRow> {
  const values = [program_id, from ?? null, page.before ?? null, page.size]
  const within = '($2::uuid is null or audit_id >= $2) and ($3::uuid is null or audit_id < $3)'
  const newest = 'order by audit_id desc limit $4'
  const all = `select ${columns} from audit where program_id = $1 and ${within} ${newest}`
  if (objects === undefined) return { text: all, values }
  // One index scan for each object.
  const text = `select a.* from unnest($5::text[]) as k(object)
    cross join lateral (
      select ${columns} from audit where program_id = $1 and object = k.object and ${within} order by audit_id desc limit $4
    ) a ${newest}`
  return { text, values: [...values, objects] }
}

/** Which changes of a merchant to find. Undefined fields match all. */
export interface MerchantAuditFilter {
  readonly action: string | undefined
  readonly actor: string | undefined
  /** From this id on. */
  readonly from: Uuid | undefined
}

/** What a page of a merchant's changes needs: its rows, how many were looked at for them, and the last of these. */
export interface FoundChanges {
  readonly rows: readonly (Omit<AuditRow, 'created_at' | 'program_id'> & { readonly created_at: string })[]
  readonly looked: number
  readonly last: Uuid | null
}

/**
 * A page of the changes about a merchant: those before an id, the newest first. Changes that are older than the table of
 * merchants are found by their object.
 */
export function findMerchantChanges(
  { program_id, merchant_id }: { readonly program_id: number; readonly merchant_id: number },
  { action, actor, from }: MerchantAuditFilter,
  { before, window, size }: { readonly before: Uuid | undefined; readonly window: number; readonly size: number },
): Statement<FoundChanges> {
  const within = `($4::uuid is null or audit_id >= $4) and ($5::uuid is null or audit_id < $5)
    order by audit_id desc limit $6`
  return {
    text: `with ids as materialized (
        select audit_id from (
          (select audit_id from merchant_audit where program_id = $1 and merchant_id = $2 and ${within})
          union (select audit_id from audit where program_id = $1 and object = $3 and ${within})
        ) i order by audit_id desc limit $6
      ), found as (
        select a.audit_id, a.source, a.actor, a.action, a.object, a.before, a.after, a.created_at
        from ids i join audit a on a.program_id = $1 and a.audit_id = i.audit_id
        where ($7::text is null or a.action = $7) and ($8::text is null or a.actor = $8)
        order by a.audit_id desc limit $9
      )
      select (select count(*) from ids) as looked, (select audit_id from ids order by audit_id limit 1) as last,
        (select coalesce(json_agg(row_to_json(found) order by audit_id desc), '[]') from found) as rows`,
    values: [
      ...[program_id, merchant_id, `merchant:${merchant_id}`],
      ...[from ?? null, before ?? null, window, action ?? null, actor ?? null, size],
    ],
  }
}
