import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Uuid } from '../../domain/ids.ts'

/** A merchant, as the owner of what these queries touch. */
export interface Owner {
  readonly program_id: number
  readonly merchant_id: number
}

/** A registered webhook; its secret is only read where it is sent. */
export interface Webhook {
  readonly webhook_uuid: Uuid
  readonly merchant_id: number
  readonly name: string
  readonly url: string
  readonly secret_last4: string
  /** Of the secret that takes over, and when. */
  readonly next_secret_last4: string | null
  readonly next_secret_at: Date | null
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

/** A merchant's webhooks, the oldest first: the ids are UUIDv7. There are 20 at most. */
export function findWebhooks({ program_id, merchant_id }: Owner): CompiledQuery<Webhook> {
  return builder
    .selectFrom('webhook')
    .select(columns)
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .orderBy('webhook_uuid')
    .compile()
}

/** One webhook of a merchant. */
export function findWebhook({ program_id, merchant_id }: Owner, webhook_uuid: Uuid): CompiledQuery<Webhook> {
  return builder
    .selectFrom('webhook')
    .select(columns)
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .where('webhook_uuid', '=', webhook_uuid)
    .compile()
}

/** The slots that a merchant's webhooks occupy. */
export function findSlots({ program_id, merchant_id }: Owner): CompiledQuery<{ slot: number }> {
  return builder
    .selectFrom('webhook')
    .select('slot')
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .compile()
}

export interface NewWebhook extends Owner {
  readonly webhook_uuid: Uuid
  readonly name: string
  readonly url: string
  readonly secret: Buffer
  readonly secret_last4: string
}

/** Registers a webhook in a slot; gives nothing when somebody else took the slot meanwhile. */
export function insertWebhook(webhook: NewWebhook, slot: number, now: Date): CompiledQuery<Webhook> {
  return builder
    .insertInto('webhook')
    .values({ ...webhook, slot, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['program_id', 'merchant_id', 'slot']).doNothing())
    .returning(columns)
    .compile()
}

/** Changes a webhook and gives it as it is then; nothing when the merchant has no such webhook. */
export function updateWebhook(
  { program_id, merchant_id }: Owner,
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

/** Deletes a webhook; gives nothing when the merchant has no such webhook. */
export function deleteWebhook(
  { program_id, merchant_id }: Owner,
  webhook_uuid: Uuid,
): CompiledQuery<{ webhook_uuid: Uuid }> {
  return builder
    .deleteFrom('webhook')
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .where('webhook_uuid', '=', webhook_uuid)
    .returning('webhook_uuid')
    .compile()
}
