import Type from 'typebox'
import { documents, merchantStages, stageOf } from '../../domain/merchant-review.ts'
import { toPointsPerSar } from '../../domain/points.ts'
import { instant, nullable, oneOf } from '../../http/api/fields.ts'
import { versionField, withVersion } from '../../http/dashboard/version.ts'
import { flowsSchema } from '../merchants/flows-view.ts'
import { flowsOf } from '../merchants/merchant.ts'
import type { MerchantRow } from '../merchants/queries.ts'
import type { NoteRow } from './queries.ts'
import type { ReviewedMerchant } from './service.ts'

/** What operators are shown of a merchant. */

const maybeText = () => nullable(Type.String())

const standing = {
  verified: Type.Boolean(),
  published: Type.Boolean(),
  key_status: Type.Boolean(),
  flows: flowsSchema,
  suspended_reason: maybeText(),
}

export const reviewed = Type.Object(
  {
    merchant_id: Type.Integer(),
    name: Type.String(),
    name_ar: maybeText(),
    stage: oneOf(merchantStages),
    standing: Type.Object({ ...standing, version: versionField }),
    verified_at: nullable(instant()),
    verified_by: maybeText(),
    suspended_at: nullable(instant()),
    suspended_by: maybeText(),
    created_at: instant(),
    settings: Type.Object({
      public_key: Type.String(),
      integration_active: Type.Boolean(),
      points_per_sar: Type.Number(),
      product_rating_points: Type.Integer(),
      store_rating_points: Type.Integer(),
      refund_window_days: Type.Integer(),
      payment_provider: Type.String(),
      payment_flow: oneOf(['sale', 'two_step']),
      signed_checkouts: Type.Boolean(),
      return_hosts: Type.Array(Type.String()),
    }),
    note: Type.Object({
      note: Type.String(),
      changed_by: maybeText(),
      changed_at: nullable(instant()),
      version: versionField,
    }),
    documents: Type.Array(
      Type.Object({
        document: oneOf(documents),
        note: Type.String(),
        seen_by: maybeText(),
        seen_at: nullable(instant()),
      }),
    ),
  },
  { title: 'ReviewedMerchant' },
)

/** What a change of the standing is checked against. */
export function viewStanding(row: MerchantRow) {
  const { verified, published, key_status, suspended_reason } = row
  return { verified, published, key_status, flows: flowsOf(row), suspended_reason }
}

/** What a change of the note is checked against. */
export function viewNote(row: NoteRow | undefined) {
  const { note = '', changed_by = null, changed_at } = row ?? {}
  return { note, changed_by, changed_at: changed_at?.toISOString() ?? null }
}

export function viewReviewed({ merchant, note, documents }: ReviewedMerchant) {
  const { merchant_id, name, name_ar, verified_by, suspended_by } = merchant
  const { public_key, integration_active, product_rating_points, store_rating_points, refund_window_days } = merchant
  const { payment_provider, payment_flow, signed_checkouts, return_hosts } = merchant
  return {
    ...{ merchant_id, name, name_ar, verified_by, suspended_by, stage: stageOf(merchant) },
    standing: withVersion(viewStanding(merchant)),
    verified_at: merchant.verified_at?.toISOString() ?? null,
    suspended_at: merchant.suspended_at?.toISOString() ?? null,
    created_at: merchant.created_at.toISOString(),
    settings: {
      ...{ public_key, integration_active, product_rating_points, store_rating_points, refund_window_days },
      ...{ payment_provider, payment_flow, signed_checkouts, return_hosts },
      points_per_sar: toPointsPerSar(merchant.points_per_sar_e4),
    },
    note: withVersion(viewNote(note)),
    documents: documents.map((row) => ({ ...row, seen_at: row.seen_at?.toISOString() ?? null })),
  }
}
