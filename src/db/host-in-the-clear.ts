import { isAbsolute } from 'node:path'
import pg from 'pg'

/**
 * Gives the host to which a connection string leads without TLS; null with TLS, and for a socket.
 * @param connectionString one that the driver can read
 */
export function hostInTheClear(connectionString: string): string | null {
  const { host, ssl } = new pg.Client({ connectionString })
  return ssl || isAbsolute(host) ? null : host
}
