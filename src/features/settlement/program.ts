import type { Database } from '../../db/pool.ts'
import { addDays, parseDay, startOfDay } from '../../domain/day.ts'
import { CliError } from '../../lib/errors.ts'
import type { ProgramRow } from '../merchants/program-queries.ts'
import { listPrograms } from '../merchants/programs.ts'
import { findFirstRate } from '../merchants/rate-queries.ts'
import { findMerchant } from '../merchants/service.ts'
import { justAfter } from './service.ts'
import type { SettlingProgram } from './sums.ts'

/** What settling needs to know of a program. */
export async function settlingProgramOf(db: Database, row: ProgramRow): Promise<SettlingProgram> {
  const { program_id, fee_earn_bp, fee_redeem_bp, fee_vat_bp, two_person_settlements: needs_two } = row
  const first = await db.one(findFirstRate(program_id))
  if (first === undefined) throw new Error('a program without a rate')
  return { program_id, first_value: first.micro_sar_per_point, fee_earn_bp, fee_redeem_bp, fee_vat_bp, needs_two }
}

/** Which merchants a command settles. */
export interface Settling {
  readonly program: SettlingProgram
  readonly merchant_id: number | undefined
}

/**
 * The merchant of this number or name; else all merchants of the program of this name, or of every program.
 * @throws CliError if there is none, or the merchant is in another program
 */
export async function findSettling(
  db: Database,
  { merchant, program }: { readonly merchant?: string | undefined; readonly program?: string | undefined },
): Promise<Settling[]> {
  const programs = (await listPrograms(db)).filter(({ name }) => program === undefined || name === program.trim())
  if (program !== undefined && programs.length === 0)
    throw new CliError(`There is no program named ${program}; see nuqta program list.`)
  const one = merchant === undefined ? undefined : await findMerchant(db, merchant)
  const asked = programs.filter(({ program_id }) => one === undefined || program_id === one.program_id)
  if (one !== undefined && asked.length === 0)
    throw new CliError(`The merchant ${one.name} is in another program than ${program}.`)
  return Promise.all(
    asked.map(async (row) => {
      return { program: await settlingProgramOf(db, row), merchant_id: one?.merchant_id }
    }),
  )
}

/** The end of a period: of a day in Riyadh (`YYYY-MM-DD`), or of this very moment. Null if the day is not over. */
export function periodEnd(day: string | undefined, now: Date): Date | null {
  if (day === undefined) return justAfter(now)
  const last = parseDay(day)
  if (last === null) return null
  const end = startOfDay(addDays(last, 1))
  return end > now ? null : end
}
