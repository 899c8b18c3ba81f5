import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import { type Actor, deployment_program_id } from '../../domain/audit.ts'
import { after } from '../../domain/spans.ts'
import type { OffsetClock } from '../../lib/clock.ts'
import { CliError } from '../../lib/errors.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import { untilClocksAreAt } from './processes.ts'
import { type DeploymentRow, findDeployment, lockDeployment, updateClockOffset } from './queries.ts'

/** The output of `nuqta clock`: the sandbox's time, and its offset from the machine's. */
export interface ClockView {
  readonly now: string
  readonly offset_s: number
}

/** The time by the deployment's clock. */
export function businessNow({ clock_offset_s }: DeploymentRow): Date {
  return after(new Date(), clock_offset_s * 1000)
}

/** Only a sandbox has a clock that can be moved. docs/spec/operation.md#clock */
export function showClock(deployment: DeploymentRow): ClockView {
  if (deployment.environment === 'production')
    throw new CliError('The clock of a production deployment is the clock of its machine.')
  return { now: businessNow(deployment).toISOString(), offset_s: deployment.clock_offset_s }
}

// `parseDay` reads days up to 2999, and rates begin up to 400 days ahead.
const earliest_ms = Date.UTC(1970, 0, 1)
const latest_ms = Date.UTC(2900, 0, 1)

/** Moves the sandbox's clock to `offset_s` seconds from the machine's, and waits for the running processes to follow. */
export async function moveClock(
  db: Database,
  deployment: DeploymentRow,
  offset_s: number,
  by?: Actor,
): Promise<ClockView> {
  showClock(deployment)
  const target_ms = Date.now() + offset_s * 1000
  if (!(target_ms >= earliest_ms && target_ms <= latest_ms))
    throw new CliError('The clock can be moved to an instant from 1970 to 2899.')
  await db.transaction(async (tx) => {
    const was = await tx.one(lockDeployment())
    void tx.run(updateClockOffset(offset_s))
    const change = { action: 'clock.set', object: 'deployment', after: { offset_s } } as const
    audit(tx, by, [{ program_id: deployment_program_id, ...change, before: { offset_s: was?.clock_offset_s ?? 0 } }])
  })
  await untilClocksAreAt(db, offset_s)
  return showClock({ ...deployment, clock_offset_s: offset_s })
}

const poll_ms = 500

/**
 * Sets a sandbox's clock to the offset in the database, twice a second, and calls `followed` after each change. Without the
 * database the clock keeps its offset. docs/spec/operation.md#clock
 * @returns a function that stops it
 */
export function followClock(db: Database, clock: OffsetClock, followed: () => Promise<void>): () => Promise<void> {
  return startWorkerLoop({
    async work() {
      const offset_s = (await db.one(findDeployment()))?.clock_offset_s ?? 0
      if (offset_s === clock.offset_s) return
      clock.setOffset(offset_s)
      await followed()
    },
    ...{ pause_ms: poll_ms, first_pause_ms: poll_ms, failure_pause_ms: poll_ms, stop_patience_ms: 0 },
  })
}
