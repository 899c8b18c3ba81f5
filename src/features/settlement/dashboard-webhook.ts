import Type, { type Static } from 'typebox'
import { nullable, object, oneOf } from '../../http/api/fields.ts'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import { targetUrl } from '../webhooks/route.ts'
import type { NoticeRow, ProgramWebhookRow } from './notice-queries.ts'
import { maskedProgramSecret, type ProgramWebhooks, type SetWebhook } from './program-webhook.ts'

export interface ProgramWebhookServices {
  readonly programWebhooks: ProgramWebhooks
}

const instant = () => Type.String({ format: 'date-time' })
const tag = 'Settlements'

const webhookSchema = {
  url: Type.String({ format: 'iri' }),
  secret: Type.String({ description: 'Masked: whole only where it is new.' }),
  created_at: instant(),
  updated_at: instant(),
}
const noticeSchema = Type.Object({
  settlement_id: Type.String({ format: 'uuid' }),
  state: oneOf(['due', 'delivered', 'failed']),
  attempts: Type.Integer(),
  next_at: nullable(instant()),
  error: nullable(Type.String({ description: 'Why the last attempt did not arrive.' })),
  ended_at: nullable(instant()),
})

function view(webhook: ProgramWebhookRow) {
  return {
    url: webhook.url,
    secret: maskedProgramSecret(webhook),
    created_at: webhook.created_at.toISOString(),
    updated_at: webhook.updated_at.toISOString(),
  }
}

function viewNotice({ settlement_id, state, attempts, due_at, error, ended_at }: NoticeRow) {
  const next_at = state === 'due' ? due_at.toISOString() : null
  return { settlement_id, state, attempts, next_at, error, ended_at: ended_at?.toISOString() ?? null }
}

const viewSet = ({ webhook, secret }: SetWebhook) => ({ ...view(webhook), ...(secret === null ? {} : { secret }) })

export const readWebhook = {
  tag,
  summary: 'Read where a program is told of its settlements, and how the last notices went',
  data: Type.Object({ webhook: nullable(Type.Object(webhookSchema)), notices: Type.Array(noticeSchema) }),
  async handle({ program: { program_id } }: ProgramRequest, { programWebhooks }: ProgramWebhookServices) {
    const [webhook, notices] = [await programWebhooks.read(program_id), await programWebhooks.notices(program_id)]
    return { webhook: webhook === undefined ? null : view(webhook), notices: notices.map(viewNotice) }
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

export const rotateWebhook = {
  tag,
  summary: "Replace the secret of a program's webhook",
  description: 'Every attempt from now on carries the new one. Store it: it is shown here and never again.',
  data: Type.Object(webhookSchema),
  failures: ['webhook_not_found'],
  async handle({ program, actor, once }: ProgramRequest, { programWebhooks }: ProgramWebhookServices) {
    return viewSet(await programWebhooks.rotate(program.program_id, { by: actor, keep: once.keeping(viewSet) }))
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
