import type { Database } from './pool.ts'
import type { Runnable, Statement } from './statement.ts'

/**
 * Gives the SQL that lists the programs with rows for background work, which then goes program by program. It reads
 * `account` instead of `program`, because on a cluster the account lies with the rows of its program, and `program`
 * does not. It costs one index probe per program.
 * @param condition a `select` from a table distributed by `program_id`, for the program `p.program_id`
 */
export function programsWith(condition: string): string {
  return `select p.program_id from account p where p.kind = 'program' and exists (${condition}) order by p.program_id`
}

/** Gives the numbers of all programs, in order. */
export function allPrograms(): Statement<{ program_id: number }> {
  return { text: 'select program_id from program order by program_id', values: [] }
}

/**
 * Deletes expired rows, program by program and in batches, so that transactions stay short.
 * @param deletion takes a program and a number of rows; gives the statement that deletes at most that many and returns
 * them
 * @returns the number of deleted rows
 */
export async function purgeEverywhere(
  db: Database,
  deletion: (program_id: number, count: number) => Runnable<unknown>,
  batch = 5_000,
): Promise<number> {
  let deleted = 0
  for (const { program_id } of await db.run(allPrograms()))
    deleted += await purge(db, (count) => deletion(program_id, count), batch)
  return deleted
}

/** The same for rows of one program, or of the whole deployment. */
export async function purge(
  db: Database,
  deletion: (count: number) => Runnable<unknown>,
  batch = 5_000,
): Promise<number> {
  let [deleted, count] = [0, batch]
  while (count === batch) {
    count = (await db.run(deletion(batch))).length
    deleted += count
  }
  return deleted
}
