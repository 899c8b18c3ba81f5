import Type, { type Static } from 'typebox'
import { uuidV7Time } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import { errorTable } from '../../http/api/errors.ts'
import { nullable, oneOf, text, uuidText } from '../../http/api/fields.ts'
import { DashboardAnswer } from '../../http/dashboard/answers.ts'
import { afterUuid, limitOf, listPagination, listQuery, uuidOf } from '../../http/dashboard/list.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import type { ListRequests } from './list.ts'
import type { RequestRow } from './queries.ts'

export interface DashboardRequestServices {
  readonly listRequests: ListRequests
}

const query = Type.Object({
  ...listQuery,
  after: afterUuid,
  status: Type.Optional(oneOf(['2xx', '4xx', '5xx'])),
  route: Type.Optional(text({ max: 200, description: 'The pattern of a path, as the list shows it.' })),
  failure: Type.Optional(text({ max: 100, description: 'The kind of a refusal, as the list shows it.' })),
  request_id: Type.Optional(uuidText('uuid', { description: 'The `X-Request-Id` of one answer.' })),
})

const request = Type.Object({
  request_id: Type.String(),
  at: Type.String({ description: 'When it arrived.' }),
  method: Type.String(),
  route: Type.String(),
  order_uuid: nullable(Type.String()),
  status: Type.Integer(),
  duration_ms: Type.Integer(),
  failure: nullable(Type.String()),
  message: nullable(Type.String({ description: 'What the API said.' })),
  fields: Type.Array(Type.String(), { description: 'The names of the fields that were refused.' }),
  body_bytes: nullable(Type.Integer()),
  body: nullable(
    Type.Object(
      { fields: Type.Record(Type.String(), Type.String()), unknown: Type.Integer() },
      { description: 'Of a refused request: its fields with their kinds, and how many are unknown. No values.' },
    ),
  ),
  more: Type.Integer({ description: 'How many requests like this one in the same minute have no row of their own.' }),
})

/** The request log of a merchant. docs/spec/operation.md#request-log */
export const listRequests = {
  tag: 'Request log',
  summary: 'List the requests of a merchant, the newest first',
  description: 'A page can be short, or empty, with more behind it: it has looked at a bounded part of the log.',
  query,
  data: Type.Array(request),
  pagination: listPagination,
  async handle(
    { merchant, query: sent, locale }: MerchantRequest<undefined, 'merchantId', Static<typeof query>>,
    { listRequests: list }: DashboardRequestServices,
  ) {
    const filter = {
      status_class: sent.status === undefined ? undefined : Number(sent.status[0]),
      route: sent.route,
      failure: sent.failure,
      request_id: uuidOf(sent.request_id),
    }
    const { requests, next } = await list(merchant, filter, { before: uuidOf(sent.after), limit: limitOf(sent) })
    return new DashboardAnswer(
      requests.map((row) => viewRequest(row, locale)),
      { beside: { next } },
    )
  },
} as const

function viewRequest({ fields, ...row }: RequestRow, locale: Locale): Static<typeof request> {
  const { request_id, failure } = row
  return {
    ...row,
    at: new Date(uuidV7Time(request_id)).toISOString(),
    // Old rows can name a failure that no longer exists.
    message: failure !== null && Object.hasOwn(errorTable, failure) ? errorTable[failure].text[locale] : null,
    fields: [...(fields ?? [])],
  }
}
