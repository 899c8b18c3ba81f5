import type { Database } from '../../db/pool.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { type PointsPerSarE4, toPointsPerSar } from '../../domain/points.ts'
import { findFirstPublicKey } from './key-queries.ts'

/** What a merchant's public key reveals: whether purchases earn, and at which rate. */
export type EarnRate = { readonly earns: true; readonly points_per_sar: number } | { readonly earns: false }

/** Gives the rate of the key's merchant; null if the key is unknown or switched off. */
export type ReadEarnRate = (public_key: string) => Promise<EarnRate | null>

type FindMerchant = (kind: 'public', key: string) => Promise<Merchant | null>

/** A purchase earns if `POST /v1/orders/earning` would award it. docs/spec/api.md#standing */
export function createReadEarnRate(findMerchant: FindMerchant): ReadEarnRate {
  return async (public_key) => {
    const merchant = await findMerchant('public', public_key)
    if (merchant === null) return null
    const { verified, published, flows, points_per_sar_e4 } = merchant
    return verified && published && flows.earning ? earning(points_per_sar_e4) : { earns: false }
  }
}

function earning(rate: PointsPerSarE4): EarnRate {
  return { earns: true, points_per_sar: toPointsPerSar(rate) }
}

/** The demo merchant's public key, to try the widget with. Null while there is no merchant. */
export type ReadTrialKey = () => Promise<string | null>

export function createReadTrialKey(db: Database): ReadTrialKey {
  return async () => (await db.one(findFirstPublicKey()))?.public_key ?? null
}
