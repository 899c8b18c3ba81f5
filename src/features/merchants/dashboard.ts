import Type from 'typebox'
import type { Environment } from '../../config/config.ts'
import { toSarPerPoint } from '../../domain/points.ts'
import { adjustmentLimits, mayDo, type Permission, permissions, roles } from '../../domain/staff.ts'
import { oneOf } from '../../http/api/fields.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'

/** What the dashboard's endpoints about a merchant as a whole need. */
export interface DashboardMerchantServices {
  readonly environment: Environment
}

const permissionNames = Object.keys(permissions) as Permission[]

/** What every page of the dashboard needs to know of its merchant and its reader. */
export const readOneMerchant = {
  tag: 'Merchants',
  summary: 'Read a merchant, and what you may do there',
  data: Type.Object({
    merchant_id: Type.Integer(),
    name: Type.String(),
    environment: oneOf(['sandbox', 'production']),
    verified: Type.Boolean(),
    published: Type.Boolean(),
    sar_per_point: Type.Number(),
    standing: oneOf([...roles, 'operator']),
    permissions: Type.Array(oneOf(permissionNames)),
    adjustment_limit: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The most points of one adjustment of a wallet; null for no limit.',
    }),
  }),
  async handle({ merchant, standing }: MerchantRequest, { environment }: DashboardMerchantServices) {
    const { merchant_id, name, verified, published, program } = merchant
    return {
      merchant_id,
      name,
      environment,
      verified,
      published,
      sar_per_point: toSarPerPoint(program.micro_sar_per_point),
      standing,
      permissions: permissionNames.filter((permission) => mayDo(standing, permission)),
      adjustment_limit: adjustmentLimits[standing],
    }
  },
} as const
