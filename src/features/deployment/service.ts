import type { Environment } from '../../config/config.ts'
import { audit } from '../../db/audit.ts'
import { isMissingTable } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import { type Actor, deployment_program_id } from '../../domain/audit.ts'
import { CliError } from '../../lib/errors.ts'
import { ensureFirstProgram } from '../merchants/programs.ts'
import { untilClocksAreAt } from './processes.ts'
import { type DeploymentRow, findDeployment, insertDeployment, lockDeployment, updateClockOffset } from './queries.ts'

/** The database belongs to the other environment. docs/spec/operation.md#environment */
class WrongEnvironment extends CliError {
  constructor(found: Environment, asked: Environment) {
    super(
      `This database belongs to the environment ${found}, and ${asked} was asked for: set NUQTA_ENVIRONMENT=${found}, ` +
        'or name another database with DATABASE_URL or --data-dir.',
    )
    this.name = 'WrongEnvironment'
  }
}

/**
 * Refuses a database of the other environment, before anything is changed.
 * @throws WrongEnvironment if the database was first started as the other
 */
export async function refuseOther(db: Database, environment: Environment): Promise<void> {
  const found = await db.one(findDeployment()).catch((error: unknown) => {
    if (isMissingTable(error)) return undefined
    throw error
  })
  if (found !== undefined && found.environment !== environment)
    throw new WrongEnvironment(found.environment, environment)
}

/**
 * Writes the environment and creates the first program at the first start; later only compares.
 * @throws WrongEnvironment if the database was first started as the other
 */
export async function claimDeployment(db: Database, environment: Environment): Promise<DeploymentRow> {
  const found = await findOrClaim(db, environment)
  if (found.environment !== environment) throw new WrongEnvironment(found.environment, environment)
  return found
}

/** The deployment; created as `environment` at the first start. */
export async function findOrClaim(db: Database, environment: Environment): Promise<DeploymentRow> {
  const known = await db.one(findDeployment())
  if (known !== undefined) return known
  const now = new Date()
  return db.transaction(async (tx) => {
    await tx.run(insertDeployment(environment, now))
    const deployment = await tx.one(lockDeployment())
    if (deployment === undefined) throw new Error('the deployment was written but cannot be found')
    await ensureFirstProgram(tx, { environment: deployment.environment, now })
    return deployment
  })
}

/** Runs work that one process of the deployment does at a time. The others wait. */
export function whileAlone<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.one(lockDeployment())
    return work()
  })
}

/** The output of `nuqta clock`: the sandbox's time, and its offset from the machine's. */
export interface ClockView {
  readonly now: string
  readonly offset_s: number
}

/** The time by the deployment's clock. */
export function businessNow({ clock_offset_s }: DeploymentRow): Date {
  return new Date(Date.now() + clock_offset_s * 1000)
}

/** Only a sandbox has a clock that can be moved. docs/spec/operation.md#clock */
export function showClock(deployment: DeploymentRow): ClockView {
  if (deployment.environment === 'production')
    throw new CliError('The clock of a production deployment is the clock of its machine.')
  return { now: businessNow(deployment).toISOString(), offset_s: deployment.clock_offset_s }
}

// Instants beyond these have no four-digit year.
const earliest_ms = Date.UTC(1970, 0, 1)
const latest_ms = Date.UTC(9999, 0, 1)

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
    throw new CliError('The clock can be moved to an instant from 1970 to 9999.')
  await db.transaction(async (tx) => {
    const was = await tx.one(lockDeployment())
    void tx.run(updateClockOffset(offset_s))
    const change = { action: 'clock.set', object: 'deployment', after: { offset_s } } as const
    audit(tx, by, [{ program_id: deployment_program_id, ...change, before: { offset_s: was?.clock_offset_s ?? 0 } }])
  })
  await untilClocksAreAt(db, offset_s)
  return showClock({ ...deployment, clock_offset_s: offset_s })
}
