import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { ShownSecrets, WebhookSecrets } from '../../domain/webhook-secret.ts'

/** The merchant that owns webhooks. */
/** A registered webhook, without its secret. */
export interface Webhook extends ShownSecrets {
  readonly webhook_uuid: Uuid
  readonly merchant_id: number
  readonly name: string
  readonly url: string
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = [
  'webhook_uuid',
  'merchant_id',
  'name',
  'url',
  'secret_last4',
  'next_secret_last4',
  'next_secret_at',
  'created_at',
  'updated_at',
] as const

/** A merchant's webhooks, the oldest first. There are 20 at most. */
export function findWebhooks({ program_id, merchant_id }: MerchantKey): CompiledQuery<Webhook> {
  return builder
    .selectFrom('webhook')
    .select(columns)
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .orderBy('webhook_uuid')
    .compile()
}

/** One webhook of a merchant. */
export function findWebhook(owner: MerchantKey, webhook_uuid: Uuid): CompiledQuery<Webhook> {
  return selectWebhook(owner, webhook_uuid).compile()
}

function selectWebhook({ program_id, merchant_id }: MerchantKey, webhook_uuid: Uuid) {
  return builder
    .selectFrom('webhook')
    .select(columns)
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .where('webhook_uuid', '=', webhook_uuid)
}

/** The same, locked until the transaction ends. */
export function lockWebhook(owner: MerchantKey, webhook_uuid: Uuid): CompiledQuery<Webhook> {
  return selectWebhook(owner, webhook_uuid).forNoKeyUpdate().compile()
}

/** The slots that a merchant's webhooks occupy. */
export function findSlots({ program_id, merchant_id }: MerchantKey): CompiledQuery<{ slot: number }> {
  return builder
    .selectFrom('webhook')
    .select('slot')
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .compile()
}

export interface NewWebhook extends MerchantKey {
  readonly webhook_uuid: Uuid
  readonly name: string
  readonly url: string
  readonly secret: Buffer
  readonly secret_last4: string
}

/** Registers a webhook in a slot; gives nothing if the slot is taken. */
export function insertWebhook(webhook: NewWebhook, slot: number, now: Date): CompiledQuery<Webhook> {
  return builder
    .insertInto('webhook')
    .values({ ...webhook, slot, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['program_id', 'merchant_id', 'slot']).doNothing())
    .returning(columns)
    .compile()
}

/** Changes a webhook and gives it; gives nothing if the merchant has no such webhook. */
export function updateWebhook(
  { program_id, merchant_id }: MerchantKey,
  webhook_uuid: Uuid,
  changes: { readonly name?: string; readonly url?: string; readonly updated_at: Date },
): CompiledQuery<Webhook> {
  return builder
    .updateTable('webhook')
    .set(changes)
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .where('webhook_uuid', '=', webhook_uuid)
    .returning(columns)
    .compile()
}

/** Deletes a webhook; gives nothing if the merchant has no such webhook. */
export function deleteWebhook(
  { program_id, merchant_id }: MerchantKey,
  webhook_uuid: Uuid,
): CompiledQuery<Pick<Webhook, 'name' | 'url'>> {
  return builder
    .deleteFrom('webhook')
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .where('webhook_uuid', '=', webhook_uuid)
    .returning(['name', 'url'])
    .compile()
}

/** A webhook with its sealed secrets. */
export interface SealedWebhook extends WebhookSecrets {
  readonly program_id: number
  readonly webhook_uuid: Uuid
  readonly merchant_id: number
  readonly name: string
  readonly url: string
  readonly created_at: Date
  readonly updated_at: Date
}

const sealedColumns = `program_id, webhook_uuid, merchant_id, name, url, secret, secret_last4, next_secret, next_secret_last4,
  next_secret_at, created_at, updated_at`

/** A webhook of any merchant of a program. */
export function findSealedWebhook(program_id: number, webhook_uuid: Uuid): Statement<SealedWebhook> {
  return {
    text: `select ${sealedColumns} from webhook where program_id = $1 and webhook_uuid = $2`,
    values: [program_id, webhook_uuid],
  }
}

/** A webhook with its program. */
export interface ListedWebhook extends Webhook {
  readonly program_id: number
}

/** A page of the webhooks of a program, or of one of its merchants: those before an id, the newest first. */
export function findNewestWebhooks(
  { program_id, merchant_id }: { readonly program_id: number; readonly merchant_id?: number | undefined },
  page: { readonly before?: Uuid | undefined; readonly size: number },
): CompiledQuery<ListedWebhook> {
  let query = builder
    .selectFrom('webhook')
    .select(['program_id', ...columns])
    .where('program_id', '=', program_id)
  if (merchant_id !== undefined) query = query.where('merchant_id', '=', merchant_id)
  if (page.before !== undefined) query = query.where('webhook_uuid', '<', page.before)
  return query.orderBy('webhook_uuid', 'desc').limit(page.size).compile()
}

/** The same, locked until the transaction ends. */
export function lockSealedWebhook(program_id: number, webhook_uuid: Uuid): Statement<SealedWebhook> {
  const { text, values } = findSealedWebhook(program_id, webhook_uuid)
  return { text: `${text} for update`, values }
}

/** Sets the current secret, and the next one if there is one. */
export function updateSecrets(
  { program_id, webhook_uuid }: Pick<SealedWebhook, 'program_id' | 'webhook_uuid'>,
  secrets: WebhookSecrets,
  updated_at: Date,
): Statement<never> {
  return {
    text: `update webhook set secret = $3, secret_last4 = $4, next_secret = $5, next_secret_last4 = $6,
        next_secret_at = $7, updated_at = $8
      where program_id = $1 and webhook_uuid = $2`,
    values: [
      program_id,
      webhook_uuid,
      secrets.secret,
      secrets.secret_last4,
      secrets.next_secret,
      secrets.next_secret_last4,
      secrets.next_secret_at,
      updated_at,
    ],
  }
}

export interface Rotation {
  readonly program_id: number
  readonly webhook_uuid: Uuid
  readonly rotation_uuid: Uuid
  readonly old_last4: string
  readonly new_last4: string
  readonly effective_at: Date
  readonly created_at: Date
}

/** Records the replacement of a secret. */
export function insertRotation(rotation: Rotation): Statement<never> {
  return {
    text: `insert into webhook_rotation
        (program_id, webhook_uuid, rotation_uuid, old_last4, new_last4, effective_at, created_at)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      rotation.program_id,
      rotation.webhook_uuid,
      rotation.rotation_uuid,
      rotation.old_last4,
      rotation.new_last4,
      rotation.effective_at,
      rotation.created_at,
    ],
  }
}

/** Deletes up to `count` records of replacements in a program that took effect before `before`. */
export function deleteOldRotations(
  program_id: number,
  before: Date,
  count: number,
): Statement<{ rotation_uuid: Uuid }> {
  return {
    text: `delete from webhook_rotation where program_id = $1 and (webhook_uuid, rotation_uuid) in (
        select webhook_uuid, rotation_uuid from webhook_rotation where program_id = $1 and effective_at < $2
        order by effective_at limit $3
      ) returning rotation_uuid`,
    values: [program_id, before, count],
  }
}
