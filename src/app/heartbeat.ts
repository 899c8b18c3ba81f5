import { hostname } from 'node:os'
import type { Config } from '../config/config.ts'
import type { OpenDatabase } from '../db/open.ts'
import { checkDatabase, checkSecretKey } from '../doctor/database.ts'
import type { Finding } from '../doctor/finding.ts'
import { checkCertificate, checkDataDirectory, checkDisk, checkNode, checkUser } from '../doctor/machine.ts'
import { followClock } from '../features/deployment/clock.ts'
import { type HeartbeatParts, startHeartbeat } from '../features/deployment/processes.ts'
import type { OffsetClock } from '../lib/clock.ts'
import type { Disposer } from '../lib/disposer.ts'
import { serviceVersion } from '../lib/version.ts'
import type { ServiceParts } from './services.ts'

interface Parts extends Pick<HeartbeatParts, 'jobs' | 'certificateEnd' | 'certificateDigest' | 'port'> {
  readonly open: OpenDatabase
  readonly keys: Pick<ServiceParts, 'secret_key' | 'secret_key_old'>
  readonly clock: OffsetClock
}

/** Says every few seconds that this process runs, and how it does. In a sandbox it also follows the clock, and says so. */
export async function beginHeartbeat(
  config: Config,
  { open, keys, clock, ...beats }: Parts,
  disposer: Disposer,
): Promise<void> {
  const db = open.service
  const isSandbox = config.environment === 'sandbox'
  const about = { role: config.role, version: serviceVersion(), host: hostname(), pid: process.pid }
  const examine = () => examineProcess(config, open, keys)
  const { beat, stop } = startHeartbeat({ ...beats, db, about, examine, ...(isSandbox ? { clock } : {}) })
  disposer.add(stop)
  // Whoever moves the clock waits for the processes that have said that they run.
  await beat()
  if (isSandbox) disposer.add(followClock(db, clock, beat))
}

/** What `nuqta doctor` would say of this process while it runs. */
async function examineProcess(config: Config, open: OpenDatabase, keys: Parts['keys']): Promise<Finding[]> {
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
