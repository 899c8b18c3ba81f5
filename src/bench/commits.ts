import type { Database } from '../db/pool.ts'

/** What the database has to be started with for `readCommits`. */
export const commitsRecorded = 'track_commit_timestamp = on'

/**
 * When events were committed, in milliseconds, by the database's own record. It is written just before the commit reaches
 * the disk, so what is measured from there is never too short.
 */
export async function readCommits(db: Database, event_ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db.run<{ event_id: string; committed_ms: number }>({
    text: `select event_id, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as committed_ms
      from event where event_id = any($1::uuid[])`,
    values: [event_ids],
  })
  return new Map(rows.map(({ event_id, committed_ms }) => [event_id, committed_ms]))
}

/**
 * Makes deliveries, all due at once, of the events that were written before their merchant had a webhook: a backlog, as
 * after an outage. Gives how many.
 */
export async function makeBacklog(db: Database): Promise<number> {
  const rows = await db.run<{ made: number }>({
    text: `with made as (
        insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series,
          attempts, due_at, created_at)
        select e.program_id, (left(e.event_id::text, 34) || lpad(to_hex(w.slot::integer), 2, '0'))::uuid, e.event_id,
          e.merchant_id, w.webhook_uuid, e.order_uuid, 1, 0, now(), now()
        from event e join webhook w on w.program_id = e.program_id and w.merchant_id = e.merchant_id
        where e.created_at < w.created_at returning 1
      ) select count(*) as made from made`,
    values: [],
  })
  return rows[0]?.made ?? 0
}
