import type { Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import { newUuid } from '../../lib/ids.ts'
import { deleteOldRuns, insertRun, type NewRun, type RunKind, type RunRow } from './run-queries.ts'

/** Runs of a program that are kept. */
export const most_kept = 20

interface Beginning {
  readonly program_id: number
  readonly kind: RunKind
  readonly merchant_id: number | undefined
  readonly until_at: Date
  readonly by: Actor
}

/** A run that somebody who is signed in asks for, or confirms. */
export function runOf({ program_id, kind, merchant_id, until_at, by }: Beginning): NewRun {
  const asker = { asked_by: by.name, asked_uuid: by.staff_uuid ?? null, proposed_by: by.proposed_by ?? null }
  return { program_id, run_uuid: newUuid(), kind, merchant_id: merchant_id ?? null, until_at, ...asker }
}

/** Writes a run in the caller's transaction. @throws DomainError `settlement_running` */
export async function beginRun(tx: Transaction, run: NewRun): Promise<RunRow> {
  const begun = await tx.one(insertRun(run, new Date()))
  if (begun === undefined) throw new DomainError({ kind: 'settlement_running' })
  void tx.run(deleteOldRuns(run.program_id, most_kept))
  return begun
}
