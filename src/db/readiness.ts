/** A database is ready if it accepts a write within this time. */
export const readiness_ms = 2_000
/** How long an answer is reused: any number of probes cost one write per second. */
const fresh_ms = 1_000

/**
 * Makes the readiness check of the service: the database is reachable and accepts writes.
 * @param now a monotonic clock in milliseconds
 * @returns a function that can be called at any rate; at most one probe runs at a time
 */
export function createReadiness(
  db: { isWritable(): Promise<boolean> },
  now: () => number = () => performance.now(),
): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined
  let answered_ms: number | undefined
  return () => {
    const isOld = answered_ms !== undefined && now() - answered_ms >= fresh_ms
    if (asked !== undefined && !isOld) return asked
    answered_ms = undefined
    asked = db.isWritable().finally(() => {
      answered_ms = now()
    })
    return asked
  }
}

/**
 * Gives the SQL of a transaction that writes to the WAL, by the update of a row, and to the disk of the tables, by a
 * temporary file. The row alone proves nothing: a full disk refuses new pages, and the row stays on its page.
 * @returns several statements in one text; the answer to the last one is COMMIT if all succeed
 */
export function writeProbe(now: Date): string {
  // 10,000 numbers take some 400 kB, so this work_mem spills to a file.
  return `begin; set local work_mem = '64kB'; select count(*) from generate_series(1, 10000);
    insert into write_probe (singleton, probed_at) values (true, '${now.toISOString()}')
    on conflict (singleton) do update set probed_at = excluded.probed_at; commit`
}
