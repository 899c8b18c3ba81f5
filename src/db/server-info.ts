import type { Database } from './pool.ts'

/** The server and our session. */
export interface ServerInfo {
  /** For example 150004 for 15.4. */
  readonly version_num: number
  /** The role of our session. */
  readonly role: string
  readonly database: string
  readonly writable: boolean
  /** The clock of the server, in milliseconds. */
  readonly now_ms: number
  readonly has_citus: boolean
}

/** The oldest supported major version. */
export const oldest_major = 15

/** Queries the server about itself and our session. */
export async function serverInfo(db: Database): Promise<ServerInfo> {
  const info = await db.one<{
    version: string
    role: string
    database: string
    read_only: string
    now: Date
    has_citus: boolean
  }>({
    text: `select current_setting('server_version_num') as version, current_user::text as role, current_database()::text as database,
      current_setting('transaction_read_only') as read_only, clock_timestamp() as now,
      exists (select from pg_catalog.pg_extension where extname = 'citus') as has_citus`,
    values: [],
  })
  if (info === undefined) throw new Error('the database gave no answer')
  return {
    version_num: Number(info.version),
    role: info.role,
    database: info.database,
    writable: info.read_only === 'off',
    now_ms: info.now.getTime(),
    has_citus: info.has_citus,
  }
}

/** Takes a `version_num`; gives the major version. */
export function majorOf(version_num: number): number {
  return Math.trunc(version_num / 10_000)
}
