import { findDeployment } from '../features/deployment/queries.ts'
import { ensureProgram } from '../features/merchants/programs.ts'
import { createMerchants } from '../features/merchants/service.ts'
import type { BenchDatabase } from './database.ts'
import { customersSql } from './grow.ts'
import { customerCount } from './requests.ts'
import type { BenchServer, MerchantKeys } from './server.ts'
import { earnAtFullSpeed, type HttpResult, measureHttp } from './sides.ts'

const programCount = 100
const merchantsOfEach = 10
const connections = 128

/** Earnings of many programs with few merchants each: a batch belongs to one program, so batches are small. */
export interface ProgramsResult extends HttpResult {
  readonly programs: number
  readonly merchants_of_each: number
}

/** Measures earnings over 100 programs of 10 merchants each, half of the customers new. */
export async function measurePrograms(
  server: BenchServer,
  database: BenchDatabase,
  duration_s: number,
): Promise<ProgramsResult> {
  const keys = await makePrograms(database)
  const known = customerCount / programCount
  const facts = { connections, customers: 'half new' } as const
  const load = { keys, known, ...facts }
  await earnAtFullSpeed(server, { ...load, duration_s: Math.ceil(duration_s / 4), run: 0 })
  const measured = await measureHttp(server, facts, () => earnAtFullSpeed(server, { ...load, duration_s, run: 1 }))
  return { programs: programCount, merchants_of_each: merchantsOfEach, ...measured }
}

/** As `nuqta merchant create --program` does, without a process for each program. */
async function makePrograms({ db }: BenchDatabase): Promise<readonly MerchantKeys[]> {
  const deployment = await db.one(findDeployment())
  if (deployment === undefined) throw new Error('the bench has no deployment')
  const place = { environment: deployment.environment, now: new Date() }
  const keys: MerchantKeys[] = []
  for (let n = 1; n <= programCount; n += 1) {
    const { program } = await db.transaction((tx) => ensureProgram(tx, { name: `Bench ${n}`, ...place }))
    const { program_id } = program
    const wanted = { program_id, name: 'Bench', count: merchantsOfEach, verified: true, published: true, ...place }
    for (const made of await createMerchants(db, wanted)) keys.push({ ...made, program_id })
    await db.script(customersSql(program_id, customerCount / programCount))
  }
  return keys
}
