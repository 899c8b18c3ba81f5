import type { TestDatabase } from './database.ts'

/** The rows of the audit log about an object, the oldest first. */
export function auditOf({ db }: TestDatabase, object: string): Promise<Record<string, unknown>[]> {
  return db.run<Record<string, unknown>>({
    text: 'select source, actor, action, before, after from audit where object = $1 order by audit_id',
    values: [object],
  })
}
