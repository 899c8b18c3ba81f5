import type { Config } from '../../config/config.ts'
import type { OpenDatabase } from '../../db/open.ts'
import { describeForeign, foreignAdvice, foreignTables, schemaState } from '../../db/prepare.ts'
import { majorOf, oldest_major, type ServerInfo, serverInfo } from '../../db/server-info.ts'
import { findDeployment } from '../../features/deployment/queries.ts'
import { type Finding, ok, problem } from './finding.ts'

const most_apart_ms = 2_000

/** Everything that can be asked of a database that is within reach. */
export async function checkDatabase(
  { service }: OpenDatabase,
  config: Config,
  environmentIsGiven: boolean,
): Promise<Finding[]> {
  const asked_ms = Date.now()
  const info = await serverInfo(service)
  const apart_ms = info.now_ms - (asked_ms + Date.now()) / 2
  const tables = await foreignTables(service)
  if (tables.length > 0) return [checkServer(info), checkClock(apart_ms), checkTables(tables)]
  const { pending, foreign } = await schemaState(service)
  const findings = [checkServer(info), checkClock(apart_ms), checkMigrations(pending, foreign)]
  if (pending.length > 0) return findings
  const deployment = await service.one(findDeployment())
  const environment = deployment?.environment
  return [...findings, checkEnvironment(environment, environmentIsGiven ? config.environment : undefined)]
}

function checkServer({ version_num, writable }: ServerInfo): Finding {
  const detail = `PostgreSQL ${majorOf(version_num)}`
  if (majorOf(version_num) < oldest_major)
    return problem('database', detail, `Use PostgreSQL ${oldest_major} or later.`)
  if (!writable) return problem('database', `${detail}, read-only`, 'Point DATABASE_URL at the primary server.')
  return ok('database', detail)
}

function checkClock(apart_ms: number): Finding {
  const detail = `${Math.abs(apart_ms / 1000).toFixed(1)} s from the database's`
  if (Math.abs(apart_ms) <= most_apart_ms) return ok('clock', detail)
  return problem('clock', detail, 'Set both clocks by NTP: windows and identifiers go by the time.')
}

function checkTables(tables: readonly string[]): Finding {
  return problem('migrations', describeForeign(tables), `To begin, ${foreignAdvice}`)
}

function checkMigrations(pending: readonly string[], foreign: readonly string[]): Finding {
  if (foreign.length > 0)
    return problem(
      'migrations',
      `${foreign.join(', ')} of another version`,
      'Run the version that made them, or later.',
    )
  if (pending.length > 0) return problem('migrations', `${pending.length} to do`, 'Run nuqta migrate.')
  return ok('migrations', 'up to date')
}

function checkEnvironment(found: string | undefined, asked: string | undefined): Finding {
  if (found === undefined) return ok('environment', 'written at the first start')
  if (asked === undefined || asked === found) return ok('environment', found)
  return problem(
    'environment',
    `the database is a ${found}`,
    `Set NUQTA_ENVIRONMENT=${found}, or use another database.`,
  )
}
