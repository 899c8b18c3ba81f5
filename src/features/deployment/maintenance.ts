import type { OpenDatabase } from '../../db/pools.ts'
import { makePartitions, purgeMonths } from '../../db/prepare.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../observability/log.ts'
import { purgeMessages } from '../customers/invitations.ts'
import { purgeKeys } from '../idempotency/service.ts'
import { purgeCounters } from '../limits/service.ts'
import { purgeTranslations } from '../orders/shipping.ts'
import { purgeCodes } from '../otp/service.ts'
import { purgeSessions } from '../wallet/session.ts'

const day_ms = 86_400_000
const hour_ms = 3_600_000
const retry_ms = 600_000
/** Not at once: a start has enough to do. */
const first_ms = 60_000

export interface MaintenanceParts {
  readonly open: OpenDatabase
  readonly clock: Clock
  readonly log: Log
  /** How long events, deliveries and text messages are kept. */
  readonly retention_days: number
}

/**
 * Once an hour: forgets Idempotency-Keys, one-time codes, counters of limits, sign-ins, messages and translations whose
 * time is over, so that nobody can leave more of them than an hour brings. Once a day: makes the partitions of the months
 * ahead, and drops those of months that are over and past keeping. The start has just made today's partitions.
 * @returns what ends it
 */
export function startMaintenance(parts: MaintenanceParts): () => void {
  const { log } = parts
  let timer = setTimeout(run, first_ms)
  let stopped = false
  let months_at_ms = Number.NEGATIVE_INFINITY

  function run(): void {
    round().then(
      () => again(hour_ms),
      (error: unknown) => {
        log.warn({ err: error }, 'the maintenance failed and is tried again in ten minutes')
        again(retry_ms)
      },
    )
  }

  async function round(): Promise<void> {
    await purgeExpired(parts)
    if (performance.now() - months_at_ms < day_ms) return
    await changeMonths(parts)
    months_at_ms = performance.now()
  }

  function again(pause_ms: number): void {
    if (!stopped) timer = setTimeout(run, pause_ms)
  }

  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

/** What strangers and customers leave for a while only. */
export async function purgeExpired({
  open: { service },
  clock,
  retention_days,
  now = () => new Date(),
}: Pick<MaintenanceParts, 'clock' | 'retention_days'> & {
  readonly open: Pick<OpenDatabase, 'service'>
  /** The machine's clock. */
  readonly now?: () => Date
}): Promise<void> {
  await purgeKeys(service, clock.now())
  await purgeTranslations(service, clock.now())
  await purgeCodes(service, now())
  await purgeCounters(service, now())
  await purgeSessions(service, now())
  await purgeMessages(service, new Date(now().getTime() - retention_days * day_ms))
}

async function changeMonths({ open, log, retention_days }: MaintenanceParts): Promise<void> {
  const warn = (line: string): void => log.warn(line)
  await makePartitions(open, warn)
  const dropped = await purgeMonths(open, retention_days, warn)
  if (dropped.length > 0) log.info({ dropped }, 'months past keeping are forgotten')
}
