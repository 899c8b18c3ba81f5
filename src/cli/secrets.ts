import { CommandRefused } from '../command-refused.ts'
import type { Config } from '../config.ts'
import type { DataDirectory } from '../data-directory.ts'
import { createSecretBox, ensureSecretKey, type SecretBox } from '../secrets.ts'

/**
 * What seals and opens the secrets that a deployment stores.
 * @throws CommandRefused where the service's key is neither in the settings nor in a data directory here
 */
export async function secretsOf(config: Config, dir: DataDirectory | undefined): Promise<SecretBox> {
  if (config.secret_key !== undefined) return createSecretBox(config.secret_key)
  if (config.database_url !== undefined || dir === undefined)
    throw new CommandRefused('Set NUQTA_SECRET_KEY to what the service has: it seals the secrets that are stored.')
  return createSecretBox(await ensureSecretKey(dir.secretKey))
}
