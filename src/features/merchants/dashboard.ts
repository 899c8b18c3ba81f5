import Type from 'typebox'
import type { Environment } from '../../config/config.ts'
import { toSarPerPoint } from '../../domain/points.ts'
import { rateAt } from '../../domain/rates.ts'
import { adjustmentLimits, mayDo, type Permission, permissions, roles } from '../../domain/staff.ts'
import { oneOf, refine, text } from '../../http/api/fields.ts'
import { limitOf, listPagination, listQuery, pageOf } from '../../http/dashboard/list.ts'
import type { MerchantRequest, ProgramRequest, StaffRequest } from '../../http/dashboard/route.ts'
import type { Clock } from '../../lib/clock.ts'
import type { FindMerchants } from './list.ts'
import { firstPlace, type ListPlace } from './list-queries.ts'

/** What the dashboard's endpoints about a merchant as a whole need. */
export interface DashboardMerchantServices {
  readonly clock: Clock
  readonly environment: Environment
  readonly findMerchants: FindMerchants
}

const permissionNames = Object.keys(permissions) as Permission[]

/** What every page of the dashboard needs to know of its merchant and its reader. */
export const readOneMerchant = {
  tag: 'Merchants',
  summary: 'Read a merchant, and what you may do there',
  data: Type.Object({
    program_id: Type.Integer(),
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
  async handle({ merchant, standing }: MerchantRequest, { environment, clock }: DashboardMerchantServices) {
    const { program_id, merchant_id, name, verified, published, program } = merchant
    return {
      program_id,
      merchant_id,
      name,
      environment,
      verified,
      published,
      sar_per_point: toSarPerPoint(rateAt(program.rates, clock.now())),
      standing,
      permissions: permissionNames.filter((permission) => mayDo(standing, permission)),
      adjustment_limit: adjustmentLimits[standing],
    }
  },
} as const

const isCursor = (value: unknown): boolean => typeof value !== 'string' || placeOf(value) !== undefined
const query = Type.Object({
  ...listQuery,
  // A name has up to 255 characters of four bytes.
  after: Type.Optional(
    refine(Type.String({ maxLength: 1_500, description: '`next` of the page before.' }), 'characters', isCursor),
  ),
  q: Type.Optional(text({ max: 255, description: 'The beginning of a name, or a number.' })),
})

const list = {
  tag: 'Merchants',
  description: 'A merchant whose number is `q` comes first.',
  query,
  data: Type.Array(
    Type.Object({
      merchant_id: Type.Integer(),
      name: Type.String(),
      program_name: Type.String(),
      verified: Type.Boolean(),
      published: Type.Boolean(),
    }),
  ),
  pagination: listPagination,
} as const

type Query = Type.Static<typeof query>

/** For operators, who may work at every merchant. */
export const listAllMerchants = {
  ...list,
  summary: 'List all merchants of the deployment by name',
  handle({ query: sent }: StaffRequest<undefined, never, Query>, services: DashboardMerchantServices) {
    return pageOfMerchants(services, sent)
  },
} as const

export const listMerchantsOfProgram = {
  ...list,
  summary: 'List the merchants of a program by name',
  handle({ query: sent, program }: ProgramRequest<undefined, never, Query>, services: DashboardMerchantServices) {
    return pageOfMerchants(services, sent, program.program_id)
  },
} as const

async function pageOfMerchants({ findMerchants }: DashboardMerchantServices, sent: Query, program_id?: number) {
  const [limit, after] = [limitOf(sent), placeOf(sent.after ?? '')]
  const where = program_id === undefined ? {} : { program_id }
  const { numbered, named } = await findMerchants({ ...where, q: sent.q ?? '', after, limit: limit + 1 })
  const rows = numbered === undefined ? named : [numbered, ...named]
  return pageOf(rows, {
    limit,
    view: ({ sorted: _, ...merchant }) => merchant,
    cursor: (row) => cursorOf(row === numbered ? firstPlace : row),
  })
}

function cursorOf({ merchant_id, sorted }: ListPlace): string {
  return `${merchant_id}.${Buffer.from(sorted).toString('base64url')}`
}

/** Reads a cursor; undefined for a text that is none. */
function placeOf(cursor: string): ListPlace | undefined {
  const [, number = '', name = ''] = /^(0|[1-9]\d{0,14})\.([\w-]*)$/.exec(cursor) ?? []
  const sorted = Buffer.from(name, 'base64url').toString()
  return number === '' || sorted.includes('\0') ? undefined : { merchant_id: Number(number), sorted }
}
