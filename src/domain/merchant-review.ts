/** How operators look after merchants. docs/spec/operation.md#merchants */

/** The papers that an operator sees before verifying a merchant. */
export const documents = ['commercial_register', 'vat_certificate', 'bank_letter', 'contract'] as const
export type MerchantDocument = (typeof documents)[number]

export const max_document_note = 500
export const max_merchant_note = 4_000
export const max_suspension_reason = 500

/** Where a merchant stands: the first thing that keeps it from work, or `live`. */
export const merchantStages = ['suspended', 'unverified', 'unpublished', 'live'] as const
export type MerchantStage = (typeof merchantStages)[number]

export interface MerchantStanding {
  readonly verified: boolean
  readonly published: boolean
  readonly suspended_at: Date | null
}

/** Takes the standing of a merchant; gives the stage that lists and pages show. */
export function stageOf({ verified, published, suspended_at }: MerchantStanding): MerchantStage {
  if (suspended_at !== null) return 'suspended'
  if (!verified) return 'unverified'
  return published ? 'live' : 'unpublished'
}
