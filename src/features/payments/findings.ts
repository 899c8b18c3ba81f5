import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import { purgeEverywhere } from '../../db/programs.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Actor, changedFields } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Refund } from '../../domain/refund.ts'
import { newUuid } from '../../lib/ids.ts'
import { listPrograms } from '../merchants/programs.ts'
import type { ClaimedTask } from '../orders/payment-task-queries.ts'
import {
  changeFinding,
  countOpenFindings,
  deleteEndedFindings,
  type FindingRow,
  type FindingState,
  findFinding,
  findProgramsWithFindings,
  keepFindings,
  type LockedFinding,
  listFindings,
  lockFinding,
  type NewFinding,
  resolveFindings,
} from './finding-queries.ts'
import type { ToReconcile } from './reconciliation-queries.ts'

/** Findings of the comparison with providers, as they are kept for operators. docs/spec/payments.md#findings */

/** What a provider said is cut here. */
const longest_detail = 500

/** A finding about a payment, ready to be kept. `refund` is that of an order that was reversed. */
export function newFinding(
  payment: ToReconcile,
  { kind, detail }: Pick<NewFinding, 'kind' | 'detail'>,
  refund: Refund | null,
): NewFinding {
  const { merchant_id, order_uuid, payment_uuid, provider, provider_reference, amount_halalas } = payment
  return {
    finding_uuid: newUuid(),
    ...{ merchant_id, order_uuid, payment_uuid, provider, provider_reference, amount_halalas, kind },
    action: refund === null ? 'none' : 'reversed',
    detail: detail.slice(0, longest_detail),
    refund_halalas: refund?.refund_halalas ?? null,
    returned_points: refund?.returned_points ?? null,
    reversed_points: refund?.reversed_points ?? null,
  }
}

/** A task that its provider has refused for good, ready to be kept. docs/spec/payments.md#refused-tasks */
export function findingOfRefused(task: ClaimedTask, known: string | null, error: string | null): NewFinding {
  const { merchant_id, order_uuid, payment_uuid, provider, amount_halalas, kind } = task
  return {
    finding_uuid: newUuid(),
    ...{ merchant_id, order_uuid, payment_uuid, provider, amount_halalas, kind: `${kind}_refused` },
    ...{
      provider_reference: task.provider_reference ?? known,
      action: 'none',
      detail: (error ?? '').slice(0, longest_detail),
    },
    ...{ refund_halalas: null, returned_points: null, reversed_points: null },
  }
}

/** Keeps a finding with the change that was made because of it. */
export function keepFindingIn(tx: Transaction, program_id: number, finding: NewFinding): void {
  void tx.run(keepFindings(program_id, [finding], new Date()))
}

/** Keeps the findings of a page of payments about which nothing is done. */
export async function keepAll(db: Database, program_id: number, findings: readonly NewFinding[]): Promise<void> {
  if (findings.length > 0) await db.run(keepFindings(program_id, findings, new Date()))
}

/** Resolves the findings of all programs that no longer stand. */
export async function resolveAll(db: Database): Promise<void> {
  for (const { program_id } of await db.run(findProgramsWithFindings()))
    await db.run(resolveFindings(program_id, new Date()))
}

/** Deletes findings that ended before an instant by the machine's clock; gives their number. */
export function purgeFindings(db: Database, before: Date, batch?: number): Promise<number> {
  return purgeEverywhere(db, (program_id, count) => deleteEndedFindings(program_id, before, count), batch)
}

/** Open findings are counted up to this. */
const most_counted = 1_000

/** How many findings are open in all programs, up to a thousand of each. */
export interface OpenFindings {
  readonly open: number
  /** How many of them a provider's refusal made. */
  readonly refused: number
}

/** Counts the open findings, for metrics and the health page. */
export async function readOpenFindings(db: Database): Promise<OpenFindings> {
  let [open, refused] = [0, 0]
  for (const { program_id } of await listPrograms(db)) {
    const counted = await db.one(countOpenFindings(program_id, most_counted))
    open += counted?.findings ?? 0
    refused += counted?.refused ?? 0
  }
  return { open, refused }
}

export interface Findings {
  list(
    program_id: number,
    state: FindingState | undefined,
    page: { readonly before: Uuid | undefined; readonly size: number },
  ): Promise<readonly FindingRow[]>
  /** How many are open, up to a thousand. */
  countOpen(program_id: number): Promise<number>
  /**
   * Writes a note on a finding, and marks it as handled or open again. `check` throws if it has changed since it was read.
   * @throws DomainError `not_found`, and what `check` throws
   */
  change(
    of: { readonly program_id: number; readonly finding_uuid: Uuid },
    change: FindingChange,
    by: Actor,
    check?: (was: LockedFinding) => void,
  ): Promise<FindingRow>
}

export interface FindingChange {
  readonly handled?: boolean | undefined
  readonly note?: string | null | undefined
}

export function createFindings(db: Database): Findings {
  return {
    list: (program_id, state, page) => db.run(listFindings(program_id, state, page)),
    async countOpen(program_id) {
      return (await db.one(countOpenFindings(program_id, most_counted)))?.findings ?? 0
    },
    async change(of, change, by, check) {
      const { program_id, finding_uuid } = of
      await db.transaction(async (tx) => {
        const was = await tx.one(lockFinding(program_id, finding_uuid))
        if (was === undefined) throw new DomainError({ kind: 'not_found' })
        check?.(was)
        const note = change.note === undefined ? was.note : change.note
        const state = stateAfter(was.state, change.handled)
        void tx.run(changeFinding(of, { state, note, by: by.name }, new Date()))
        // The note stays with the finding, where an erasure finds it.
        const before = { state: was.state, has_note: was.note !== null }
        const changed = changedFields(before, { state, has_note: note !== null })
        const object = `order:${was.order_uuid}` as const
        audit(tx, by, [{ program_id, merchant_id: was.merchant_id, action: 'findings.set', object, ...changed }])
      })
      const row = await db.one(findFinding(program_id, finding_uuid))
      if (row === undefined) throw new DomainError({ kind: 'not_found' })
      return row
    },
  }
}

function stateAfter(was: FindingState, handled: boolean | undefined): FindingState {
  if (handled === undefined) return was
  return handled ? 'handled' : 'open'
}
