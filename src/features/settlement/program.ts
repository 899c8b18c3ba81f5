import type { Database } from '../../db/pool.ts'
import { NO_FEES } from '../../domain/settlement.ts'
import { CliError } from '../../lib/errors.ts'
import { listPrograms } from '../merchants/programs.ts'
import { findFirstRate } from '../merchants/rate-queries.ts'
import { findMerchant } from '../merchants/service.ts'
import { riyadhMidnight } from '../orders/view.ts'
import { justAfter } from './service.ts'
import type { SettlingProgram } from './sums.ts'

/** What settling needs to know of a program. */
export async function settlingProgramOf(db: Database, program_id: number): Promise<SettlingProgram> {
  const first = await db.one(findFirstRate(program_id))
  if (first === undefined) throw new Error('a program without a rate')
  return { program_id, first_value: first.micro_sar_per_point, ...NO_FEES }
}

/** Which merchants a command settles. */
export interface Settling {
  readonly program: SettlingProgram
  readonly merchant_id: number | undefined
}

/**
 * The merchant of this number or name; else all merchants of the program of this name, or of every program.
 * @throws CliError if there is none
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
  return Promise.all(
    asked.map(async ({ program_id }) => {
      return { program: await settlingProgramOf(db, program_id), merchant_id: one?.merchant_id }
    }),
  )
}

/**
 * The end of a period: of a day in Riyadh (`YYYY-MM-DD`) that is over, or of this very moment.
 * @throws CliError if the day is not over
 */
export function endOfPeriod(day: string | undefined, now: Date): Date {
  if (day === undefined) return justAfter(now)
  const end = riyadhMidnight(day, 1)
  if (end > now) throw new CliError(`The day ${day} is not over in Riyadh: settle up to a day before.`)
  return end
}
