import type { Environment } from '../../config/config.ts'
import { audit } from '../../db/audit.ts'
import { insertProgramAccount } from '../../db/ledger.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Actor, changedFields } from '../../domain/audit.ts'
import { type Day, dayOf } from '../../domain/day.ts'
import { DEFAULT_SAR_PER_POINT, type MicroSarPerPoint } from '../../domain/points.ts'
import { CliError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import { addSandboxCustomers } from '../customers/service.ts'
import {
  findProgram,
  findProgramNumbered,
  findProgramPage,
  findPrograms,
  insertProgram,
  lockProgram,
  type ProgramChanges,
  type ProgramRow,
  updateProgram,
} from './program-queries.ts'
import { writeRate } from './rate-queries.ts'
import { changeRate } from './rates.ts'

/** The name of a deployment's first program. */
const firstName = 'Default'
const max_name = 255

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
  { name, environment, now, by }: NewProgram,
): Promise<{ readonly program: ProgramRow; readonly made: boolean }> {
  const made = await tx.one(insertProgram(checkName(name), newUuid(), now))
  if (made === undefined) {
    const program = await tx.one(findProgram(name))
    if (program === undefined) throw new Error('a program has this name but cannot be found')
    return { program, made: false }
  }
  await tx.run(insertProgramAccount(made))
  if (environment === 'sandbox') addSandboxCustomers(tx, made, now)
  const { program_id } = made
  const rate = { begins_on: dayOf(now), micro_sar_per_point: DEFAULT_SAR_PER_POINT }
  void tx.run(writeRate(program_id, rate, now))
  audit(tx, by, [
    { program_id, action: 'program.create', object: `program:${program_id}`, before: null, after: { name } },
  ])
  return { program: { ...made, rates: [rate] }, made: true }
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

interface ProgramChange {
  readonly changes?: ProgramChanges
  /** What a point is worth, from today or from a later day on. */
  readonly rate?: { readonly micro_sar_per_point: MicroSarPerPoint; readonly begins_on?: Day | undefined } | undefined
  readonly now: Date
  readonly by?: Actor | undefined
}

/**
 * Changes settings of the program of this name, and gives it.
 * @throws CliError if its rate cannot begin on that day
 */
export async function setProgram(db: Database, name: string, change: ProgramChange): Promise<ProgramRow> {
  const { changes = {}, rate, now, by } = change
  const { program_id } = await findProgramNamed(db, name)
  return db.transaction(async (tx) => {
    const was = await lockedProgram(tx, program_id)
    if (Object.keys(changes).length > 0) {
      void tx.run(updateProgram(program_id, changes, now))
      const changed = changedFields({ ...was }, changes)
      audit(tx, by, [{ program_id, action: 'program.set', object: `program:${program_id}`, ...changed }])
    }
    if (rate !== undefined) changeRate(tx, was, { ...rate, begins_on: rate.begins_on ?? dayOf(now) }, { now, by })
    return lockedProgram(tx, program_id)
  })
}

async function lockedProgram(tx: Transaction, program_id: number): Promise<ProgramRow> {
  const program = await tx.one(lockProgram(program_id))
  if (program === undefined) throw new Error('a program has disappeared')
  return program
}

function checkName(name: string): string {
  if (name === '') throw new CliError('A program needs a name.')
  if (name.length > max_name) throw new CliError(`A program's name has at most ${max_name} characters.`)
  return name
}
