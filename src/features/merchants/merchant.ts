import type { Database } from '../../db/pool.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { findMerchantWithKeys, findProgramOf, type KeyRow } from './key-queries.ts'

/** Gives a merchant by its ids, even if its keys are switched off; null if there is none. */
export async function loadMerchant(db: Database, program_id: number, merchant_id: number): Promise<Merchant | null> {
  const row = await db.one(findMerchantWithKeys(program_id, merchant_id))
  return row === undefined ? null : merchantOf(row)
}

/** Gives a merchant by its number, which is unique in a deployment; null if there is none. */
export async function loadMerchantOf(
  db: Database,
  merchant_id: number,
  program_id: number | undefined,
): Promise<Merchant | null> {
  const known = program_id ?? (await db.one(findProgramOf(merchant_id)))?.program_id
  return known === undefined ? null : loadMerchant(db, known, merchant_id)
}

/** The merchant of a key pair's row. */
export function merchantOf(row: KeyRow): Merchant {
  return {
    program: {
      program_id: row.program_id,
      account_id: row.program_account_id,
      activation: row.activation,
      rates: row.rates,
      locale: row.locale,
    },
    program_id: row.program_id,
    merchant_id: row.merchant_id,
    account_id: row.account_id,
    name: row.name,
    verified: row.verified,
    published: row.published,
    flows: flowsOf(row),
    points_per_sar_e4: row.points_per_sar_e4,
    product_rating_points: row.product_rating_points,
    store_rating_points: row.store_rating_points,
    refund_window_days: row.refund_window_days,
    integration_active: row.integration_active,
  }
}

/** The flows that are on at a merchant, from its row. */
export function flowsOf(
  row: Pick<KeyRow, 'earning_on' | 'product_rating_on' | 'store_rating_on' | 'checkout_on'>,
): Merchant['flows'] {
  return {
    earning: row.earning_on,
    product_rating: row.product_rating_on,
    store_rating: row.store_rating_on,
    checkout: row.checkout_on,
  }
}
