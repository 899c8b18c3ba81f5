import type { Statement } from '../../db/statement.ts'

/** A merchant in the list of all. */
export interface ListedMerchant {
  readonly merchant_id: number
  readonly name: string
  readonly program_name: string
  readonly verified: boolean
  readonly published: boolean
  /** The name as the list is sorted. */
  readonly sorted: string
}

const columns = `m.merchant_id, m.name, p.name as program_name, m.verified, m.published, lower(m.name) as sorted`

/** Where a page of the list begins: behind the merchant with this name and number. */
export interface ListPlace {
  readonly sorted: string
  readonly merchant_id: number
}

/** Before every merchant. */
export const firstPlace: ListPlace = { sorted: '', merchant_id: 0 }

/** Which merchants: of a program, or of all; whose names begin so. */
interface Searched {
  readonly prefix: string
  readonly program_id: number | undefined
}

/** Sorts behind every name that begins with what stands before it. */
const last = '\u{10FFFF}'

/** Merchants whose names begin with `prefix`, in the order of their names. */
export function findMerchantsNamed(
  { prefix, program_id }: Searched,
  after: ListPlace,
  limit: number,
): Statement<ListedMerchant> {
  return {
    text: `select ${columns} from merchant m join program p on p.program_id = m.program_id
      where (lower(m.name) collate "C") >= lower($1) and (lower(m.name) collate "C") < lower($1) || $2
        and ((lower(m.name) collate "C"), m.merchant_id) > ($3, $4)
        and ($6::bigint is null or m.program_id = $6)
      order by lower(m.name) collate "C", m.merchant_id limit $5`,
    values: [prefix, last, after.sorted, after.merchant_id, limit, program_id ?? null],
  }
}

/** The merchant with this number: one look-up of the primary key for each program. */
export function findMerchantNumbered(merchant_id: number, program_id?: number): Statement<ListedMerchant> {
  return {
    text: `select ${columns} from program p cross join lateral (
        select m.* from merchant m where m.program_id = p.program_id and m.merchant_id = $1 limit 1
      ) m where $2::bigint is null or p.program_id = $2 limit 1`,
    values: [merchant_id, program_id ?? null],
  }
}

/** How many merchants a program has, and how many of them wait for something. */
export interface MerchantCounts {
  readonly total: number
  readonly unverified: number
  readonly unpublished: number
}

export function countMerchantsOf(program_id: number): Statement<MerchantCounts> {
  return {
    text: `select count(*) as total, count(*) filter (where not verified) as unverified,
        count(*) filter (where verified and not published) as unpublished
      from merchant where program_id = $1`,
    values: [program_id],
  }
}
