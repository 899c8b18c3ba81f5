import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'

/** The queries of the health page. They read catalogues and indexes of queues, and never scan a large table. */

export interface DatabaseFacts {
  readonly version: string
  readonly bytes: number
  readonly started_at: Date
  readonly connections: number
  readonly most_connections: number
  /** Begin of the oldest open transaction that we may see; null for none. */
  readonly oldest_transaction_at: Date | null
  readonly migration: string | null
  readonly is_cluster: boolean
  readonly standbys: number
  /** How far the slowest standby is behind; null without one, or without the right to see it. */
  readonly standby_lag_s: number | null
  readonly backed_up_at: Date | null
}

// Not pg_stat_activity: that view reads the names of roles, and on a cluster not every role may.
const sessions = `pg_catalog.pg_stat_get_activity(null) a
         where a.datid = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())`

/** Reads the facts of the database from its own catalogues. */
export function readDatabaseFacts(): Statement<DatabaseFacts> {
  return {
    text: `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
        pg_postmaster_start_time() as started_at, current_setting('max_connections')::integer as most_connections,
        (select count(*) from ${sessions}) as connections,
        (select min(xact_start) from ${sessions} and pid <> pg_backend_pid() and backend_type = 'client backend')
          as oldest_transaction_at,
        (select max(name) from schema_migration) as migration,
        exists (select from pg_catalog.pg_extension where extname = 'citus') as is_cluster,
        (select count(*) from pg_catalog.pg_stat_get_wal_senders()) as standbys,
        (select extract(epoch from max(replay_lag))::double precision from pg_catalog.pg_stat_get_wal_senders()) as standby_lag_s,
        (select backed_up_at from deployment where singleton) as backed_up_at`,
    values: [],
  }
}

export interface PartitionFacts {
  readonly table: string
  readonly name: string
  /** As the last ANALYZE has counted; -1 before it. */
  readonly rows: number
  readonly bytes: number
}

/** The monthly partitions of tables, the newest first, with what the catalogue believes of them. */
export function readPartitions(tables: readonly string[], most: number): Statement<PartitionFacts> {
  return {
    text: `select p.relname as table, c.relname as name, c.reltuples::bigint as rows,
        coalesce(pg_total_relation_size(c.oid), 0) as bytes
      from unnest($1::text[]) as t(name)
      join pg_catalog.pg_class p on p.oid = to_regclass(t.name)
      join pg_catalog.pg_inherits i on i.inhparent = p.oid
      join pg_catalog.pg_class c on c.oid = i.inhrelid
      order by c.relname desc limit $2`,
    values: [tables, most],
  }
}

export interface MerchantDeliveries {
  readonly program_id: number
  readonly merchant_id: number
  readonly merchant_name: string
  readonly merchant_name_ar: string | null
  /** Due now, counted to `most` for each webhook. */
  readonly due: number
  readonly oldest_due_at: Date | null
  readonly failed: number
}

/**
 * The merchants of a program whose deliveries wait or have failed: two probes of an index for each webhook. `from` is the
 * lowest id of deliveries that can have failed since `since`.
 */
export function findTroubledMerchants(
  program_id: number,
  { now, since, from }: { readonly now: Date; readonly since: Date; readonly from: Uuid },
  { most, size }: { readonly most: number; readonly size: number },
): Statement<MerchantDeliveries> {
  return {
    text: `select w.program_id, w.merchant_id, m.name as merchant_name, m.name_ar as merchant_name_ar,
        sum(q.due)::bigint as due, min(q.oldest_due_at) as oldest_due_at, sum(f.failed)::bigint as failed
      from webhook w
      cross join lateral (
        select count(*) as due, min(d.due_at) as oldest_due_at from (
          select d.due_at from delivery_queue d
          where d.program_id = $1 and d.webhook_uuid = w.webhook_uuid and d.due_at <= $2
            and (d.program_id, d.webhook_uuid) >= ($1, w.webhook_uuid)
          order by d.due_at limit $5) d
      ) q
      cross join lateral (
        select count(*) filter (where d.ended_at >= $3) as failed from (
          select d.ended_at from delivery d
          where d.program_id = $1 and d.webhook_uuid = w.webhook_uuid and d.state = 'failed' and d.delivery_id >= $4
            and (d.program_id, d.webhook_uuid) <= ($1, w.webhook_uuid)
          order by d.delivery_id desc limit $5) d
      ) f
      join merchant m on m.program_id = $1 and m.merchant_id = w.merchant_id
      where w.program_id = $1
      group by w.program_id, w.merchant_id, m.name, m.name_ar having sum(q.due) > 0 or sum(f.failed) > 0
      order by oldest_due_at nulls last, failed desc, w.merchant_id limit $6`,
    values: [program_id, now, since, from, most, size],
  }
}

/** How many rows a program has in the queue of deliveries, up to `most`: due, under way, or waiting for another attempt. */
export function countWaiting(program_id: number, most: number): Statement<{ waiting: number }> {
  return {
    text: 'select count(*) as waiting from (select from delivery_queue where program_id = $1 limit $2) q',
    values: [program_id, most],
  }
}

/** A program's invitations that are due, counted up to `most`, and when the oldest became so. */
export function countInvitations(
  program_id: number,
  now: Date,
  most: number,
): Statement<{ due: number; oldest_due_at: Date | null }> {
  return {
    text: `select count(*) as due, min(due_at) as oldest_due_at from (
        select due_at from sms_queue where program_id = $1 and state = 'due' and due_at <= $2 order by due_at limit $3) q`,
    values: [program_id, now, most],
  }
}

export interface LastError {
  readonly at: Date
  readonly error: string
}

/** The last error among a program's messages that are still to be sent. */
export function findMessageError(program_id: number): Statement<LastError> {
  return {
    text: `select due_at as at, error from sms_queue
      where program_id = $1 and state = 'due' and error is not null order by due_at desc limit 1`,
    values: [program_id],
  }
}

/** The last error among a program's payment tasks that are still to be done. */
export function findTaskError(program_id: number): Statement<LastError> {
  return {
    text: `select due_at as at, error from payment_task
      where program_id = $1 and state = 'due' and error is not null order by due_at desc limit 1`,
    values: [program_id],
  }
}
