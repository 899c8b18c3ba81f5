import type { Clock } from './clock.ts'
import type { OpenDatabase } from './db/pools.ts'
import { forgetMonths, makePartitions } from './db/prepare.ts'
import { forgetKeys } from './features/idempotency/story.ts'
import { forgetMessages } from './features/invitations/story.ts'
import { forgetCodes } from './features/otp/story.ts'
import { forgetSessions } from './features/wallet-session/story.ts'
import type { Log } from './log.ts'

const day_ms = 86_400_000
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
 * Once a day: makes the partitions of the months ahead, drops those of months that are over and past keeping, and forgets
 * Idempotency-Keys, one-time codes, sign-ins and messages whose time is over. The start has just made today's partitions.
 * @returns what ends it
 */
export function startMaintenance({ open, clock, log, retention_days }: MaintenanceParts): () => void {
  let timer = setTimeout(run, first_ms)
  let stopped = false

  function run(): void {
    daily().then(
      () => again(day_ms),
      (error: unknown) => {
        log.warn({ err: error }, 'the daily maintenance failed and is tried again in ten minutes')
        again(retry_ms)
      },
    )
  }

  async function daily(): Promise<void> {
    const warn = (line: string): void => log.warn(line)
    await makePartitions(open, warn)
    const dropped = await forgetMonths(open, retention_days, warn)
    if (dropped.length > 0) log.info({ dropped }, 'months past keeping are forgotten')
    await forgetKeys(open.service, clock.now())
    const now = new Date()
    await forgetCodes(open.service, now)
    await forgetSessions(open.service, now)
    await forgetMessages(open.service, new Date(now.getTime() - retention_days * day_ms))
  }

  function again(pause_ms: number): void {
    if (!stopped) timer = setTimeout(run, pause_ms)
  }

  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
