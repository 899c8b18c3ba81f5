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
