import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import { type Actor, type Change, changedFields, withoutUnchanged } from '../../domain/audit.ts'
import { DomainError, refuseFields } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { SealedSecret } from '../../domain/webhook-secret.ts'
import type { Clock } from '../../lib/clock.ts'
import { newSecretText, newUuid } from '../../lib/ids.ts'
import type { Belonging, SecretBox } from '../../lib/secrets.ts'
import { mayReach } from '../../net/addresses.ts'
import { type Resolve, reachOfUrl } from '../../net/resolve.ts'
import {
  deleteWebhook,
  findSlots,
  findWebhook,
  findWebhooks,
  insertWebhook,
  lockWebhook,
  type NewWebhook,
  updateWebhook,
  type Webhook,
} from './queries.ts'
import { mistakeOf } from './target.ts'

/** The slots of the table have the same limit. docs/spec/webhooks.md#management */
const max_webhooks = 20

export interface WebhookParts {
  readonly db: Database
  readonly clock: Clock
  readonly secrets: SecretBox
  readonly resolve: Resolve
  /** `NUQTA_WEBHOOK_ALLOW_LOOPBACK`. */
  readonly allow_loopback: boolean
}

/** A new webhook with its whole secret, which is shown only once. */
export interface Registered {
  readonly webhook: Webhook
  readonly secret: string
}

interface Changing {
  /** Who changes it, for the audit log; undefined for the merchant's own server. */
  readonly by?: Actor | undefined
}

/** Manages a merchant's webhooks. docs/spec/webhooks.md#management */
export interface Webhooks {
  /** Fails with `validation` of `url`: a forbidden target, or too many webhooks. */
  create(
    owner: MerchantKey,
    fields: { readonly name: string; readonly url: string },
    how?: Changing & { readonly keep?: BeforeCommit<Registered> | undefined },
  ): Promise<Registered>
  /** The oldest first. */
  list(owner: MerchantKey): Promise<readonly Webhook[]>
  /** Fails with `webhook_not_found`. */
  read(owner: MerchantKey, webhook_uuid: Uuid): Promise<Webhook>
  /** Fails with `webhook_not_found` or `validation` of `url`. */
  update(
    owner: MerchantKey,
    webhook_uuid: Uuid,
    changes: { readonly name?: string; readonly url?: string },
    how?: Changing & { readonly check?: (was: Webhook) => void },
  ): Promise<Webhook>
  /** Fails with `webhook_not_found`. */
  remove(owner: MerchantKey, webhook_uuid: Uuid, how?: Changing): Promise<void>
}

export function createWebhooks(parts: WebhookParts): Webhooks {
  const { db, clock, secrets } = parts
  return {
    async create({ program_id, merchant_id }, { name, url }, { by, keep } = {}) {
      await checkTarget(url, parts)
      const webhook_uuid = newUuid()
      const owner = { program_id, merchant_id }
      const { secret, made } = makeSecret(secrets, secretBelongsTo(owner, webhook_uuid))
      const fresh = { ...owner, webhook_uuid, name, url, ...made }
      return db.transaction(async (tx) => {
        const registered = { webhook: await takeSlot(tx, fresh, clock.now()), secret }
        record(tx, by, { owner, webhook_uuid, action: 'webhooks.create', before: null, after: { name, url } })
        await keep?.(tx, registered)
        return registered
      })
    },
    list: (owner) => db.run(findWebhooks(owner)),
    read: async (owner, webhook_uuid) => found(await db.one(findWebhook(owner, webhook_uuid))),
    async update(owner, webhook_uuid, changes, { by, check } = {}) {
      if (changes.url !== undefined) {
        // Whose webhook it is comes first: a name is looked up, and loopback refused, only for an own one.
        found(await db.one(findWebhook(owner, webhook_uuid)))
        await checkTarget(changes.url, parts)
      }
      return db.transaction(async (tx) => {
        const was = found(await tx.one(lockWebhook(owner, webhook_uuid)))
        check?.(was)
        const changed = found(await tx.one(updateWebhook(owner, webhook_uuid, { ...changes, updated_at: clock.now() })))
        record(tx, by, { owner, webhook_uuid, action: 'webhooks.set', ...changedFields({ ...was }, changes) })
        return changed
      })
    },
    async remove(owner, webhook_uuid, { by } = {}) {
      await db.transaction(async (tx) => {
        const before = found(await tx.one(deleteWebhook(owner, webhook_uuid)))
        record(tx, by, { owner, webhook_uuid, action: 'webhooks.delete', before, after: null })
      })
    },
  }
}

function record(
  tx: Transaction,
  by: Actor | undefined,
  {
    owner,
    webhook_uuid,
    ...change
  }: Pick<Change, 'action' | 'before' | 'after'> & {
    readonly owner: MerchantKey
    readonly webhook_uuid: Uuid
  },
): void {
  const { program_id, merchant_id } = owner
  audit(tx, by, withoutUnchanged([{ program_id, merchant_id, object: `webhook:${webhook_uuid}`, ...change }]))
}

/** Makes a secret: its text, which is shown only once, and what is stored of it. */
export function makeSecret(
  secrets: SecretBox,
  owner: Belonging,
): { readonly secret: string; readonly made: SealedSecret } {
  const secret = `whsec_${newSecretText()}`
  return { secret, made: { secret: secrets.seal(secret, owner), secret_last4: secret.slice(-4) } }
}

/** The context that a webhook's secret is sealed with. */
export function secretBelongsTo({ program_id, merchant_id }: MerchantKey, webhook_uuid: Uuid): Belonging {
  return ['webhook', program_id, merchant_id, webhook_uuid]
}

/** Takes the first free slot. If a concurrent registration takes it first, takes the next one. */
async function takeSlot(tx: Transaction, fresh: NewWebhook, now: Date): Promise<Webhook> {
  for (;;) {
    const taken = new Set((await tx.run(findSlots(fresh))).map(({ slot }) => slot))
    const slot = slots.find((one) => !taken.has(one))
    if (slot === undefined) return refuseFields({ field: 'url', rule: 'limit_reached', limit: max_webhooks })
    const made = await tx.one(insertWebhook(fresh, slot, now))
    if (made !== undefined) return made
  }
}

const slots = Array.from({ length: max_webhooks }, (_, index) => index + 1)

/** Checks the target at registration; a delivery checks it again as it connects. docs/spec/webhooks.md#targets */
export async function checkTarget(
  url: string,
  { resolve, allow_loopback }: Pick<WebhookParts, 'resolve' | 'allow_loopback'>,
): Promise<void> {
  // A command checks nothing before.
  const mistake = mistakeOf(url)
  if (mistake !== undefined) refuseFields({ field: 'url', ...mistake })
  const reach = await reachOfUrl(new URL(url), resolve)
  if (!mayReach(reach, { allow_loopback }))
    refuseFields({ field: 'url', rule: reach === 'loopback' ? 'address_loopback' : 'address_reserved' })
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new DomainError({ kind: 'webhook_not_found' })
  return row
}
