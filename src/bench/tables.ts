import type { Database } from '../db/pool.ts'
import { mebibyte } from '../lib/sizes.ts'

/** What PostgreSQL says of a table, with its partitions. */
export interface TableState {
  /** By command, since the table was made; a dropped partition takes its count away. */
  readonly vacuums: number
  readonly autovacuums: number
  /** Rows that no vacuum has removed yet, as PostgreSQL estimates. */
  readonly dead_rows: number
  readonly table_mb: number
  readonly indexes_mb: number
}

interface Row extends Omit<TableState, 'table_mb' | 'indexes_mb'> {
  readonly name: string
  readonly table_bytes: number
  readonly indexes_bytes: number
  readonly whole_bytes: number
}

/** Reads the state of tables, and how much all of them take, with indexes and all else. */
export async function lookAtTables(
  db: Database,
  names: readonly string[],
): Promise<{ readonly tables: Readonly<Record<string, TableState>>; readonly database_mb: number }> {
  const rows = await db.run<Row>({
    // pg_partition_tree gives no row for a table without partitions.
    text: `select t.name, coalesce(sum(s.vacuum_count), 0)::bigint as vacuums,
        coalesce(sum(s.autovacuum_count), 0)::bigint as autovacuums, coalesce(sum(s.n_dead_tup), 0)::bigint as dead_rows,
        sum(pg_relation_size(p.relid))::bigint as table_bytes, sum(pg_indexes_size(p.relid))::bigint as indexes_bytes,
        sum(pg_total_relation_size(p.relid))::bigint as whole_bytes
      from unnest($1::text[]) with ordinality as t(name, place)
      cross join lateral (
        select t.name::regclass as relid union select relid from pg_partition_tree(t.name::regclass)
      ) as p
      left join pg_stat_user_tables s on s.relid = p.relid
      group by t.name, t.place order by t.place`,
    values: [names],
  })
  const states = rows.map(({ name, vacuums, autovacuums, dead_rows, table_bytes, indexes_bytes }) => {
    const sizes = { table_mb: megabytes(table_bytes), indexes_mb: megabytes(indexes_bytes) }
    return [name, { vacuums, autovacuums, dead_rows, ...sizes }] as const
  })
  return {
    tables: Object.fromEntries(states),
    database_mb: rows.reduce((sum, { whole_bytes }) => sum + whole_bytes / mebibyte, 0),
  }
}

const megabytes = (bytes: number): number => Math.round((bytes / mebibyte) * 100) / 100
