import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { folded } from '../../db/folded.ts'
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

/** How many merchants a search for a part of a name looks at. Where there are more, names that begin with it are found too. */
const most_looked_at = 5_000

/** The values of a search, by their place in its statement. */
interface Searched {
  readonly part: string
  /** The last character of all, behind which no name that begins with the part is. */
  readonly last: string
  readonly limit: string
  /** SQL condition for merchants `m` behind the page before. */
  readonly behind: string
  /** SQL condition for those that are wanted. */
  readonly wanted: string
  readonly order: string
}

/** SQL for the keys of at most `limit` merchants by each of two ways: the beginning of the name, and any part in either language. */
export function searched({ part, last, limit, behind, wanted, order }: Searched): string {
  const keys = 'select m.program_id, m.merchant_id'
  const begins = `(lower(m.name) collate "C") >= lower(${part}) and (lower(m.name) collate "C") < lower(${part}) || ${last}`
  const contains = `position(${folded(part)} in ${folded("m.name || ' ' || coalesce(m.name_ar, '')")}) > 0`
  return `(
      (${keys} from merchant m where ${behind} and ${wanted} and ${begins} order by ${order} limit ${limit})
      union
      (${keys} from (select * from merchant m where ${behind} order by ${order} limit ${most_looked_at}) m
       where ${wanted} and ${contains} order by ${order} limit ${limit})
    )`
}

/** Merchants with this part of a name, in the order of their names. */
export function findMerchantsNamed(part: string, after: ListPlace, limit: number): Statement<ListedMerchant> {
  const order = 'lower(m.name) collate "C", m.merchant_id'
  const behind = '((lower(m.name) collate "C"), m.merchant_id) > ($2, $3)'
  return {
    text: `select ${columns}
      from ${searched({ part: '$1', last: '$5', limit: '$4', behind, wanted: 'true', order })} found
      join merchant m on m.program_id = found.program_id and m.merchant_id = found.merchant_id
      join program p on p.program_id = m.program_id
      order by ${order} limit $4`,
    values: [part, after.sorted, after.merchant_id, limit, last_character],
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
