import Type, { type Static } from 'typebox'
import { boolean, describedAsOneOf, object, optional } from '../../http/api/fields.ts'
import type { RouteRequest } from '../../http/api/route.ts'
import { refuseFields } from '../../http/api/validation.ts'
import type { SetIntegration } from './integration.ts'

export interface IntegrationServices {
  readonly setIntegration: SetIntegration
}

const fields = object({
  integration_active: optional(
    boolean({ description: 'Whether the integration is switched on in your platform.', examples: [true] }),
  ),
  active: optional(boolean({ description: 'Another name for `integration_active`, which wins when both are sent.' })),
})
const switching = describedAsOneOf(fields, ['integration_active', 'active'])

const view = (active: boolean) => ({ integration_active: active, active })

/** Spec, "POST /v1/integration/status"; decisions §11. */
export const setIntegrationStatus = {
  tag: 'Integration',
  summary: 'Switch the integration on or off',
  description: 'Send one of the two fields. The key goes on working either way.',
  body: switching,
  data: Type.Object({ integration_active: Type.Boolean(), active: Type.Boolean() }),
  example: { request: { integration_active: false }, data: view(false) },
  async handle(
    { merchant, body, once }: RouteRequest<Static<typeof switching>>,
    { setIntegration }: IntegrationServices,
  ) {
    const active = body.integration_active ?? body.active
    if (active === undefined) return refuseFields({ field: 'integration_active', rule: 'required' })
    return view(await setIntegration(merchant, active, once.keeping(view)))
  },
} as const
