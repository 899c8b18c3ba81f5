import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Statement } from '../../db/statement.ts'
import { last_character } from '../../domain/text.ts'

/** A merchant in the list of all. */
export interface ListedMerchant {
  readonly merchant_id: number
  readonly name: string
  readonly name_ar: string | null
  readonly program_name: string
  readonly verified: boolean
  readonly published: boolean
  /** The name as the list is sorted. */
  readonly sorted: string
}

const columns = `m.merchant_id, m.name, m.name_ar, p.name as program_name, m.verified, m.published, lower(m.name) as sorted`

/** Where a page of the list begins: behind the merchant with this name and number. */
export interface ListPlace {
  readonly sorted: string
  readonly merchant_id: number
}

/** Before every merchant. */
export const firstPlace: ListPlace = { sorted: '', merchant_id: 0 }

/** Merchants whose names begin with `prefix`, in the order of their names. */
export function findMerchantsNamed(prefix: string, after: ListPlace, limit: number): Statement<ListedMerchant> {
  return {
    text: `select ${columns} from merchant m join program p on p.program_id = m.program_id
      where (lower(m.name) collate "C") >= lower($1) and (lower(m.name) collate "C") < lower($1) || $2
        and ((lower(m.name) collate "C"), m.merchant_id) > ($3, $4)
      order by lower(m.name) collate "C", m.merchant_id limit $5`,
    values: [prefix, last_character, after.sorted, after.merchant_id, limit],
  }
}

/** The merchant with this number: one look-up of the primary key for each program. */
export function findMerchantNumbered(merchant_id: number): Statement<ListedMerchant> {
  return {
    text: `select ${columns} from program p cross join lateral (
        select m.* from merchant m where m.program_id = p.program_id and m.merchant_id = $1 limit 1
      ) m limit 1`,
    values: [merchant_id],
  }
}

/** The merchants of a program whose names begin with `prefix`. */
export function findNamesLike(
  program_id: number,
  prefix: string,
): CompiledQuery<{ name: string; merchant_id: number }> {
  return builder
    .selectFrom('merchant')
    .select(['name', 'merchant_id'])
    .where('program_id', '=', program_id)
    .where('name', 'like', `${prefix.replace(/[\\%_]/g, '\\$&')}%`)
    .orderBy('created_at')
    .orderBy('merchant_id')
    .compile()
}
