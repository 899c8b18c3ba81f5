import Type, { type Static } from 'typebox'
import { maskedSecret, nextSecretFrom } from '../../domain/webhook-secret.ts'
import { instant, nullable, object, optional, refine, uuid } from '../../http/api/fields.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import { checkVersion, sentVersion, versionField, withVersion } from '../../http/dashboard/version.ts'
import type { WebhookLog } from './merchant-log.ts'
import type { Webhook } from './queries.ts'
import type { Rotated } from './rotation.ts'
import { targetUrl, type WebhookServices, webhookName } from './route.ts'
import type { Registered } from './service.ts'

/** The webhooks of a merchant, for its staff. */
export interface DashboardWebhookServices extends WebhookServices {
  readonly webhookLog: WebhookLog
}

const webhookSchema = Type.Object(
  {
    uuid: uuid(),
    name: Type.String(),
    url: Type.String({ format: 'iri' }),
    secret: Type.String({ description: 'Masked: whole only where it is new.' }),
    next_secret_from: nullable(instant(), {
      description: 'When the next secret replaces this one; null when none is waiting.',
    }),
    created_at: instant(),
    updated_at: instant(),
    version: versionField,
  },
  { title: 'DashboardWebhook' },
)

function view(webhook: Webhook, now = new Date()) {
  const { webhook_uuid, name, url, created_at, updated_at } = webhook
  return {
    uuid: webhook_uuid,
    name,
    url,
    secret: maskedSecret(webhook, now),
    next_secret_from: nextSecretFrom(webhook, now)?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    version: withVersion({ name, url }).version,
  }
}

export const listMerchantWebhooks = {
  tag: 'Webhooks',
  summary: 'List the webhooks of a merchant',
  description: 'The oldest first; 20 at most.',
  data: Type.Array(webhookSchema),
  async handle({ merchant }: MerchantRequest, { webhooks }: DashboardWebhookServices) {
    return (await webhooks.list(merchant)).map((webhook) => view(webhook))
  },
} as const

const creation = object({ name: webhookName(), url: targetUrl() })

const viewRegistered = ({ webhook, secret }: Registered) => ({ ...view(webhook), secret })

export const createMerchantWebhook = {
  tag: 'Webhooks',
  summary: 'Register a webhook',
  description: 'Store the secret: it is shown whole here and never again.',
  body: creation,
  data: webhookSchema,
  async handle(
    { merchant, body, actor, once }: MerchantRequest<Static<typeof creation>>,
    { webhooks }: DashboardWebhookServices,
  ) {
    return viewRegistered(await webhooks.create(merchant, body, { by: actor, keep: once.keeping(viewRegistered) }))
  },
} as const

const change = object({ version: sentVersion(), name: optional(webhookName()), url: optional(targetUrl()) })

export const changeMerchantWebhook = {
  tag: 'Webhooks',
  summary: 'Change the name or the URL of a webhook',
  body: change,
  data: webhookSchema,
  failures: ['webhook_not_found', 'stale'],
  async handle(
    { merchant, params, body: { version, ...changes }, actor }: MerchantRequest<Static<typeof change>, 'uuid'>,
    { webhooks }: DashboardWebhookServices,
  ) {
    const check = ({ name, url }: Webhook) => checkVersion(version, { name, url })
    return view(await webhooks.update(merchant, params.uuid, changes, { by: actor, check }))
  },
} as const

export const deleteMerchantWebhook = {
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description: 'From now on it receives nothing. What waits for it is not sent.',
  data: Type.Object({}),
  failures: ['webhook_not_found'],
  async handle(
    { merchant, params, actor }: MerchantRequest<undefined, 'uuid'>,
    { webhooks }: DashboardWebhookServices,
  ) {
    await webhooks.remove(merchant, params.uuid, { by: actor })
    return {}
  },
} as const

const viewTest = (delivery_id: string) => ({ delivery_id })

export const testMerchantWebhook = {
  tag: 'Webhooks',
  summary: 'Send a test event to a webhook',
  description: 'About an order that does not exist.',
  data: Type.Object({ delivery_id: uuid() }),
  failures: ['webhook_not_found', 'too_many_tests'],
  async handle(
    { merchant, params, actor, once }: MerchantRequest<undefined, 'uuid'>,
    { webhookLog }: DashboardWebhookServices,
  ) {
    return viewTest(await webhookLog.test(merchant, params.uuid, { by: actor, keep: once.keeping(viewTest) }))
  },
} as const

const isInstant = (value: unknown): boolean =>
  typeof value !== 'string' ||
  (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(value) &&
    !Number.isNaN(Date.parse(value)))

/** A field that holds an instant with its zone. */
export const instantField = (description: string) => refine(Type.String({ description }), 'instant', isInstant)

const rotation = object({
  at: optional(
    instantField('When deliveries start to carry the new secret; now without it. Tell the receiver before.'),
  ),
})

const viewRotated = ({ secret, secret_from }: Rotated) => ({ secret, secret_from })

export const rotateMerchantWebhook = {
  tag: 'Webhooks',
  summary: 'Replace the secret of a webhook',
  description: 'Store the new secret: it is shown here and never again.',
  body: rotation,
  body_optional: true,
  data: Type.Object({ secret: Type.String(), secret_from: instant() }),
  failures: ['webhook_not_found'],
  async handle(
    { merchant, params, body, actor, once }: MerchantRequest<Static<typeof rotation>, 'uuid'>,
    { webhookLog }: DashboardWebhookServices,
  ) {
    const at_ms = body.at === undefined ? undefined : Date.parse(body.at)
    const how = { at_ms, by: actor, keep: once.keeping(viewRotated) }
    return viewRotated(await webhookLog.rotate(merchant, params.uuid, how))
  },
} as const
