import type { Database } from './pool.ts'
import type { Runnable } from './statement.ts'

/**
 * Deletes what is past keeping, program by program and a batch at a time, so that no transaction becomes long.
 * @param deletion gives, for a program and a number of rows, the statement that deletes up to so many and returns them
 * @returns how many rows
 */
export async function purgeEverywhere(
  db: Database,
  deletion: (program_id: number, count: number) => Runnable<unknown>,
  batch = 5_000,
): Promise<number> {
  let forgotten = 0
  const programs = { text: 'select program_id from program order by program_id', values: [] }
  for (const { program_id } of await db.run<{ program_id: number }>(programs)) {
    let gone = batch
    while (gone === batch) {
      gone = (await db.run(deletion(program_id, batch))).length
      forgotten += gone
    }
  }
  return forgotten
}
