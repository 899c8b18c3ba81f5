import type { Config } from '../config/config.ts'
import type { OpenDatabase } from '../db/open.ts'
import { checkDatabase, checkSecretKey } from './database.ts'
import type { Finding } from './finding.ts'
import { checkCertificate, checkDataDirectory, checkDisk, checkNode, checkUser } from './machine.ts'

/** The keys that a running process has. */
export interface RunningKeys {
  readonly secret_key: string
  readonly secret_key_old?: string | undefined
}

/** What `nuqta doctor` would say of a running process. */
export async function examineRunning(config: Config, open: OpenDatabase, keys: RunningKeys): Promise<Finding[]> {
  const { secret_key, secret_key_old } = keys
  const kept = config.secret_key === undefined ? 'directory' : 'settings'
  return [
    checkNode(),
    checkUser(),
    await checkDataDirectory(config),
    await checkDisk(config),
    ...(await checkDatabase(open, config)),
    await checkSecretKey(open.service, { secret_key, secret_key_old, kept }),
    ...(config.role === 'worker' ? [] : [await checkCertificate(config)]),
  ]
}
