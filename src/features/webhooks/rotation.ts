import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import { purgeEverywhere } from '../../db/programs.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import { parseUuid } from '../../domain/ids.ts'
import { currentSecret, maskOf, replaceSecret } from '../../domain/webhook-secret.ts'
import { CliError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { listPrograms } from '../merchants/programs.ts'
import {
  deleteOldRotations,
  findSealedWebhook,
  insertRotation,
  lockSealedWebhook,
  type SealedWebhook,
  updateSecrets,
} from './queries.ts'
import { makeSecret, secretBelongsTo } from './service.ts'

/**
 * A webhook of any merchant, by its uuid.
 * @throws CliError if the text is no uuid, or no webhook has it
 */
export async function findAnyWebhook(db: Database, text: string): Promise<SealedWebhook> {
  const webhook_uuid = parseUuid(text.trim())
  if (webhook_uuid === null) throw new CliError(`${text} is not the uuid of a webhook.`)
  for (const { program_id } of await listPrograms(db)) {
    const found = await db.one(findSealedWebhook(program_id, webhook_uuid))
    if (found !== undefined) return found
  }
  throw new CliError(`There is no webhook ${text}.`)
}

/** A webhook with its new secret, which is shown only here. */
export interface Rotated {
  readonly uuid: string
  readonly merchant_id: number
  readonly name: string
  readonly url: string
  readonly secret: string
  /** When deliveries begin to carry it. */
  readonly secret_from: string
  readonly created_at: string
  readonly updated_at: string
}

interface Rotating {
  readonly webhook: SealedWebhook
  readonly at_ms?: number | undefined
  /** By the business clock, as the other times of a webhook. */
  readonly changed_at: Date
  readonly by?: Actor | undefined
  readonly keep?: BeforeCommit<Rotated> | undefined
}

/**
 * Replaces a webhook's secret, and records it. Every attempt from `at_ms` on carries the new one (the machine's clock;
 * now by default), so that the receiver can be told before. docs/spec/webhooks.md#secret
 */
export async function rotateSecret(
  db: Database,
  secrets: SecretBox,
  { webhook, at_ms, changed_at, by, keep }: Rotating,
): Promise<Rotated> {
  const { program_id, merchant_id, webhook_uuid } = webhook
  const { secret, made } = makeSecret(secrets, secretBelongsTo(webhook, webhook_uuid))
  const now = new Date()
  const effective_at = new Date(Math.max(at_ms ?? 0, now.getTime()))
  const rotated: Rotated = {
    uuid: webhook_uuid,
    merchant_id: webhook.merchant_id,
    name: webhook.name,
    url: webhook.url,
    secret,
    secret_from: effective_at.toISOString(),
    created_at: webhook.created_at.toISOString(),
    updated_at: changed_at.toISOString(),
  }
  await db.transaction(async (tx) => {
    const kept = await tx.one(lockSealedWebhook(program_id, webhook_uuid))
    if (kept === undefined) throw new DomainError({ kind: 'webhook_not_found' })
    void tx.run(updateSecrets(kept, replaceSecret(kept, made, effective_at, now), changed_at))
    const [old_last4, new_last4] = [currentSecret(kept, now).secret_last4, made.secret_last4]
    const switching = { old_last4, new_last4, effective_at, created_at: now }
    void tx.run(insertRotation({ program_id, webhook_uuid, rotation_uuid: newUuid(), ...switching }))
    const before = { secret: maskOf(old_last4) }
    const after = { secret: maskOf(new_last4), secret_from: effective_at.toISOString() }
    const object = `webhook:${webhook_uuid}` as const
    audit(tx, by, [{ program_id, merchant_id, action: 'webhooks.rotate', object, before, after }])
    await keep?.(tx, rotated)
  })
  return rotated
}

/** Deletes records of replacements that took effect before an instant by the machine's clock; gives their number. */
export function purgeRotations(db: Database, before: Date, batch?: number): Promise<number> {
  return purgeEverywhere(db, (program_id, count) => deleteOldRotations(program_id, before, count), batch)
}
