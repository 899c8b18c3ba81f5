import type { OpenDatabase } from '../../db/open.ts'
import { makePartitions, purgeMonths } from '../../db/prepare.ts'
import { before, day_ms, hour_ms, minute_ms } from '../../domain/spans.ts'
import type { Clock } from '../../lib/clock.ts'
import { takeEveryStep } from '../../lib/errors.ts'
import type { JobRecord } from '../../lib/job-book.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import type { Log } from '../../observability/log.ts'
import { purgeMessages } from '../customers/invitations.ts'
import { purgeKeys } from '../idempotency/service.ts'
import { purgeMessageCounts } from '../limits/message-counts.ts'
import { purgeCounters } from '../limits/service.ts'
import { purgeTranslations } from '../orders/shipping.ts'
import { purgeRemembered } from '../otp/remembered.ts'
import { purgeCodes } from '../otp/service.ts'
import { purgeFindings } from '../payments/findings.ts'
import { purgeProposals } from '../proposals/service.ts'
import { purgeRequests } from '../requests/service.ts'
import { purgeSignIns } from '../staff/purge.ts'
import { purgeCards } from '../wallet/card.ts'
import { purgeSessions } from '../wallet/session.ts'
import { purgeRotations } from '../webhooks/rotation.ts'
import { purgeProcesses } from './processes.ts'

const retry_ms = 10 * minute_ms
/** Later, because a start is busy enough. */
const first_ms = minute_ms

export interface MaintenanceParts {
  readonly open: OpenDatabase
  readonly clock: Clock
  readonly log: Log
  /** How long events, deliveries and messages are kept. */
  readonly retention_days: number
  readonly request_log_days: number
  readonly record?: JobRecord
}

/**
 * Every hour: purges what has expired, so that nobody can fill the disk with it. Every day: creates the partitions of the coming
 * months, and drops those past retention.
 * @returns a function that stops it
 */
export function startMaintenance(parts: MaintenanceParts): () => Promise<void> {
  const { log } = parts
  let months_at_ms = Number.NEGATIVE_INFINITY
  const changeMonthsDaily = async (): Promise<void> => {
    if (performance.now() - months_at_ms < day_ms) return
    if (await changeMonths(parts)) months_at_ms = performance.now()
  }
  return startWorkerLoop({
    work: (stopping) => takeEveryStep([() => purgeExpired({ ...parts, stopping }), changeMonthsDaily], stopping),
    onFailure: (error) => log.warn({ err: error }, 'the maintenance failed and is tried again in ten minutes'),
    reports_every_failure: true,
    record: parts.record,
    ...{ pause_ms: hour_ms, first_pause_ms: first_ms, failure_pause_ms: retry_ms, stop_patience_ms: 0 },
  })
}

/**
 * Purges expired rows that customers and anonymous clients create. A table that cannot be purged does not keep the others
 * full: its error is thrown after them.
 */
export async function purgeExpired({
  open: { service },
  clock,
  retention_days,
  request_log_days,
  now = () => new Date(),
  stopping,
}: Pick<MaintenanceParts, 'clock' | 'retention_days' | 'request_log_days'> & {
  readonly open: Pick<OpenDatabase, 'service'>
  /** The machine's clock. */
  readonly now?: () => Date
  readonly stopping?: AbortSignal
}): Promise<void> {
  const kept_from = before(now(), retention_days * day_ms)
  const proposals_from = before(clock.now(), retention_days * day_ms)
  const steps = [
    () => purgeKeys(service, clock.now()),
    () => purgeTranslations(service, clock.now()),
    () => purgeCodes(service, now()),
    () => purgeCounters(service, now()),
    () => purgeSessions(service, now()),
    () => purgeRemembered(service, clock.now()),
    () => purgeCards(service, now()),
    () => purgeSignIns(service, now()),
    () => purgeMessages(service, kept_from),
    () => purgeFindings(service, kept_from),
    () => purgeProposals(service, proposals_from),
    () => purgeRotations(service, kept_from),
    () => purgeMessageCounts(service, now(), retention_days),
    () => purgeProcesses(service, now()),
    () => purgeRequests(service, now(), request_log_days),
  ]
  await takeEveryStep(steps, stopping)
}

/** Gives whether nothing is left for the next round. */
async function changeMonths({ open, log, retention_days }: MaintenanceParts): Promise<boolean> {
  const warn = (line: string): void => log.warn(line)
  await makePartitions(open, warn)
  const { dropped, held } = await purgeMonths(open, retention_days, warn)
  if (dropped.length > 0) log.info({ dropped }, 'months past retention are dropped')
  if (held.length > 0)
    log.info({ tables: held }, 'months past retention are dropped in an hour, as somebody reads them')
  return held.length === 0
}
