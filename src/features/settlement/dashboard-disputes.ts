import Type, { type Static } from 'typebox'
import { parseUuid } from '../../domain/ids.ts'
import { toSar } from '../../domain/money.ts'
import { orderStates, orderType } from '../../domain/order.ts'
import { instant, nullable, oneOf, refine, uuid } from '../../http/api/fields.ts'
import { limitOf, listPagination, listQuery, merchantOf, ofMerchant, pageOf } from '../../http/dashboard/list.ts'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import type { DisputeServices } from './dashboard-dispute.ts'
import type { DisputePlace, DisputeRow } from './dispute-queries.ts'

const query = Type.Object({
  ...listQuery,
  merchant: ofMerchant,
  after: Type.Optional(
    refine(
      Type.String({ maxLength: 100, description: '`next` of the page before.' }),
      'list_place',
      (value) => typeof value !== 'string' || placeOf(value) !== null,
    ),
  ),
})

const dispute = Type.Object({
  order_uuid: uuid(),
  order_number: Type.String(),
  merchant_id: Type.Integer(),
  merchant_name: Type.String(),
  merchant_name_ar: nullable(Type.String()),
  order_status: oneOf(orderStates),
  type: oneOf(['earning', 'replacing']),
  total_price: Type.Number({ description: 'SAR.' }),
  total_points: Type.Integer({ description: 'Earned, or paid with.' }),
  since: instant(),
  reason: nullable(Type.String({ description: 'Null once an erasure has taken it.' })),
})

function view(row: DisputeRow): Static<typeof dispute> {
  const { order_uuid, order_number, merchant_id, merchant_name, merchant_name_ar, order_status } = row
  return {
    ...{ order_uuid, order_number, merchant_id, merchant_name, merchant_name_ar, order_status },
    type: orderType(row.type),
    total_price: toSar(row.total_halalas),
    total_points: row.total_points,
    since: row.excluded_at.toISOString(),
    reason: row.reason,
  }
}

/** A place as a cursor: milliseconds and the order. */
function placeOf(cursor: string): DisputePlace | null {
  const [, ms = '', uuid = ''] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? []
  const order_uuid = parseUuid(uuid)
  const at = new Date(Number(ms))
  return order_uuid === null || Number.isNaN(at.getTime()) ? null : { at, order_uuid }
}

export const listDisputes = {
  tag: 'Settlements',
  summary: 'List the orders that settlements leave out, at all merchants, the newest first',
  query,
  data: Type.Array(dispute),
  pagination: listPagination,
  async handle(
    { program, query: asked }: ProgramRequest<undefined, never, Static<typeof query>>,
    { disputes }: DisputeServices,
  ) {
    const limit = limitOf(asked)
    const before = asked.after === undefined ? null : placeOf(asked.after)
    const owner = { program_id: program.program_id, merchant_id: merchantOf(asked) }
    return pageOf(await disputes.list(owner, before, limit + 1), {
      limit,
      view,
      cursor: ({ excluded_at, order_uuid }) => `${excluded_at.getTime()}.${order_uuid}`,
    })
  },
} as const
