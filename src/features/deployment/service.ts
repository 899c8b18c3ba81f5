import type { Environment } from '../../config/config.ts'
import { isMissingTable } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import { CliError } from '../../lib/errors.ts'
import { ensureFirstProgram } from '../merchants/programs.ts'
import { type DeploymentRow, findDeployment, insertDeployment, lockDeployment } from './queries.ts'

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
