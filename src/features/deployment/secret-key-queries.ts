import type { Statement } from '../../db/statement.ts'
import type { SealedColumn, SealedRow } from './sealed-columns.ts'

/** The canary of the deployment; null before its first start. */
export function findCanary(): Statement<{ secret_canary: Buffer | null }> {
  return { text: 'select secret_canary from deployment where singleton', values: [] }
}

/** Writes the canary, unless there is one. */
export function insertCanary(sealed: Buffer): Statement<never> {
  return {
    text: 'update deployment set secret_canary = $1 where singleton and secret_canary is null',
    values: [sealed],
  }
}

/** Replaces the canary, if it is still `was`. */
export function replaceCanary(was: Buffer, sealed: Buffer): Statement<{ singleton: boolean }> {
  return {
    text: 'update deployment set secret_canary = $2 where singleton and secret_canary = $1 returning singleton',
    values: [was, sealed],
  }
}

/** A sealed value with its row. */
export type SealedValue = SealedRow & { readonly sealed: Buffer }

/** A table of the deployment has no programs: its rows count as those of program 0. */
const programOf = ({ of_deployment, table }: SealedColumn) => (of_deployment ? '0::bigint' : `${table}.program_id`)

const selected = (of: SealedColumn) =>
  [`${programOf(of)} as program_id`, ...Object.keys(of.key), ...of.besides].join(', ')

/** Any value of a column in a program. */
export function findSample(of: SealedColumn, program_id: number): Statement<SealedValue> {
  return {
    text: `select ${selected(of)}, ${of.column} as sealed from ${of.table}
      where ${programOf(of)} = $1 and ${of.column} is not null limit 1`,
    values: [program_id],
  }
}

/** The deployment itself as program 0, then all programs. */
export function findPrograms(): Statement<{ program_id: number }> {
  return {
    text: 'select 0::bigint as program_id union all select program_id from program order by program_id',
    values: [],
  }
}

/**
 * A page of a column's rows in a program, by key, after `after`. `sealed` is null if nothing is sealed, or if it is
 * sealed under the key of `mark` already.
 */
export function findPage(
  of: SealedColumn,
  program_id: number,
  { mark, after, limit }: { readonly mark: Buffer; readonly after: SealedRow | undefined; readonly limit: number },
): Statement<SealedRow & { readonly sealed: Buffer | null }> {
  const keys = Object.keys(of.key)
  const places = keys.map((_, index) => `$${index + 4}`).join(', ')
  const behind = after === undefined ? '' : `and (${keys.join(', ')}) > (${places})`
  return {
    text: `select ${selected(of)},
        case when substring(${of.column} from 1 for octet_length($2::bytea)) <> $2 then ${of.column} end as sealed
      from ${of.table} where ${programOf(of)} = $1 ${behind} order by ${keys.join(', ')} limit $3`,
    values: [program_id, mark, limit, ...(after === undefined ? [] : keys.map((key) => after[key]))],
  }
}

export interface Resealed {
  readonly row: SealedValue
  readonly sealed: Buffer
}

/** Writes resealed values, where the old ones are unchanged. */
export function writeResealed(
  of: SealedColumn,
  program_id: number,
  values: readonly Resealed[],
): Statement<{ written: number }> {
  const keys = Object.entries(of.key)
  const lists = [...keys.map(([, type]) => type), 'bytea', 'bytea'].map((type, index) => `$${index + 2}::${type}[]`)
  const names = [...keys.map(([key]) => key), 'was', 'sealed'].join(', ')
  const same = keys.map(([key]) => `${of.table}.${key} = n.${key}`).join(' and ')
  return {
    text: `update ${of.table} set ${of.column} = n.sealed from unnest(${lists.join(', ')}) as n(${names})
      where ${programOf(of)} = $1 and ${same} and ${of.table}.${of.column} = n.was returning 1 as written`,
    values: [
      program_id,
      ...keys.map(([key]) => values.map(({ row }) => row[key])),
      values.map(({ row }) => row.sealed),
      values.map(({ sealed }) => sealed),
    ],
  }
}
