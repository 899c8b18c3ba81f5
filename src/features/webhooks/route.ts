import Type, { type Static } from 'typebox'
import { maskedSecret } from '../../domain/webhook-secret.ts'
import { asUri, exampleInstant, object, oneOfTwo, optional, refine, text, uuid } from '../../http/api/fields.ts'
import { pageSchema, paginate, readPage } from '../../http/api/pagination.ts'
import { Answer } from '../../http/api/responses.ts'
import type { RouteRequest } from '../../http/api/route.ts'
import type { Webhook } from './queries.ts'
import type { Registered, Webhooks } from './service.ts'
import { hasCredentials, hostReach, isTarget, max_target, target_begins } from './target.ts'

export interface WebhookServices {
  readonly webhooks: Webhooks
  /** The start of links: the public URL without a trailing slash. */
  readonly public_url: string
}

/**
 * An `https` URL, or `http` to this machine, which the service checks against the settings.
 * docs/spec/webhooks.md#targets
 */
export function targetUrl() {
  const schema = asUri(
    text({
      max: max_target,
      description: 'An https URL whose host is publicly reachable. Redirects are not followed.',
      examples: ['https://shop.example.com/nuqta/events'],
    }),
  )
  const valid = refine(schema, 'url', (value) => typeof value !== 'string' || isTarget(value), target_begins)
  const bare = refine(valid, 'url_credentials', (value) => !hasCredentials(value))
  return refine(bare, 'address_reserved', (value) => hostReach(value) !== 'reserved')
}

export const webhookName = () =>
  text({ max: 255, description: 'For people: what receives the deliveries.', examples: ['Main'] })

const creation = object({ name: webhookName(), url: targetUrl() })
const change = oneOfTwo(object({ name: optional(webhookName()), url: optional(targetUrl()) }), ['name', 'url'])

/** docs/spec/webhooks.md#registration */
const webhookSchema = Type.Object(
  {
    uuid: uuid(),
    merchant_id: Type.Integer(),
    name: Type.String(),
    url: Type.String({
      format: 'iri',
      description: 'As it was sent: other letters than those of ASCII stay as they are.',
    }),
    secret: Type.String({
      description: 'Sent in `X-Webhook-Secret`. Whole at creation, `****` and the last four characters afterwards.',
      examples: ['****7k2q'],
    }),
    created_at: exampleInstant(),
    updated_at: exampleInstant(),
  },
  { title: 'Webhook' },
)

function view(webhook: Webhook, secret = maskedSecret(webhook, new Date())): Static<typeof webhookSchema> {
  return {
    uuid: webhook.webhook_uuid,
    merchant_id: webhook.merchant_id,
    name: webhook.name,
    url: webhook.url,
    secret,
    created_at: webhook.created_at.toISOString(),
    updated_at: webhook.updated_at.toISOString(),
  }
}

const exampleWebhook: Static<typeof webhookSchema> = {
  uuid: '019c137b-fb40-7c3a-9d52-3f6b1a2c4d5e',
  merchant_id: 7,
  name: 'Main',
  url: 'https://shop.example.com/nuqta/events',
  secret: '****4k2q',
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
}

const exampleList = 'https://localhost:8443/api/v1/webhooks'

const viewRegistered = ({ webhook, secret }: Registered) => view(webhook, secret)

export const createOneWebhook = {
  tag: 'Webhooks',
  summary: 'Register a webhook',
  description:
    'Store the `secret`: it is shown whole here and never again. A merchant has up to 20 webhooks; one, and perhaps a ' +
    'second for audit, is what we advise.',
  body: creation,
  data: webhookSchema,
  example: {
    request: { name: exampleWebhook.name, url: exampleWebhook.url },
    data: { ...exampleWebhook, secret: 'whsec_b9kb8bzs7dtdz9mn23hjb24k2q' },
  },
  async handle({ merchant, body, once }: RouteRequest<Static<typeof creation>>, { webhooks }: WebhookServices) {
    const keep = once.keeping(viewRegistered)
    return viewRegistered(await webhooks.create(merchant, body, { keep }))
  },
} as const

export const listWebhooks = {
  tag: 'Webhooks',
  summary: 'List the webhooks',
  description: 'The oldest first.',
  query: pageSchema.query,
  data: Type.Array(webhookSchema),
  pagination: pageSchema.pagination,
  example: {
    data: [exampleWebhook],
    pagination: {
      links: {
        first: `${exampleList}?per_page=15&page=1`,
        last: `${exampleList}?per_page=15&page=1`,
        prev: null,
        next: null,
      },
      meta: { current_page: 1, from: 1, last_page: 1, path: exampleList, per_page: 15, to: 1, total: 1 },
    },
  },
  async handle({ merchant, query }: RouteRequest, { webhooks, public_url }: WebhookServices) {
    const all = (await webhooks.list(merchant)).map((webhook) => view(webhook))
    const { data, ...pagination } = paginate(all, readPage(query), `${public_url}/api/v1/webhooks`)
    return new Answer(data, {}, pagination)
  },
} as const

export const readOneWebhook = {
  tag: 'Webhooks',
  summary: 'Read a webhook',
  data: webhookSchema,
  failures: ['webhook_not_found'],
  example: { data: exampleWebhook },
  async handle({ merchant, params }: RouteRequest<undefined, 'uuid'>, { webhooks }: WebhookServices) {
    return view(await webhooks.read(merchant, params.uuid))
  },
} as const

/** For PUT and PATCH alike. docs/spec/webhooks.md#management */
export const updateOneWebhook = {
  tag: 'Webhooks',
  summary: 'Change a webhook',
  description: 'Send `name`, `url` or both; what is not sent stays as it is. PUT and PATCH do the same.',
  body: change,
  data: webhookSchema,
  failures: ['webhook_not_found'],
  example: { request: { name: 'Audit' }, data: { ...exampleWebhook, name: 'Audit' } },
  async handle({ merchant, params, body }: RouteRequest<Static<typeof change>, 'uuid'>, { webhooks }: WebhookServices) {
    return view(await webhooks.update(merchant, params.uuid, body))
  },
} as const

export const deleteOneWebhook = {
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description: 'From now on it receives nothing.',
  data: Type.Object({}),
  failures: ['webhook_not_found'],
  example: { data: {} },
  async handle({ merchant, params }: RouteRequest<undefined, 'uuid'>, { webhooks }: WebhookServices) {
    await webhooks.remove(merchant, params.uuid)
    return {}
  },
} as const
