import type { FoundInLog, LogWindow } from '../../db/log-page.ts'
import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'

export interface AuditRow {
  readonly program_id: number
  readonly audit_id: Uuid
  readonly source: 'command' | 'dashboard'
  readonly actor: string
  readonly action: string
  readonly object: string
  /** JSON, as text: its numbers may exceed 2^53. */
  readonly before: string | null
  readonly after: string | null
  readonly created_at: Date
}

/** Which changes to find. Undefined fields match all. */
export interface AuditFilter {
  /** About one of these. */
  readonly objects?: readonly string[] | undefined
  /** From this id on. */
  readonly from?: Uuid | undefined
}

const sides = 'before::text as before, after::text as after'
const columns = `program_id, audit_id, source, actor, action, object, ${sides}, created_at`

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

/** A change as pages of the dashboard list it. */
export type ListedChange = Omit<AuditRow, 'created_at' | 'program_id'> & { readonly created_at: string }

const within = `($2::uuid is null or audit_id >= $2) and ($3::uuid is null or audit_id < $3)
    order by audit_id desc limit $4`

/** Among the changes whose ids `ids` gives, finds those that a filter keeps. */
function filtered(
  program_id: number,
  ids: { readonly text: string; readonly values: readonly unknown[] },
  { action, actor, from }: MerchantAuditFilter,
  { before, window, size }: LogWindow,
): Statement<FoundInLog<ListedChange>> {
  return {
    text: `with ids as materialized (${ids.text}), found as (
        select a.audit_id, a.source, a.actor, a.action, a.object, ${sides}, a.created_at
        from ids i join audit a on a.program_id = $1 and a.audit_id = i.audit_id
        where ($5::text is null or a.action = $5) and ($6::text is null or a.actor = $6)
        order by a.audit_id desc limit $7
      )
      select (select count(*) from ids) as looked, (select audit_id from ids order by audit_id limit 1) as last,
        (select coalesce(json_agg(row_to_json(found) order by audit_id desc), '[]') from found) as rows`,
    values: [program_id, from ?? null, before ?? null, window, action ?? null, actor ?? null, size, ...ids.values],
  }
}

/**
 * A page of the changes about a merchant: those before an id, the newest first. Changes that are older than the table of
 * merchants are found by their object.
 */
export function findMerchantChanges(
  { program_id, merchant_id }: MerchantKey,
  filter: MerchantAuditFilter,
  page: LogWindow,
): Statement<FoundInLog<ListedChange>> {
  const text = `select audit_id from (
      (select audit_id from merchant_audit where program_id = $1 and merchant_id = $8 and ${within})
      union (select audit_id from audit where program_id = $1 and object = $9 and ${within})
    ) i order by audit_id desc limit $4`
  return filtered(program_id, { text, values: [merchant_id, `merchant:${merchant_id}`] }, filter, page)
}

/** A page of the changes of a program, or of the deployment: those before an id, the newest first. */
export function findProgramChanges(
  program_id: number,
  { objects, ...filter }: MerchantAuditFilter & { readonly objects: readonly string[] | undefined },
  page: LogWindow,
): Statement<FoundInLog<ListedChange>> {
  if (objects === undefined) {
    const text = `select audit_id from audit where program_id = $1 and ${within}`
    return filtered(program_id, { text, values: [] }, filter, page)
  }
  // One index scan for each object.
  const text = `select a.audit_id from unnest($8::text[]) as k(object)
    cross join lateral (select audit_id from audit where program_id = $1 and object = k.object and ${within}) a
    order by a.audit_id desc limit $4`
  return filtered(program_id, { text, values: [objects] }, filter, page)
}
