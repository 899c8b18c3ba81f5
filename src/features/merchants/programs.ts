import type { Environment } from '../../config/config.ts'
import { audit } from '../../db/audit.ts'
import { insertProgramAccount } from '../../db/ledger.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { dayOf } from '../../domain/day.ts'
import { DEFAULT_SAR_PER_POINT } from '../../domain/points.ts'
import { NO_FEES } from '../../domain/settlement.ts'
import type { Clock } from '../../lib/clock.ts'
import { CliError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import { addSandboxCustomers } from '../customers/service.ts'
import { checkedName } from './names.ts'
import {
  findProgram,
  findProgramNumbered,
  findProgramPage,
  findPrograms,
  insertProgram,
  type ProgramRow,
} from './program-queries.ts'
import { type ChangedProgram, changeProgram, type ProgramChange, type ProgramSettings } from './program-settings.ts'
import { writeRate } from './rate-queries.ts'

/** The name of a deployment's first program. */
const firstName = 'Default'
export const max_name = 255

interface NewProgram {
  readonly name: string
  readonly environment: Environment
  readonly now: Date
  readonly by?: Actor | undefined
}

/**
 * Creates a program with its account, and in a sandbox the sandbox customers
 * (docs/spec/customers.md#sandbox-identities).
 * @returns the program of this name, and whether this call made it
 */
export async function ensureProgram(
  tx: Transaction,
  { name: typed, environment, now, by }: NewProgram,
): Promise<{ readonly program: ProgramRow; readonly made: boolean }> {
  const name = checkedName('program', typed, max_name)
  const made = await tx.one(insertProgram({ name, account_id: newUuid(), ...NO_FEES }, now))
  if (made === undefined) {
    const program = await tx.one(findProgram(name))
    if (program === undefined) throw new Error('a program has this name but cannot be found')
    return { program, made: false }
  }
  await tx.run(insertProgramAccount(made))
  const { program_id } = made
  const rate = { begins_on: dayOf(now), micro_sar_per_point: DEFAULT_SAR_PER_POINT }
  const program = { ...made, rates: [rate] }
  if (environment === 'sandbox') addSandboxCustomers(tx, program, now)
  void tx.run(writeRate(program_id, rate, now))
  audit(tx, by, [
    { program_id, action: 'program.create', object: `program:${program_id}`, before: null, after: { name } },
  ])
  return { program, made: true }
}

/** The deployment's first program; created if there is none. */
export async function ensureFirstProgram(tx: Transaction, place: Omit<NewProgram, 'name'>): Promise<ProgramRow> {
  const first = await tx.one(findPrograms())
  return first ?? (await ensureProgram(tx, { name: firstName, ...place })).program
}

/** @throws CliError if the name is taken */
export async function createProgram(db: Database, fresh: NewProgram): Promise<ProgramRow> {
  const name = fresh.name.trim()
  const { program, made } = await db.transaction((tx) => ensureProgram(tx, { ...fresh, name }))
  if (!made) throw new CliError(`There is a program named ${name} already.`)
  return program
}

/** The program with this number; null if there is none. */
export async function readProgram(db: Database, program_id: number): Promise<ProgramRow | null> {
  return (await db.one(findProgramNumbered(program_id))) ?? null
}

export type PagePrograms = (after: number, limit: number) => Promise<readonly ProgramRow[]>

/** Gives programs behind a number, page by page. */
export function createPagePrograms(db: Database): PagePrograms {
  return (after, limit) => db.run(findProgramPage(after, limit))
}

/** All programs, the oldest first. */
export function listPrograms(db: Database): Promise<ProgramRow[]> {
  return db.run(findPrograms())
}

/**
 * The program of this name, or the first one by default.
 * @throws CliError if there is none
 */
export async function findProgramNamed(db: Database, name: string | undefined): Promise<ProgramRow> {
  const program = await db.one(name === undefined ? findPrograms() : findProgram(name.trim()))
  if (program !== undefined) return program
  throw new CliError(
    name === undefined ? 'There is no program yet.' : `There is no program named ${name}; see nuqta program list.`,
  )
}

/** Changes settings of the program of this name, as `changeProgram` does. */
export async function setProgram(db: Database, name: string, change: ProgramChange): Promise<ChangedProgram> {
  const { program_id } = await findProgramNamed(db, name)
  return changeProgram(db, program_id, change)
}

/** How operators read and change programs in the dashboard. */
export function createProgramSettings(parts: {
  readonly db: Database
  readonly clock: Clock
  readonly environment: Environment
}): ProgramSettings {
  const { db, clock, environment } = parts
  return {
    async create(name, by) {
      const { program, made } = await db.transaction((tx) =>
        ensureProgram(tx, { name, environment, now: clock.now(), by }),
      )
      return made ? program : null
    },
    async read(program_id) {
      const program = await readProgram(db, program_id)
      if (program === null) throw new Error('a program has disappeared')
      return program
    },
    change: (program_id, change) => changeProgram(db, program_id, change),
  }
}
