import type { Config } from '../config/config.ts'
import type { DataDirectory } from '../config/data-directory.ts'
import type { Database } from '../db/pool.ts'
import { day_s } from '../domain/spans.ts'
import { countNow } from '../features/activity/count-now.ts'
import { isHistoryWritten, PastClock, writeHistory } from '../features/demo/history.ts'
import { createReadDemoStores } from '../features/demo/stores.ts'
import type { YearWorker } from '../features/demo/year/run-step.ts'
import { replaceSandboxKeys } from '../features/deployment/sandbox.ts'
import { whileAlone } from '../features/deployment/service.ts'
import type { Clock } from '../lib/clock.ts'
import { newSecretText } from '../lib/ids.ts'
import { createSecretBox } from '../lib/secrets.ts'
import { sandboxSms } from '../providers/sms/sandbox.ts'
import { createPaymentProviders } from './ports.ts'
import { createDeps, type ServiceParts } from './services.ts'

/** What a sandbox is given its history with. */
export interface HistoryParts extends ServiceParts {
  /** For how long the deployment keeps events. */
  readonly retention_days: number
}

/**
 * Gives a new sandbox the history of its shops with their figures, or completes what a killed process began. Does nothing
 * later.
 */
export async function completeHistory(db: Database, parts: HistoryParts, now: Date): Promise<void> {
  const stores = await createReadDemoStores(db)()
  if (await isHistoryWritten(db, stores)) return
  const clock = new PastClock(now)
  const { services } = createDeps(db, { ...parts, clock })
  await whileAlone(db, () => writeHistory({ services, db, clock }, stores, now))
  // Otherwise the first page that is opened shows no sales for a minute.
  const program_ids = [...new Set(stores.map(({ program_id }) => program_id))]
  await countNow({ db, retention_days: parts.retention_days }, program_ids)
}

/** More workers than two processors can keep busy, and fewer than the pool has connections. */
export const year_worker_count = 8

/**
 * Makes the workers of a sample year. Each has services with a clock of its own, so events of months ago get the time of then
 * while the deployment's clock stays. No message is sent, and no secret is stored: the key of these services is thrown away.
 */
export function createYearWorkers(db: Database, public_url: string): readonly YearWorker[] {
  return Array.from({ length: year_worker_count }, () => {
    const clock = new PastClock(new Date(0))
    const parts = partsAt(db, clock, public_url)
    const { services } = createDeps(db, { ...parts, checkout_ttl_s: paid_ttl_s })
    return { clock, services: { ...services, openToLeave: createDeps(db, parts).services.openCheckout } }
  })
}

/**
 * A checkout that will be paid lives until after now, however long ago it began. Otherwise the workers of a running service
 * would expire it before it is paid.
 */
const paid_ttl_s = 4 * 366 * day_s

const none = { url: undefined, account: undefined }

function partsAt(db: Database, clock: Clock, public_url: string) {
  const environment = 'sandbox' as const
  const secret_key = newSecretText()
  const settings = { paytabs: none, moyasar: none }
  const secrets = createSecretBox(secret_key)
  return {
    ...{ environment, clock, public_url, secret_key, lock_window_s: 1, checkout_ttl_s: 1_800 },
    payments: createPaymentProviders({ db, clock, secrets, environment, public_url, settings }),
    ...{
      sms: sandboxSms,
      mail: undefined,
      translator: undefined,
      webhook: { allow_loopback: false, resolve: async () => [] },
    },
  }
}

/** Developers read the keys of the first shop of a sandbox from a file. */
export function keepSandboxKeys({ environment }: Config, dir: DataDirectory): ServiceParts['onKeysReplaced'] {
  if (environment !== 'sandbox') return undefined
  return async (before, pair) => {
    await replaceSandboxKeys(dir.sandboxEnv, before, pair)
  }
}
