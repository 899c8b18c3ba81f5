import Type, { type Static } from 'typebox'
import { maskedSecret, nextSecretFrom } from '../../domain/webhook-secret.ts'
import { instant, nullable, object, oneOf, optional, uuid } from '../../http/api/fields.ts'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import { instantField } from '../webhooks/dashboard.ts'
import { targetUrl } from '../webhooks/route.ts'
import type { ListedNotice, NoticeRow, ProgramWebhookRow } from './notice-queries.ts'
import type { ProgramWebhooks, SetWebhook } from './program-webhook.ts'

export interface ProgramWebhookServices {
  readonly programWebhooks: ProgramWebhooks
}

const tag = 'Settlements'

const webhookSchema = {
  url: Type.String({ format: 'iri' }),
  secret: Type.String({ description: 'Masked: whole only where it is new.' }),
  next_secret_from: nullable(instant({ description: 'When a planned secret begins to count.' })),
  created_at: instant(),
  updated_at: instant(),
}
const noticeFields = {
  notice_uuid: uuid({ description: '`X-Webhook-Id`.' }),
  settlement_id: nullable(uuid({ description: 'Null for a test.' })),
  event: oneOf(['settlement_closed', 'test']),
  state: oneOf(['due', 'delivered', 'failed']),
  attempts: Type.Integer(),
  next_at: nullable(instant()),
  error: nullable(Type.String({ description: 'Why the last attempt did not arrive.' })),
  ended_at: nullable(instant()),
}
const noticeSchema = Type.Object(noticeFields)
const listedSchema = Type.Object({
  ...noticeFields,
  settlement: nullable(
    Type.Object(
      {
        merchant_name: Type.String(),
        merchant_name_ar: nullable(Type.String()),
        from: nullable(instant({ description: 'Null: from the beginning.' })),
        until: instant({ description: 'The end, which is not part of it.' }),
      },
      { description: 'Whose it is, and of which time. Null for a test.' },
    ),
  ),
})

function view(webhook: ProgramWebhookRow, now = new Date()) {
  return {
    url: webhook.url,
    secret: maskedSecret(webhook, now),
    next_secret_from: nextSecretFrom(webhook, now)?.toISOString() ?? null,
    created_at: webhook.created_at.toISOString(),
    updated_at: webhook.updated_at.toISOString(),
  }
}

function viewNotice({ settlement_id: notice_uuid, event, state, attempts, due_at, error, ended_at }: NoticeRow) {
  const settlement_id = event === 'test' ? null : notice_uuid
  const next_at = state === 'due' ? due_at.toISOString() : null
  return {
    notice_uuid,
    settlement_id,
    event,
    state,
    attempts,
    next_at,
    error,
    ended_at: ended_at?.toISOString() ?? null,
  }
}

function viewListed({ merchant_name, merchant_name_ar, from_at, until_at, ...notice }: ListedNotice) {
  const settlement =
    merchant_name === null || until_at === null
      ? null
      : { merchant_name, merchant_name_ar, from: from_at?.toISOString() ?? null, until: until_at.toISOString() }
  return { ...viewNotice(notice), settlement }
}

const viewSet = ({ webhook, secret }: SetWebhook) => ({ ...view(webhook), ...(secret === null ? {} : { secret }) })

export const readWebhook = {
  tag,
  summary: 'Read where a program is told of its settlements, and how the last notices went',
  data: Type.Object({ webhook: nullable(Type.Object(webhookSchema)), notices: Type.Array(listedSchema) }),
  async handle({ program: { program_id } }: ProgramRequest, { programWebhooks }: ProgramWebhookServices) {
    const [webhook, notices] = [await programWebhooks.read(program_id), await programWebhooks.notices(program_id)]
    return { webhook: webhook === undefined ? null : view(webhook), notices: notices.map(viewListed) }
  },
} as const

const setting = object({ url: targetUrl() })

export const setWebhook = {
  tag,
  summary: 'Set where a program is told of its settlements',
  description: 'The first time it makes a secret. Store it: it is shown whole here and never again.',
  body: setting,
  data: Type.Object(webhookSchema),
  failures: ['validation'],
  async handle(
    { program, body, actor, once }: ProgramRequest<Static<typeof setting>>,
    { programWebhooks }: ProgramWebhookServices,
  ) {
    return viewSet(await programWebhooks.set(program.program_id, body.url, { by: actor, keep: once.keeping(viewSet) }))
  },
} as const

const rotation = object({
  at: optional(instantField('When attempts begin to carry the new secret; now without it. Teach the receiver before.')),
})

export const rotateWebhook = {
  tag,
  summary: "Replace the secret of a program's webhook",
  description: 'Every attempt from `at` on carries the new one. Store it: it is shown here and never again.',
  body: rotation,
  body_optional: true,
  data: Type.Object(webhookSchema),
  failures: ['webhook_not_found'],
  async handle(
    { program, body, actor, once }: ProgramRequest<Static<typeof rotation>>,
    { programWebhooks }: ProgramWebhookServices,
  ) {
    const at_ms = body.at === undefined ? undefined : Date.parse(body.at)
    const how = { at_ms, by: actor, keep: once.keeping(viewSet) }
    return viewSet(await programWebhooks.rotate(program.program_id, how))
  },
} as const

export const testWebhook = {
  tag,
  summary: "Send a test event to a program's webhook",
  description: 'About a settlement that does not exist. One at a time.',
  data: noticeSchema,
  failures: ['webhook_not_found', 'delivery_not_ended'],
  async handle({ program, actor, once }: ProgramRequest, { programWebhooks }: ProgramWebhookServices) {
    return viewNotice(await programWebhooks.test(program.program_id, { by: actor, keep: once.keeping(viewNotice) }))
  },
} as const

export const removeWebhook = {
  tag,
  summary: "Remove a program's webhook",
  description: 'From now on it is told nothing. What waits for it is not sent.',
  data: Type.Object({}),
  failures: ['webhook_not_found'],
  async handle({ program, actor }: ProgramRequest, { programWebhooks }: ProgramWebhookServices) {
    await programWebhooks.remove(program.program_id, { by: actor })
    return {}
  },
} as const

export const notifyOfSettlement = {
  tag,
  summary: "Tell a program's webhook of a settlement, again or for the first time",
  data: noticeSchema,
  failures: ['not_found', 'webhook_not_found', 'delivery_not_ended'],
  async handle(
    { program, params, actor, once }: ProgramRequest<undefined, 'settlementUuid'>,
    { programWebhooks }: ProgramWebhookServices,
  ) {
    const how = { by: actor, keep: once.keeping(viewNotice) }
    return viewNotice(await programWebhooks.notify(program.program_id, params.settlementUuid, how))
  },
} as const
