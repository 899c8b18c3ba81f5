import { type Config, localUrl } from '../config/config.ts'
import { findDataDirectory } from '../config/data-directory.ts'
import { refuseServed } from '../db/open.ts'
import { findFreePort, requirePort } from '../lib/listen.ts'

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
