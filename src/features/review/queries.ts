import type { Statement } from '../../db/statement.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { MerchantDocument } from '../../domain/merchant-review.ts'

export interface NoteRow {
  readonly note: string
  readonly changed_by: string
  readonly changed_at: Date
}

/** What operators wrote about a merchant. */
export function findNote({ program_id, merchant_id }: MerchantKey): Statement<NoteRow> {
  return {
    text: 'select note, changed_by, changed_at from merchant_note where program_id = $1 and merchant_id = $2',
    values: [program_id, merchant_id],
  }
}

export function writeNote({ program_id, merchant_id }: MerchantKey, row: NoteRow): Statement<never> {
  return {
    text: `insert into merchant_note (program_id, merchant_id, note, changed_by, changed_at) values ($1, $2, $3, $4, $5)
      on conflict (program_id, merchant_id) do update
        set note = excluded.note, changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
    values: [program_id, merchant_id, row.note, row.changed_by, row.changed_at],
  }
}

export interface DocumentRow {
  readonly document: MerchantDocument
  readonly note: string
  /** Null for one that was not seen, or no longer counts. */
  readonly seen_by: string | null
  readonly seen_at: Date | null
}

/** The papers of a merchant that somebody has ticked, or made a note on. */
export function findDocuments({ program_id, merchant_id }: MerchantKey): Statement<DocumentRow> {
  return {
    text: `select document, note, seen_by, seen_at from merchant_document
      where program_id = $1 and merchant_id = $2 order by document`,
    values: [program_id, merchant_id],
  }
}

export function writeDocument({ program_id, merchant_id }: MerchantKey, row: DocumentRow): Statement<never> {
  return {
    text: `insert into merchant_document (program_id, merchant_id, document, note, seen_by, seen_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (program_id, merchant_id, document) do update
        set note = excluded.note, seen_by = excluded.seen_by, seen_at = excluded.seen_at`,
    values: [program_id, merchant_id, row.document, row.note, row.seen_by, row.seen_at],
  }
}
