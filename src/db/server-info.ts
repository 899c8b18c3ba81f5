import { isAbsolute } from 'node:path'
import pg from 'pg'
import { DatabaseSetupError } from './failure.ts'
import type { Database, Queryable } from './pool.ts'

/** The server and our session. */
export interface ServerInfo {
  /** For example 150004 for 15.4. */
  readonly version_num: number
  /** The role of our session. */
  readonly role: string
  readonly database: string
  readonly encoding: string
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
    encoding: string
    read_only: string
    now: Date
    has_citus: boolean
  }>({
    text: `select current_setting('server_version_num') as version, current_user::text as role, current_database()::text as database,
      current_setting('server_encoding') as encoding, current_setting('transaction_read_only') as read_only, clock_timestamp() as now,
      exists (select from pg_catalog.pg_extension where extname = 'citus') as has_citus`,
    values: [],
  })
  if (info === undefined) throw new Error('the database gave no answer')
  return {
    version_num: Number(info.version),
    role: info.role,
    database: info.database,
    encoding: info.encoding,
    writable: info.read_only === 'off',
    now_ms: info.now.getTime(),
    has_citus: info.has_citus,
  }
}

/** Takes a `version_num`; gives the major version. */
export function majorOf(version_num: number): number {
  return Math.trunc(version_num / 10_000)
}

/** Others cannot store every name, or count its bytes as characters. */
export const encoding = 'UTF8'
/** What to do about another one, as the end of a sentence. */
export const encodingAdvice = "make one with create database … encoding 'UTF8' template template0."

/** @throws DatabaseSetupError if a database that is to get our tables has another encoding */
export async function requireEncoding(db: Database): Promise<void> {
  const found = await serverInfo(db)
  if (found.encoding === encoding) return
  throw new DatabaseSetupError(
    `The database ${found.database} has the encoding ${found.encoding}, and Nuqta needs ${encoding}: ${encodingAdvice}`,
  )
}

/** The role of a session. */
export interface Role {
  readonly name: string
  /** It may do everything on the server. */
  readonly is_superuser: boolean
  /** It owns the tables. */
  readonly is_owner: boolean
}

/** Queries the role of our session. */
export async function serviceRole(db: Queryable): Promise<Role> {
  const role = await db.one<Role>({
    text: `select current_user::text as name, r.rolsuper as is_superuser,
        exists (select from pg_catalog.pg_class c where c.oid = to_regclass('entry') and c.relowner = r.oid) as is_owner
      from pg_catalog.pg_roles r where r.rolname = current_user`,
    values: [],
  })
  if (role === undefined) throw new Error('the database gave no answer')
  return role
}

/**
 * Gives the host to which a connection string leads without TLS; null with TLS, and for a socket.
 * @param connectionString one that the driver can read
 */
export function hostInTheClear(connectionString: string): string | null {
  const { host, ssl } = new pg.Client({ connectionString })
  return ssl || isAbsolute(host) ? null : host
}
