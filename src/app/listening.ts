import { type Config, localUrl } from '../config/config.ts'
import { findDataDirectory } from '../config/data-directory.ts'
import { refuseServed } from '../db/open.ts'
import { connectionsWithin, most_connections } from '../http/transport/connections.ts'
import { findFreePort, requirePort } from '../lib/listen.ts'
import { mostOpenFiles } from '../lib/open-files.ts'
import type { Log } from '../observability/log.ts'

/** Replaces port 0 by a free port, so that everything that names the port names the same one. */
export async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await findFreePort(config.host)
  const public_url = config.public_url === localUrl(0) ? localUrl(port) : config.public_url
  return Object.freeze({ ...config, port, public_url })
}

/**
 * Says that a port is taken before anything is made or started for it.
 * @throws CliError; of a data directory that another `serve` uses, DatabaseSetupError
 */
export async function requirePorts(config: Config): Promise<void> {
  const { role, host, port, metrics_host, metrics_port, database_url, data_dir } = config
  try {
    if (role !== 'worker') await requirePort('api', host, port)
    if (metrics_port !== undefined) await requirePort('metrics', metrics_host, metrics_port)
  } catch (error) {
    const dir = database_url === undefined ? await findDataDirectory(data_dir) : undefined
    if (dir !== undefined) await refuseServed(dir)
    throw error
  }
}

/** How many connections of clients this process takes: fewer where it may not have so many files open. */
export function connectionsOf(log: Log): number {
  const open_files = mostOpenFiles()
  const connections = connectionsWithin(open_files)
  if (connections < most_connections)
    log.warn({ open_files, connections }, 'a limit of open files leaves room for few connections of clients')
  return connections
}
