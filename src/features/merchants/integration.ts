import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import { updateIntegration } from './integration-queries.ts'

/** Sets `integration_active` of a merchant's key and gives it (decisions §11). It never affects authentication. */
export type SetIntegration = (
  owner: { readonly program_id: number; readonly merchant_id: number },
  active: boolean,
  beforeCommit?: BeforeCommit<boolean>,
) => Promise<boolean>

/** The pair was regenerated between two statements: the next try finds the new one. */
class PairReplaced extends Error {}

export function createSetIntegration(db: Database): SetIntegration {
  return (owner, active, beforeCommit) =>
    db.transaction(
      async (tx) => {
        const row = await tx.one(updateIntegration(owner, active))
        if (row === undefined) throw new PairReplaced('the key pair was replaced meanwhile')
        await beforeCommit?.(tx, row.integration_active)
        return row.integration_active
      },
      { retryOn: (error) => error instanceof PairReplaced },
    )
}
