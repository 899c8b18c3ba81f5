/**
 * One transaction that writes as an order does: to the log, by the update of a row, and to the disk of the tables, by a
 * temporary file. The row alone is no proof: it stays on the page that it has, and a full disk refuses new ones.
 * @returns several statements in one text; the last one is answered COMMIT when all went well
 */
export function writeProbe(now: Date): string {
  // 10,000 numbers take some 400 kB, far more than this work_mem holds.
  return `begin; set local work_mem = '64kB'; select count(*) from generate_series(1, 10000);
    insert into write_probe (singleton, probed_at) values (true, '${now.toISOString()}')
    on conflict (singleton) do update set probed_at = excluded.probed_at; commit`
}
