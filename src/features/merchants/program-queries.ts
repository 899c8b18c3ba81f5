import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { MicroSarPerPoint } from '../../domain/points.ts'

export interface ProgramRow {
  readonly program_id: number
  readonly name: string
  readonly account_id: Uuid
  readonly activation: 'automatic' | 'required'
  readonly micro_sar_per_point: MicroSarPerPoint
  readonly locale: Locale
  readonly operator_name: string | null
  readonly operator_contact: string | null
  readonly created_at: Date
}

export type ProgramChanges = Partial<
  Pick<ProgramRow, 'activation' | 'micro_sar_per_point' | 'locale' | 'operator_name' | 'operator_contact'>
>

const columns = [
  'program_id',
  'name',
  'account_id',
  'activation',
  'micro_sar_per_point',
  'locale',
  'operator_name',
  'operator_contact',
  'created_at',
] as const

/** Every program, the oldest first. */
export function findPrograms(): CompiledQuery<ProgramRow> {
  return builder
    .selectFrom('program')
    .select(columns)
    .orderBy('created_at')
    .orderBy('program_id')
    .$castTo<ProgramRow>()
    .compile()
}

/** A page of programs, the oldest number first, behind `after`. */
export function findProgramPage(after: number, limit: number): CompiledQuery<ProgramRow> {
  return builder
    .selectFrom('program')
    .select(columns)
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
    .select(columns)
    .where('program_id', '=', program_id)
    .$castTo<ProgramRow>()
    .compile()
}

/** The program of this exact name. */
export function findProgram(name: string): CompiledQuery<ProgramRow> {
  return builder.selectFrom('program').select(columns).where('name', '=', name).$castTo<ProgramRow>().compile()
}

/** A program, locked until the transaction ends. */
export function lockProgram(program_id: number): CompiledQuery<ProgramRow> {
  return builder
    .selectFrom('program')
    .select(columns)
    .where('program_id', '=', program_id)
    .forNoKeyUpdate()
    .$castTo<ProgramRow>()
    .compile()
}

/** Creates a program; gives nothing if the name is taken. */
export function insertProgram(name: string, account_id: Uuid, now: Date): CompiledQuery<ProgramRow> {
  return builder
    .insertInto('program')
    .values({ name, account_id, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning(columns)
    .$castTo<ProgramRow>()
    .compile()
}

/** Changes settings of a program and gives it. */
export function updateProgram(program_id: number, changes: ProgramChanges, now: Date): CompiledQuery<ProgramRow> {
  return builder
    .updateTable('program')
    .set({ ...changes, updated_at: now })
    .where('program_id', '=', program_id)
    .returning(columns)
    .$castTo<ProgramRow>()
    .compile()
}
