import { openDataDirectory } from '../config/data-directory.ts'
import { attachEmbedded, type EmbeddedConnection } from '../db/embedded.ts'
import { Database } from '../db/pool.ts'
import { hour_ms } from '../domain/spans.ts'

/** A connection to the database of a bench's server. */
export interface BenchDatabase {
  readonly connection: EmbeddedConnection
  readonly db: Database
  /** Runs a script that the service's own role may not run. */
  asOwner(script: string): Promise<void>
  /** Works as the owner of the tables. */
  withOwner<T>(work: (owner: Database) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Writing millions of rows takes long. */
const query_timeout_ms = hour_ms

/** Connects to the database that a bench's server runs. */
export async function openBenchDatabase({ data_dir }: { readonly data_dir: string }): Promise<BenchDatabase> {
  const embedded = await attachEmbedded(await openDataDirectory(data_dir))
  if (embedded === null) throw new Error('the database of the bench is not there')
  const connection = embedded.connection('service')
  const db = new Database(connection, { size: 1 })
  const withOwner: BenchDatabase['withOwner'] = (work) => {
    const owner = new Database(embedded.connection('owner'), { size: 1, query_timeout_ms })
    return work(owner).finally(() => owner.close())
  }
  return {
    connection,
    db,
    asOwner: (script) => withOwner((owner) => owner.script(script)),
    withOwner,
    async close() {
      await db.close()
      await embedded.stop()
    },
  }
}

/** The version of a database server, like `PostgreSQL 18.1`. */
export async function serverVersion(db: Database): Promise<string> {
  const row = await db.one<{ server_version: string }>({ text: 'show server_version', values: [] })
  return `PostgreSQL ${row?.server_version ?? ''}`
}

/** The setting of PostgreSQL that `readCommits` needs. */
export const commitsRecorded = 'track_commit_timestamp = on'

/**
 * Reads when events were committed, in milliseconds, from the database's own record. PostgreSQL records the time just
 * before the commit reaches the disk, so a latency measured from it is never too short.
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
 * Makes a backlog as after an outage: deliveries, all due at once, of the events older than their merchant's webhook.
 * @returns how many
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
