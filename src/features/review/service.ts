import type { Environment } from '../../config/config.ts'
import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { MerchantDocument } from '../../domain/merchant-review.ts'
import { documents } from '../../domain/merchant-review.ts'
import type { Clock } from '../../lib/clock.ts'
import { lockMerchant, type MerchantChanges, type MerchantRow } from '../merchants/queries.ts'
import { addNamedMerchant, findMerchantById, type MadeMerchant, setMerchant } from '../merchants/service.ts'
import { resumeMerchant, suspendMerchant } from '../merchants/suspension.ts'
import { type DocumentRow, findDocuments, findNote, type NoteRow, writeDocument, writeNote } from './queries.ts'

/** How operators take merchants in, look after them, and stop them. docs/spec/operation.md#merchants */

export interface ReviewedMerchant {
  readonly merchant: MerchantRow
  readonly note: NoteRow | undefined
  /** Every paper, in the order of the checklist. */
  readonly documents: readonly DocumentRow[]
}

export interface StandingChange {
  readonly changes: MerchantChanges
  readonly key_status: boolean | undefined
}

interface How<Result> {
  readonly by: Actor
  readonly keep?: BeforeCommit<Result> | undefined
}

type Check<Was> = (was: Was) => void

export interface MerchantReview {
  create(
    names: { readonly program_id: number; readonly name: string; readonly name_ar: string | null },
    how: How<MadeMerchant>,
  ): Promise<MadeMerchant>
  read(merchant: MerchantKey): Promise<ReviewedMerchant>
  /** `check` runs under the merchant's lock. */
  change(merchant: MerchantKey, change: StandingChange, by: Actor, check: Check<MerchantRow>): Promise<void>
  writeNote(merchant: MerchantKey, note: string, by: Actor, check: Check<NoteRow | undefined>): Promise<void>
  tick(
    merchant: MerchantKey,
    paper: { readonly document: MerchantDocument; readonly seen: boolean; readonly note: string | null | undefined },
    by: Actor,
  ): Promise<void>
  suspend(
    merchant: MerchantKey,
    why: { readonly reason: string; readonly keys_off: boolean },
    how: How<MerchantRow>,
  ): Promise<MerchantRow>
  resume(merchant: MerchantKey, keys_on: boolean, how: How<MerchantRow>): Promise<MerchantRow>
}

interface Parts {
  readonly db: Database
  readonly clock: Clock
  readonly environment: Environment
}

export function createMerchantReview({ db, clock, environment }: Parts): MerchantReview {
  return {
    create: (names, { by, keep }) => addNamedMerchant(db, { ...names, environment, now: clock.now(), by, keep }),
    async read(owner) {
      const [merchant, note, rows] = await Promise.all([
        findMerchantById(db, owner.merchant_id),
        db.one(findNote(owner)),
        db.run(findDocuments(owner)),
      ])
      return { merchant, note, documents: documents.map((document) => documentOf(rows, document)) }
    },
    async change(owner, { changes, key_status }, by, check) {
      const before = async (_: Transaction, was: MerchantRow) => check(was)
      await setMerchant(db, owner, { environment, now: clock.now(), changes, key_status, by, before })
    },
    writeNote: (owner, note, by, check) =>
      db.transaction(async (tx) => {
        await tx.run(lockMerchant(owner))
        check(await tx.one(findNote(owner)))
        void tx.run(writeNote(owner, { note, changed_by: by.name, changed_at: clock.now() }))
        // Leave the note out: the merchant reads the audit log too.
        record(tx, owner, by, { action: 'merchant.note', before: null, after: null })
      }),
    tick: (owner, { document, seen, note }, by) =>
      db.transaction(async (tx) => {
        await tx.run(lockMerchant(owner))
        const was = documentOf(await tx.run(findDocuments(owner)), document)
        const stays = was.seen_at !== null && seen
        const tick = stays ? was : seen ? { seen_by: by.name, seen_at: clock.now() } : { seen_by: null, seen_at: null }
        const text = note === undefined ? was.note : (note ?? '')
        void tx.run(writeDocument(owner, { document, note: text, seen_by: tick.seen_by, seen_at: tick.seen_at }))
        const side = (isSeen: boolean) => ({ document, seen: isSeen })
        record(tx, owner, by, { action: 'merchant.document', before: side(was.seen_at !== null), after: side(seen) })
      }),
    suspend: (owner, why, how) => suspendMerchant(db, owner, { ...why, ...how, now: clock.now() }),
    resume: (owner, keys_on, how) => resumeMerchant(db, owner, { keys_on, ...how, now: clock.now() }),
  }
}

function documentOf(rows: readonly DocumentRow[], document: MerchantDocument): DocumentRow {
  return rows.find((row) => row.document === document) ?? { document, note: '', seen_by: null, seen_at: null }
}

function record(
  tx: Transaction,
  { program_id, merchant_id }: MerchantKey,
  by: Actor,
  change: {
    readonly action: 'merchant.note' | 'merchant.document'
    readonly before: object | null
    readonly after: object | null
  },
): void {
  audit(tx, by, [{ program_id, object: `merchant:${merchant_id}`, ...change }])
}
