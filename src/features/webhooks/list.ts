import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { maskedSecret, nextSecretFrom } from '../../domain/webhook-secret.ts'
import { listPrograms } from '../merchants/programs.ts'
import { findNewestWebhooks, type ListedWebhook } from './queries.ts'

/** A webhook, for operators. Its secret is masked, times are ISO 8601. */
export interface WebhookView {
  readonly uuid: Uuid
  readonly program_id: number
  readonly merchant_id: number
  readonly name: string
  readonly url: string
  readonly secret: string
  /** When the next secret replaces this one; null when none is waiting. */
  readonly next_secret_from: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** A page of the webhooks of a merchant, or of all merchants, the newest first. */
export async function listWebhooks(
  db: Database,
  merchant: MerchantKey | undefined,
  page: { readonly before?: Uuid | undefined; readonly size: number },
): Promise<WebhookView[]> {
  const found: ListedWebhook[] = []
  for (const of of merchant === undefined ? await listPrograms(db) : [merchant])
    found.push(...(await db.run(findNewestWebhooks(of, page))))
  const now = new Date()
  return found
    .sort((a, b) => (a.webhook_uuid < b.webhook_uuid ? 1 : -1))
    .slice(0, page.size)
    .map((webhook) => viewWebhook(webhook, now))
}

function viewWebhook(webhook: ListedWebhook, now: Date): WebhookView {
  const { webhook_uuid: uuid, program_id, merchant_id, name, url, created_at, updated_at } = webhook
  return {
    uuid,
    program_id,
    merchant_id,
    name,
    url,
    secret: maskedSecret(webhook, now),
    next_secret_from: nextSecretFrom(webhook, now)?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
