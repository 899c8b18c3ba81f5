import { prepared, type Statement } from '../../db/statement.ts'
import type { MerchantStage } from '../../domain/merchant-review.ts'
import { last_character } from '../../domain/text.ts'
import { type ListPlace, searched } from './list-queries.ts'

/** A merchant in the list of its program. */
export interface ProgramMerchantRow {
  readonly merchant_id: number
  readonly name: string
  readonly name_ar: string | null
  readonly verified: boolean
  readonly published: boolean
  readonly suspended_at: Date | null
  readonly key_status: boolean
  readonly created_at: Date
  /** The name as the list is sorted. */
  readonly sorted: string
}

/** What `stageOf` says, for a merchant `m`. */
const stages: Readonly<Record<MerchantStage, string>> = {
  suspended: 'm.suspended_at is not null',
  unverified: 'm.suspended_at is null and not m.verified',
  unpublished: 'm.suspended_at is null and m.verified and not m.published',
  live: 'm.suspended_at is null and m.verified and m.published',
}

const columns = `m.merchant_id, m.name, m.name_ar, m.verified, m.published, m.suspended_at, m.created_at,
    lower(m.name) as sorted, k.status as key_status`
const key = 'join api_key k on k.program_id = m.program_id and k.merchant_id = m.merchant_id'
const isAt = (stage: MerchantStage | undefined): string => (stage === undefined ? 'true' : stages[stage])

/** A program's merchants with this part of a name, in the order of their names. */
export function findMerchantsOfProgram(
  program_id: number,
  { part, stage }: { readonly part: string; readonly stage: MerchantStage | undefined },
  { after, limit }: { readonly after: ListPlace; readonly limit: number },
): Statement<ProgramMerchantRow> {
  const order = 'm.program_id, lower(m.name) collate "C", m.merchant_id'
  // The row comparisons keep the planner from the index of the names of all programs. docs/decisions/0024-plans-and-parts.md
  const behind = `m.program_id = $1 and (m.program_id, (lower(m.name) collate "C")) >= ($1, $3)
    and (m.program_id, (lower(m.name) collate "C"), m.merchant_id) > ($1, $3, $4)`
  return {
    text: `select ${columns}
      from ${searched({ part: '$2', last: '$6', limit: '$5', behind, wanted: isAt(stage), order })} found
      join merchant m on m.program_id = $1 and m.merchant_id = found.merchant_id ${key}
      where m.program_id = $1 order by ${order} limit $5`,
    values: [program_id, part, after.sorted, after.merchant_id, limit, last_character],
  }
}

/** The merchant of a program with this number. */
export function findMerchantOfProgram(
  program_id: number,
  merchant_id: number,
  stage: MerchantStage | undefined,
): Statement<ProgramMerchantRow> {
  return {
    text: `select ${columns} from merchant m ${key} where m.program_id = $1 and m.merchant_id = $2 and ${isAt(stage)}`,
    values: [program_id, merchant_id],
  }
}

/** How many merchants a program has at each stage. */
export type MerchantCounts = Readonly<Record<MerchantStage, number>>

export const countMerchantsOf = prepared<MerchantCounts>(
  'merchants.count',
  `select ${Object.entries(stages)
    .map(([stage, condition]) => `count(*) filter (where ${condition}) as ${stage}`)
    .join(', ')} from merchant m where m.program_id = $1`,
)
