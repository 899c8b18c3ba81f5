import pg from 'pg'
import { DatabaseSetupError } from './failure.ts'
import type { Database, Queryable } from './pool.ts'
import type { Transaction } from './transaction.ts'

/**
 * A restore has steps after the commit of its rows. Until they are done, the table of migrations has a comment that says so: it
 * needs no column, which an older schema would lack.
 */
const restoring = 'restoring the backup of '
/** The comment after these steps: the database is used as any other, but its ledger is not verified yet. */
const unverified = 'nobody has verified the backup of '

/** Gives the instant of the backup whose rows are loaded, while the steps after them are not all done. */
export const findUnfinishedRestore = (db: Database): Promise<string | null> => findNote(db, restoring)

/** Gives the instant of the backup that is restored, while its ledger is not verified. */
export const findUnverifiedRestore = (tx: Transaction): Promise<string | null> => findNote(tx, unverified)

async function findNote(db: Queryable, begins: string): Promise<string | null> {
  const found = await db.one<{ comment: string | null }>({
    text: `select obj_description(to_regclass('schema_migration'), 'pg_class') as comment`,
    values: [],
  })
  const comment = found?.comment ?? ''
  return comment.startsWith(begins) ? comment.slice(begins.length) : null
}

/** Notes, with the rows of a backup, that the steps after them are to be done. */
export function beginRestore(tx: Transaction, created_at: string): Promise<void> {
  return tx.script(`comment on table schema_migration is ${pg.escapeLiteral(restoring + created_at)}`)
}

/** Notes that they are done, and that the ledger is to be verified. */
export function endRestore(owner: Database, created_at: string): Promise<void> {
  return owner.script(`comment on table schema_migration is ${pg.escapeLiteral(unverified + created_at)}`)
}

/** Notes that the ledger of a restored backup is verified, whatever that found. */
export function noteVerified(owner: Database): Promise<void> {
  return owner.script('comment on table schema_migration is null')
}

/** Throws a DatabaseSetupError while a restore is not finished: due refunds, for example, could be made twice. */
export async function refuseUnfinishedRestore(db: Database): Promise<void> {
  const created_at = await findUnfinishedRestore(db)
  if (created_at !== null) throw new DatabaseSetupError(`${describeUnfinished(created_at)}: ${unfinishedAdvice}`)
}

export const unfinishedAdvice = 'run nuqta restore again with the same file, which goes on where it ended.'

/** Gives a sentence without its full stop. */
export const describeUnfinished = (created_at: string): string =>
  `The backup of ${created_at} is not restored to the end in this database`
