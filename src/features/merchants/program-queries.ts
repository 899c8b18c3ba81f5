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
  readonly created_at: Date
}

export type ProgramChanges = Partial<Pick<ProgramRow, 'activation' | 'micro_sar_per_point' | 'locale'>>

const columns = [
  'program_id',
  'name',
  'account_id',
  'activation',
  'micro_sar_per_point',
  'locale',
  'created_at',
] as const

/** Every program, the deployment's first one first. */
export function findPrograms(): CompiledQuery<ProgramRow> {
  return builder
    .selectFrom('program')
    .select(columns)
    .orderBy('created_at')
    .orderBy('program_id')
    .$castTo<ProgramRow>()
    .compile()
}

/** The program of this exact name. */
export function findProgram(name: string): CompiledQuery<ProgramRow> {
  return builder.selectFrom('program').select(columns).where('name', '=', name).$castTo<ProgramRow>().compile()
}

/** Makes a program; no row when one of this name is there. */
export function insertProgram(name: string, account_id: Uuid, now: Date): CompiledQuery<ProgramRow> {
  return builder
    .insertInto('program')
    .values({ name, account_id, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning(columns)
    .$castTo<ProgramRow>()
    .compile()
}

/** The program's own account, from which adjustments come. */
export function insertProgramAccount(program: ProgramRow): CompiledQuery<unknown> {
  const { program_id, account_id, created_at } = program
  return builder.insertInto('account').values({ program_id, account_id, kind: 'program', created_at }).compile()
}

/** Changes settings of a program and gives it as it is now. */
export function updateProgram(program_id: number, changes: ProgramChanges, now: Date): CompiledQuery<ProgramRow> {
  return builder
    .updateTable('program')
    .set({ ...changes, updated_at: now })
    .where('program_id', '=', program_id)
    .returning(columns)
    .$castTo<ProgramRow>()
    .compile()
}
