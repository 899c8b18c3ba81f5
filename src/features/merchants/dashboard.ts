import Type from 'typebox'
import type { Environment } from '../../config/config.ts'
import { toSarPerPoint } from '../../domain/points.ts'
import { rateAt } from '../../domain/rates.ts'
import { adjustmentLimits, permissionNames, permissionsOf, roles } from '../../domain/staff.ts'
import { instant, nullable, oneOf } from '../../http/api/fields.ts'
import { limitOf, listPagination, pageOf } from '../../http/dashboard/list.ts'
import type { MerchantRequest, StaffRequest } from '../../http/dashboard/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { cursorOf, merchantListQuery, placeOf } from './dashboard-list.ts'
import type { MerchantSettingsServices } from './dashboard-settings.ts'
import type { FindMerchants } from './list.ts'
import { firstPlace } from './list-queries.ts'
import type { ReadSuspension } from './suspension.ts'

/** What the dashboard's endpoints about a merchant as a whole need. */
export interface DashboardMerchantServices {
  readonly clock: Clock
  readonly environment: Environment
  readonly findMerchants: FindMerchants
  readonly readSuspension: ReadSuspension
}

/** The facts about merchant and reader that every page of the dashboard needs. */
export const readOneMerchant = {
  tag: 'Merchants',
  summary: 'Read a merchant, and what you may do there',
  data: Type.Object({
    program_id: Type.Integer(),
    merchant_id: Type.Integer(),
    name: Type.String(),
    name_ar: nullable(Type.String()),
    environment: oneOf(['sandbox', 'production']),
    verified: Type.Boolean(),
    published: Type.Boolean(),
    suspended_at: nullable(instant()),
    sar_per_point: Type.Number(),
    standing: oneOf([...roles, 'operator']),
    permissions: Type.Array(oneOf(permissionNames)),
    adjustment_limit: nullable(Type.Integer(), {
      description: 'The most points of one adjustment of a wallet; null for no limit.',
    }),
  }),
  async handle(
    { merchant, standing }: MerchantRequest,
    services: DashboardMerchantServices & MerchantSettingsServices,
  ) {
    const { environment, clock, merchantSettings } = services
    const { program_id, merchant_id, name, verified, published, program } = merchant
    return {
      program_id,
      merchant_id,
      name,
      name_ar: (await merchantSettings.read(merchant)).name_ar,
      environment,
      verified,
      published,
      suspended_at: (await services.readSuspension(merchant))?.toISOString() ?? null,
      sar_per_point: toSarPerPoint(rateAt(program.rates, clock.now())),
      standing,
      permissions: permissionsOf(standing),
      adjustment_limit: adjustmentLimits[standing],
    }
  },
} as const

const query = merchantListQuery

/** For operators, who may work at every merchant. */
export const listAllMerchants = {
  tag: 'Merchants',
  summary: 'List all merchants of the deployment by name',
  description: 'A merchant whose number is `q` comes first.',
  query,
  data: Type.Array(
    Type.Object({
      merchant_id: Type.Integer(),
      name: Type.String(),
      name_ar: nullable(Type.String()),
      program_name: Type.String(),
      verified: Type.Boolean(),
      published: Type.Boolean(),
    }),
  ),
  pagination: listPagination,
  async handle(
    { query: sent }: StaffRequest<undefined, never, Type.Static<typeof query>>,
    { findMerchants }: DashboardMerchantServices,
  ) {
    const [limit, after] = [limitOf(sent), placeOf(sent.after ?? '')]
    const { numbered, named } = await findMerchants({ q: sent.q ?? '', after, limit: limit + 1 })
    const rows = numbered === undefined ? named : [numbered, ...named]
    return pageOf(rows, {
      limit,
      view: ({ sorted: _, ...merchant }) => merchant,
      cursor: (row) => cursorOf(row === numbered ? firstPlace : row),
    })
  },
} as const
