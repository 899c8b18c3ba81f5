import Type, { type Static } from 'typebox'
import { type Day, dayOf } from '../../domain/day.ts'
import { parseUuid } from '../../domain/ids.ts'
import { lineKinds, moneyKinds, pointKinds } from '../../domain/settlement.ts'
import { instant, nullable, oneOf, refine, uuid } from '../../http/api/fields.ts'
import { Download } from '../../http/dashboard/answers.ts'
import {
  afterUuid,
  limitOf,
  listPagination,
  listQuery,
  merchantOf,
  ofMerchant,
  pageOf,
} from '../../http/dashboard/list.ts'
import type { MerchantRequest, ProgramRequest } from '../../http/dashboard/route.ts'
import { statementFile } from './dashboard-csv.ts'
import { settlementsFile } from './settlements-csv.ts'
import {
  beginning,
  type ClosedSettlement,
  placeText,
  readPlace,
  type SettlementOwner,
  type SettlementPages,
} from './statement.ts'

export interface DashboardSettlementServices {
  readonly settlementPages: SettlementPages
}

/** An amount in SAR, in an answer. */
export const sar = (description: string) => Type.Number({ description: `SAR. ${description}` })

const sums = {
  merchant_id: Type.Integer(),
  orders: Type.Integer({ description: 'Without those refunded in full before the end.' }),
  net_points: Type.Number({
    description: 'Above 0 the merchant owes them to the program, below 0 the program owes them.',
  }),
  net_amount: sar('The value of the net points.'),
  money_amount: sar('Of payment providers: below 0 where they collected it for the merchant.'),
  fee_amount: sar("The program's fee."),
  vat_amount: sar('The tax on the fee.'),
  due_amount: sar('Everything together: above 0 the merchant owes it, below 0 it is owed to the merchant.'),
  from: nullable(instant({ description: 'Null: from the beginning.' })),
  until: instant({ description: 'The end, which is not part of it.' }),
}
const closed = {
  settlement_id: uuid(),
  merchant_name: Type.String(),
  merchant_name_ar: nullable(Type.String()),
  program_name: Type.String({ description: 'Who runs the program.' }),
  ...sums,
  closed_at: instant({ description: 'When it was closed.' }),
}
const line = Type.Object({
  kind: oneOf(lineKinds),
  sar_per_point: nullable(Type.Number({ description: 'The value of a point with which the entries were made.' })),
  entries: Type.Integer(),
  points: Type.Number(),
  amount: Type.Number({ description: 'SAR, with up to six decimals. Above 0 the merchant owes it.' }),
})
const entry = Type.Object({
  at: instant({ description: 'When it counts.' }),
  id: uuid({ description: 'The transfer of points, or the record of the money.' }),
  kind: oneOf([...pointKinds, ...moneyKinds]),
  order_uuid: nullable(uuid()),
  order_number: nullable(Type.String()),
  reference_number: nullable(Type.String()),
  points: Type.Integer(),
  sar_per_point: nullable(Type.Number()),
  amount: Type.Number({ description: 'SAR, with up to six decimals. Above 0 the merchant owes it.' }),
})

const isPlace = (value: unknown): boolean => typeof value !== 'string' || readPlace(value) !== null
const settlementsQuery = Type.Object({ ...listQuery, after: afterUuid })
const fileQuery = Type.Object({ merchant: ofMerchant })
const programQuery = Type.Object({ ...listQuery, after: afterUuid, merchant: ofMerchant })
const linesQuery = Type.Object({
  ...listQuery,
  after: Type.Optional(
    refine(Type.String({ maxLength: 100, description: '`next` of the page before.' }), 'list_place', isPlace),
  ),
})

type Asked<Query = object, Params extends 'settlementUuid' | never = never> =
  | ProgramRequest<undefined, Params, Query>
  | MerchantRequest<undefined, Params, Query>

function ownerOf(request: Asked<object, 'settlementUuid'> | Asked): SettlementOwner {
  if ('merchant' in request && request.merchant !== undefined) {
    const { program_id, merchant_id } = request.merchant
    return { program_id, merchant_id }
  }
  if ('program' in request && request.program !== undefined)
    return { program_id: request.program.program_id, merchant_id: merchantOf(request.query) }
  throw new Error('a settlement of nobody')
}

export const listSettlements = {
  tag: 'Settlements',
  summary: 'List the closed settlements, the newest first',
  query: settlementsQuery,
  data: Type.Array(Type.Object(closed)),
  pagination: listPagination,
  async handle(request: Asked<Static<typeof settlementsQuery>>, { settlementPages }: DashboardSettlementServices) {
    const limit = limitOf(request.query)
    const before = request.query.after === undefined ? undefined : (parseUuid(request.query.after) ?? undefined)
    return pageOf(await settlementPages.list(ownerOf(request), { before, limit }), {
      limit,
      view: (settlement) => settlement,
      cursor: ({ settlement_id }) => settlement_id,
    })
  },
} as const

export const listSettlementsOfProgram = {
  ...listSettlements,
  summary: 'List the closed settlements of all merchants or of one, the newest first',
  query: programQuery,
} as const

export const exportSettlements = {
  tag: 'Settlements',
  summary: 'Save the closed settlements as CSV, the newest first',
  data: Type.String(),
  async handle(request: Asked, { settlementPages }: DashboardSettlementServices) {
    const owner = ownerOf(request)
    const { program_id, merchant_id } = owner
    return new Download({
      filename: `settlements-${merchant_id === undefined ? `program-${program_id}` : merchant_id}.csv`,
      type: 'text/csv; charset=utf-8',
      chunks: settlementsFile(settlementPages, owner, request.locale),
    })
  },
} as const

export const exportSettlementsOfProgram = {
  ...exportSettlements,
  summary: 'Save the closed settlements of all merchants or of one as CSV, the newest first',
  query: fileQuery,
} as const

export const readSettlement = {
  tag: 'Settlements',
  summary: 'Read a settlement with its sums',
  data: Type.Object({ ...closed, lines: Type.Array(line) }),
  failures: ['not_found'],
  async handle(request: Asked<object, 'settlementUuid'>, { settlementPages }: DashboardSettlementServices) {
    return settlementPages.read(ownerOf(request), request.params.settlementUuid)
  },
} as const

export const listSettlementEntries = {
  tag: 'Settlements',
  summary: 'List what a settlement adds up, the oldest first',
  query: linesQuery,
  data: Type.Array(entry),
  pagination: listPagination,
  failures: ['not_found'],
  async handle(
    request: Asked<Static<typeof linesQuery>, 'settlementUuid'>,
    { settlementPages }: DashboardSettlementServices,
  ) {
    const limit = limitOf(request.query)
    const after = request.query.after === undefined ? beginning : (readPlace(request.query.after) ?? beginning)
    const lines = await settlementPages.lines(ownerOf(request), request.params.settlementUuid, after, limit + 1)
    return pageOf(lines, { limit, view: ({ line: shown }) => shown, cursor: ({ place }) => placeText(place) })
  },
} as const

export const exportSettlement = {
  tag: 'Settlements',
  summary: 'Save the statement of a settlement as CSV',
  data: Type.String(),
  failures: ['not_found'],
  async handle(request: Asked<object, 'settlementUuid'>, { settlementPages }: DashboardSettlementServices) {
    const owner = ownerOf(request)
    const settlement = await settlementPages.read(owner, request.params.settlementUuid)
    return new Download({
      filename: `settlement-${settlement.merchant_id}-${lastDayOf(settlement)}.csv`,
      type: 'text/csv; charset=utf-8',
      chunks: statementFile(settlementPages, owner, settlement, request.locale),
    })
  },
} as const

/** The last day of a settlement, whose end is not in it. */
function lastDayOf({ until }: Pick<ClosedSettlement, 'until'>): Day {
  return dayOf(new Date(Date.parse(until) - 1))
}
