import { prepared, type Statement } from '../../db/statement.ts'
import type { MerchantStage } from '../../domain/merchant-review.ts'
import { last_character } from '../../domain/text.ts'
import type { ListPlace } from './list-queries.ts'

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

const rows = `select m.merchant_id, m.name, m.name_ar, m.verified, m.published, m.suspended_at, m.created_at,
    lower(m.name) as sorted, k.status as key_status
  from merchant m join api_key k on k.program_id = m.program_id and k.merchant_id = m.merchant_id
  where m.program_id = $1`

/** A program's merchants whose names begin with `prefix`, in the order of their names. */
export function findMerchantsOfProgram(
  program_id: number,
  { prefix, stage }: { readonly prefix: string; readonly stage: MerchantStage | undefined },
  { after, limit }: { readonly after: ListPlace; readonly limit: number },
): Statement<ProgramMerchantRow> {
  return {
    text: `${rows} and ${stage === undefined ? 'true' : stages[stage]}
        and (m.program_id, (lower(m.name) collate "C")) >= ($1, lower($2))
        and (lower(m.name) collate "C") < lower($2) || $3
        and (m.program_id, (lower(m.name) collate "C"), m.merchant_id) > ($1, $4, $5)
      order by m.program_id, lower(m.name) collate "C", m.merchant_id limit $6`,
    values: [program_id, prefix, last_character, after.sorted, after.merchant_id, limit],
  }
}

/** The merchant of a program with this number. */
export function findMerchantOfProgram(
  program_id: number,
  merchant_id: number,
  stage: MerchantStage | undefined,
): Statement<ProgramMerchantRow> {
  return {
    text: `${rows} and m.merchant_id = $2 and ${stage === undefined ? 'true' : stages[stage]}`,
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
