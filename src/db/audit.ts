import { type Actor, type AuditObject, type Change, merchantOfChange } from '../domain/audit.ts'
import { uuidV7Time } from '../domain/ids.ts'
import { newUuid } from '../lib/ids.ts'
import { prepared, type Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const insertText = prepared<never>(
  'audit.insert',
  `insert into audit (program_id, audit_id, source, actor, action, object, before, after, created_at)
   select a.program_id, a.audit_id, $1, $2, a.action, a.object, a.before, a.after, a.created_at
   from unnest($3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::json[], $8::json[], $9::timestamptz[])
     as a(program_id, audit_id, action, object, before, after, created_at)`,
)

const insertOfMerchant = prepared<never>(
  'audit.insert_of_merchant',
  `insert into merchant_audit (program_id, merchant_id, audit_id)
   select a.program_id, a.merchant_id, a.audit_id from unnest($1::bigint[], $2::bigint[], $3::uuid[])
     as a(program_id, merchant_id, audit_id)`,
)

/**
 * Records changes in the caller's transaction, without waiting: an error fails the transaction. Records nothing without
 * an actor, as when the service changes something by itself. docs/spec/operation.md#audit
 */
export function audit(tx: Transaction, by: Actor | undefined, changes: readonly Change[]): void {
  if (by === undefined || changes.length === 0) return
  const ids = changes.map(() => newUuid())
  const json = (side: object | null) => (side === null ? null : JSON.stringify(side))
  // A change by two people names both.
  const { proposed_by } = by
  const withProposer = (after: object | null) => (proposed_by === undefined ? after : { ...after, proposed_by })
  const columns = [
    changes.map(({ program_id }) => program_id),
    ids,
    changes.map(({ action }) => action),
    changes.map(({ object }) => object),
    changes.map(({ before }) => json(before)),
    changes.map(({ after }) => json(withProposer(after))),
    // The machine's clock, also where a sandbox's was moved. The time of the id, so that a range of ids is one of time.
    ids.map((id) => new Date(uuidV7Time(id))),
  ]
  void tx.run(insertText(by.source, by.name, ...columns))
  const rows = changes.flatMap((change, index) => {
    const merchant_id = merchantOfChange(by, change)
    return merchant_id === null ? [] : [{ program_id: change.program_id, merchant_id, audit_id: ids[index] }]
  })
  if (rows.length === 0) return
  const of = (name: 'program_id' | 'merchant_id' | 'audit_id') => rows.map((row) => row[name])
  void tx.run(insertOfMerchant(of('program_id'), of('merchant_id'), of('audit_id')))
}

/**
 * Takes the reasons out of the recorded changes of an object, for an erasure. Needs the rights of the owner: the service
 * only adds changes.
 */
export function eraseReasons(program_id: number, object: AuditObject): Statement<never> {
  return {
    text: `update audit set after = (after::jsonb || '{"reason": null}')::json
      where program_id = $1 and object = $2 and after->>'reason' is not null`,
    values: [program_id, object],
  }
}
