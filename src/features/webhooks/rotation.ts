import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import { parseUuid } from '../../domain/ids.ts'
import { CliError } from '../../lib/errors.ts'
import { newSecretText, newUuid } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { listPrograms } from '../merchants/programs.ts'
import { findSealedWebhook, insertRotation, lockSealedWebhook, type SealedWebhook, updateSecrets } from './queries.ts'
import { secretBelongsTo } from './service.ts'

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
  { webhook, at_ms, by, keep }: Rotating,
): Promise<Rotated> {
  const secret = `whsec_${newSecretText()}`
  const { program_id, merchant_id, webhook_uuid } = webhook
  const fresh = { sealed: secrets.seal(secret, secretBelongsTo(webhook, webhook_uuid)), last4: secret.slice(-4) }
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
    updated_at: now.toISOString(),
  }
  await db.transaction(async (tx) => {
    const kept = await tx.one(lockSealedWebhook(program_id, webhook_uuid))
    if (kept === undefined) throw new DomainError({ kind: 'webhook_not_found' })
    const current = currentSecret(kept, now)
    const isNow = effective_at.getTime() === now.getTime()
    void tx.run(
      updateSecrets(kept, {
        secret: isNow ? fresh.sealed : current.sealed,
        secret_last4: isNow ? fresh.last4 : current.last4,
        next_secret: isNow ? null : fresh.sealed,
        next_secret_last4: isNow ? null : fresh.last4,
        next_secret_at: isNow ? null : effective_at,
        updated_at: now,
      }),
    )
    const switching = { old_last4: current.last4, new_last4: fresh.last4, effective_at, created_at: now }
    void tx.run(insertRotation({ program_id, webhook_uuid, rotation_uuid: newUuid(), ...switching }))
    const before = { secret: `****${current.last4}` }
    const after = { secret: `****${fresh.last4}`, secret_from: effective_at.toISOString() }
    const object = `webhook:${webhook_uuid}` as const
    audit(tx, by, [{ program_id, merchant_id, action: 'webhooks.rotate', object, before, after }])
    await keep?.(tx, rotated)
  })
  return rotated
}

/** The next secret is the current one once its time has come. */
function currentSecret(webhook: SealedWebhook, now: Date): { readonly sealed: Buffer; readonly last4: string } {
  const { next_secret, next_secret_last4, next_secret_at } = webhook
  const isNext = next_secret !== null && next_secret_last4 !== null && next_secret_at !== null && next_secret_at <= now
  return isNext
    ? { sealed: next_secret, last4: next_secret_last4 }
    : { sealed: webhook.secret, last4: webhook.secret_last4 }
}
