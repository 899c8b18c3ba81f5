import Type, { type Static } from 'typebox'
import { refuseFields } from '../../domain/failures.ts'
import { instant, nullable, object, oneOf, optional, uuid, uuidText } from '../../http/api/fields.ts'
import { afterUuid, limitOf, listPagination, listQuery, pageOf, uuidOf } from '../../http/dashboard/list.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import { bodyOf } from './attempt.ts'
import { type DashboardWebhookServices, instantField } from './dashboard.ts'
import type { FailedRange } from './log.ts'
import { type DeliveryDetail, max_replayed } from './merchant-log.ts'
import type { ListedDelivery } from './merchant-log-queries.ts'
import type { Webhook } from './queries.ts'

const states = ['due', 'delivered', 'failed'] as const

const common = {
  delivery_id: uuid(),
  event_id: uuid(),
  event: nullable(Type.String({ description: 'Null once the event is not kept any more.' })),
  webhook_uuid: uuid(),
  webhook_name: nullable(Type.String({ description: 'Null once the webhook is deleted.' })),
  order_uuid: uuid(),
  state: oneOf(states),
  series: Type.Integer({ description: '1 at first; each replay adds one.' }),
  due_at: nullable(instant()),
  created_at: instant(),
  ended_at: nullable(instant()),
}

const listed = Type.Object(
  {
    ...common,
    attempts: Type.Integer({ description: 'Of the last series.' }),
    last_status: nullable(Type.Integer()),
    last_error: nullable(Type.String()),
    last_duration_ms: nullable(Type.Integer()),
  },
  { title: 'ListedDelivery' },
)

type Shared = Omit<ListedDelivery, 'last_status' | 'last_error' | 'last_duration_ms' | 'attempts'>

function viewShared(row: Shared, webhook: Webhook | undefined) {
  return {
    delivery_id: row.delivery_id,
    event_id: row.event_id,
    event: row.event,
    webhook_uuid: row.webhook_uuid,
    webhook_name: webhook?.name ?? null,
    order_uuid: row.order_uuid,
    state: row.state,
    series: row.series,
    due_at: row.due_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

const query = Type.Object({
  ...listQuery,
  after: afterUuid,
  webhook: optional(uuidText('uuid', { description: 'To this webhook.' })),
  state: optional(oneOf(states)),
})

export const listMerchantDeliveries = {
  tag: 'Webhooks',
  summary: 'List the deliveries to the webhooks of a merchant',
  description: 'The newest first. Those to deleted webhooks are not listed.',
  query,
  data: Type.Array(listed),
  pagination: listPagination,
  async handle(
    {
      merchant,
      query: { after, webhook, state, limit: asked },
    }: MerchantRequest<undefined, never, Static<typeof query>>,
    { webhookLog }: DashboardWebhookServices,
  ) {
    const limit = limitOf({ limit: asked })
    const filter = { webhook_uuid: uuidOf(webhook), state }
    const { rows, webhooks } = await webhookLog.list(merchant, filter, { before: uuidOf(after), size: limit + 1 })
    const view = (row: ListedDelivery) => ({
      ...viewShared(row, webhooks.get(row.webhook_uuid)),
      attempts: row.attempts,
      last_status: row.last_status,
      last_error: row.last_error,
      last_duration_ms: row.last_duration_ms,
    })
    return pageOf(rows, { limit, view, cursor: ({ delivery_id }) => delivery_id })
  },
} as const

const detail = Type.Object(
  {
    ...common,
    url: nullable(Type.String()),
    body: nullable(Type.String({ description: 'What is sent, as it is sent.' })),
    attempts: Type.Array(
      Type.Object({
        series: Type.Integer(),
        attempt: Type.Integer(),
        started_at: instant(),
        duration_ms: nullable(Type.Integer()),
        status: nullable(Type.Integer()),
        response: nullable(Type.String({ description: 'The beginning of the answer.' })),
        error: nullable(Type.String()),
        error_code: nullable(Type.String({ description: 'What failed; null for attempts of an older version.' })),
      }),
      { description: 'The newest first; 100 at most.' },
    ),
  },
  { title: 'DeliveryDetail' },
)

function viewDetail({ delivery, attempts, webhook }: DeliveryDetail) {
  const { event, payload, happened_at } = delivery
  const is_kept = event !== null && payload !== null && happened_at !== null
  return {
    ...viewShared(delivery, webhook),
    url: webhook?.url ?? null,
    body: is_kept ? bodyOf({ event, payload, happened_at }) : null,
    attempts: attempts.map(({ delivery_id: _, started_at, ...attempt }) => ({
      ...attempt,
      started_at: started_at.toISOString(),
    })),
  }
}

export const readMerchantDelivery = {
  tag: 'Webhooks',
  summary: 'Read a delivery with its attempts',
  data: detail,
  failures: ['not_found'],
  async handle(
    { merchant, params }: MerchantRequest<undefined, 'deliveryId'>,
    { webhookLog }: DashboardWebhookServices,
  ) {
    return viewDetail(await webhookLog.read(merchant, params.deliveryId))
  },
} as const

const viewReplayed = (delivery_id: string) => ({ delivery_id })

export const replayMerchantDelivery = {
  tag: 'Webhooks',
  summary: 'Send a delivery again',
  description: 'As a new series of attempts.',
  data: Type.Object({ delivery_id: uuid() }),
  failures: ['not_found', 'delivery_not_ended', 'delivery_gone'],
  async handle(
    { merchant, params, actor, once }: MerchantRequest<undefined, 'deliveryId'>,
    { webhookLog }: DashboardWebhookServices,
  ) {
    await webhookLog.replay(merchant, params.deliveryId, { by: actor, keep: once.keeping(viewReplayed) })
    return viewReplayed(params.deliveryId)
  },
} as const

const range = {
  since: instantField('Of events from this instant on.'),
  until: instantField('Of events before this instant.'),
}

function rangeOf({ since, until }: { readonly since: string; readonly until: string }): FailedRange {
  const [since_ms, until_ms] = [Date.parse(since), Date.parse(until)]
  if (until_ms <= since_ms) refuseFields({ field: 'until', rule: 'range_order', limit: 'since' })
  return { since_ms, until_ms }
}

const countQuery = Type.Object(range)

export const countMerchantReplay = {
  tag: 'Webhooks',
  summary: 'Count the failed deliveries of a webhook in a range',
  data: Type.Object({
    failed: Type.Integer({ description: `Counted to ${max_replayed}.` }),
    most: Type.Integer({ description: 'How many one request sends again.' }),
    more: Type.Boolean({ description: 'Whether there are more than that.' }),
  }),
  failures: ['webhook_not_found'],
  async handle(
    { merchant, params, query: sent }: MerchantRequest<undefined, 'uuid', Static<typeof countQuery>>,
    { webhookLog }: DashboardWebhookServices,
  ) {
    const counted = await webhookLog.countFailed(merchant, params.uuid, rangeOf(sent))
    return { failed: Math.min(counted, max_replayed), most: max_replayed, more: counted > max_replayed }
  },
  query: countQuery,
} as const

const replayBody = object(range)

export const replayMerchantRange = {
  tag: 'Webhooks',
  summary: 'Send the failed deliveries of a webhook in a range again',
  description: `The oldest first, ${max_replayed} at most; ask again for those behind.`,
  body: replayBody,
  data: Type.Object({ replayed: Type.Integer(), more: Type.Boolean({ description: 'Whether failed ones are left.' }) }),
  failures: ['webhook_not_found'],
  async handle(
    { merchant, params, body, actor }: MerchantRequest<Static<typeof replayBody>, 'uuid'>,
    { webhookLog }: DashboardWebhookServices,
  ) {
    const replayed = await webhookLog.replayRange(merchant, params.uuid, { range: rangeOf(body), by: actor })
    return { replayed, more: replayed === max_replayed }
  },
} as const
