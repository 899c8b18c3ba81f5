import { type CompiledQuery, sql } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { TwoPersonRule } from '../../domain/proposal.ts'
import type { Rates } from '../../domain/rates.ts'
import type { ProgramFees } from '../../domain/settlement.ts'
import { ratesOf } from './rate-queries.ts'

export interface ProgramRow extends TwoPersonRule {
  readonly program_id: number
  readonly name: string
  readonly account_id: Uuid
  readonly activation: 'automatic' | 'required'
  /** The latest ones. */
  readonly rates: Rates
  readonly locale: Locale
  readonly operator_name: string | null
  readonly operator_contact: string | null
  /** The points that a remembered browser may spend in 24 hours without a code; 0 for none. */
  readonly remembered_limit: number
  /** What the program takes of the value of either leg, and the VAT on that, in hundredths of a percent. */
  readonly fee_earn_bp: number
  readonly fee_redeem_bp: number
  readonly fee_vat_bp: number
  readonly created_at: Date
}

/** The columns that settings change. */
export type ProgramChanges = Partial<
  TwoPersonRule &
    Pick<
      ProgramRow,
      | 'activation'
      | 'locale'
      | 'operator_name'
      | 'operator_contact'
      | 'remembered_limit'
      | 'fee_earn_bp'
      | 'fee_redeem_bp'
      | 'fee_vat_bp'
    >
>

const columns = [
  'program_id',
  'name',
  'account_id',
  'activation',
  'locale',
  'operator_name',
  'operator_contact',
  'remembered_limit',
  'fee_earn_bp',
  'fee_redeem_bp',
  'fee_vat_bp',
  'two_person_rates',
  'two_person_settlements',
  'two_person_adjustments_over',
  'created_at',
] as const

/** Only for SELECT: a cluster allows no subquery in RETURNING. */
const rates = sql.raw<Rates>(ratesOf('program.program_id')).as('rates')

/** Every program, the oldest first. */
export function findPrograms(): CompiledQuery<ProgramRow> {
  return builder
    .selectFrom('program')
    .select([...columns, rates])
    .orderBy('created_at')
    .orderBy('program_id')
    .$castTo<ProgramRow>()
    .compile()
}

/** A page of programs, the oldest number first, behind `after`. */
export function findProgramPage(after: number, limit: number): CompiledQuery<ProgramRow> {
  return builder
    .selectFrom('program')
    .select([...columns, rates])
    .where('program_id', '>', after)
    .orderBy('program_id')
    .limit(limit)
    .$castTo<ProgramRow>()
    .compile()
}

/** The program with this number. */
export function findProgramNumbered(program_id: number): CompiledQuery<ProgramRow> {
  return builder
    .selectFrom('program')
    .select([...columns, rates])
    .where('program_id', '=', program_id)
    .$castTo<ProgramRow>()
    .compile()
}

/** The program of this exact name. */
export function findProgram(name: string): CompiledQuery<ProgramRow> {
  return builder
    .selectFrom('program')
    .select([...columns, rates])
    .where('name', '=', name)
    .$castTo<ProgramRow>()
    .compile()
}

/** A program, locked until the transaction ends. Has no rates: a subquery would read them as they were before the wait. */
export function lockProgram(program_id: number): CompiledQuery<Omit<ProgramRow, 'rates'>> {
  return builder
    .selectFrom('program')
    .select(columns)
    .where('program_id', '=', program_id)
    .forNoKeyUpdate()
    .$castTo<Omit<ProgramRow, 'rates'>>()
    .compile()
}

/** Creates a program; gives nothing if the name is taken. */
export function insertProgram(
  fresh: ProgramFees & { readonly name: string; readonly account_id: Uuid },
  now: Date,
): CompiledQuery<Omit<ProgramRow, 'rates'>> {
  return builder
    .insertInto('program')
    .values({ ...fresh, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning(columns)
    .$castTo<Omit<ProgramRow, 'rates'>>()
    .compile()
}

/** Changes settings of a program. */
export function updateProgram(program_id: number, changes: ProgramChanges, now: Date): CompiledQuery<unknown> {
  return builder
    .updateTable('program')
    .set({ ...changes, updated_at: now })
    .where('program_id', '=', program_id)
    .compile()
}

/** What a program asks of a second person. */
export function findTwoPersonRule(program_id: number): CompiledQuery<TwoPersonRule> {
  return builder
    .selectFrom('program')
    .select(['two_person_rates', 'two_person_settlements', 'two_person_adjustments_over'])
    .where('program_id', '=', program_id)
    .$castTo<TwoPersonRule>()
    .compile()
}

/** The program's own account, which gives and takes the points of adjustments, and what its points are worth. */
export function findProgramAccount(program_id: number): CompiledQuery<{ account_id: Uuid; rates: Rates }> {
  return builder.selectFrom('program').select(['account_id', rates]).where('program_id', '=', program_id).compile()
}
