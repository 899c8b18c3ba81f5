import Type, { type Static } from 'typebox'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import { refuseFields } from '../../domain/failures.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { boolean, describedAsOneOf, object, optional } from '../../http/api/fields.ts'
import type { RouteRequest } from '../../http/api/route.ts'
import { updateIntegration } from './key-queries.ts'

export interface IntegrationServices {
  readonly setIntegration: SetIntegration
}

const fields = object({
  integration_active: optional(
    boolean({ description: 'Whether the integration is switched on in your platform.', examples: [true] }),
  ),
  active: optional(boolean({ description: 'Another name for `integration_active`, which wins when both are sent.' })),
})
const integrationBody = describedAsOneOf(fields, ['integration_active', 'active'])

const view = (active: boolean) => ({ integration_active: active, active })

/** docs/spec/api.md#integration-status */
export const setIntegrationStatus = {
  tag: 'Integration',
  summary: 'Switch the integration on or off',
  description: 'Send one of the two fields. The key goes on working either way.',
  body: integrationBody,
  data: Type.Object({ integration_active: Type.Boolean(), active: Type.Boolean() }),
  example: { request: { integration_active: false }, data: view(false) },
  async handle(
    { merchant, body, once }: RouteRequest<Static<typeof integrationBody>>,
    { setIntegration }: IntegrationServices,
  ) {
    const active = body.integration_active ?? body.active
    if (active === undefined) return refuseFields({ field: 'integration_active', rule: 'required' })
    return view(await setIntegration(merchant, active, once.keeping(view)))
  },
} as const

/**
 * Sets `integration_active` of a merchant's key pair and gives it. The key works either way.
 * docs/spec/api.md#integration-status
 */
export type SetIntegration = (
  owner: MerchantKey,
  active: boolean,
  beforeCommit?: BeforeCommit<boolean>,
) => Promise<boolean>

/** The keys were regenerated between two statements: try again with the new pair. */
class PairReplaced extends Error {}

export function createSetIntegration(db: Database): SetIntegration {
  return (owner, active, beforeCommit) =>
    db.transaction(
      async (tx) => {
        const row = await tx.one(updateIntegration(owner, active))
        if (row === undefined) throw new PairReplaced('the key pair was replaced')
        await beforeCommit?.(tx, row.integration_active)
        return row.integration_active
      },
      { retryOn: (error) => error instanceof PairReplaced },
    )
}
