import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import { type Uuid, uuidV7Floor } from '../../domain/ids.ts'
import { testLimits } from '../../domain/limit.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import type { Limits } from '../limits/service.ts'
import { admitTest } from '../limits/service.ts'
import type { AttemptRow } from './delivery-queries.ts'
import { countFailed, type FailedRange, replayOne, replayPieces, sendTest } from './log.ts'
import type { DeliveryState } from './log-queries.ts'
import {
  type FoundDelivery,
  findMerchantDeliveries,
  findMerchantDelivery,
  findNewestAttempts,
  type Listed,
  type ListedDelivery,
} from './merchant-log-queries.ts'
import { findSealedWebhook, findWebhooks, type Webhook } from './queries.ts'
import { type Rotated, rotateSecret } from './rotation.ts'
import { readWithWaiting } from './waiting.ts'
import type { DeliveryPage } from './waiting-queries.ts'

/** How many deliveries one request replays at most. */
export const max_replayed = 10_000

const max_attempts_shown = 100

interface By<Kept> {
  readonly by: Actor
  readonly keep?: BeforeCommit<Kept> | undefined
}

export interface DeliveryDetail {
  readonly delivery: FoundDelivery
  readonly attempts: readonly AttemptRow[]
  /** Undefined once it is deleted. */
  readonly webhook: Webhook | undefined
}

/** What a merchant sees of its deliveries, and does about them. */
export interface WebhookLog {
  /** Gives the deliveries to the merchant's webhooks, and those by their uuids. */
  list(
    owner: MerchantKey,
    filter: { readonly webhook_uuid: Uuid | undefined; readonly state: DeliveryState | undefined },
    page: DeliveryPage,
  ): Promise<{ readonly rows: readonly ListedDelivery[]; readonly webhooks: ReadonlyMap<Uuid, Webhook> }>
  /** Fails with `not_found`. */
  read(owner: MerchantKey, delivery_id: Uuid): Promise<DeliveryDetail>
  /** Fails with `not_found`, `delivery_not_ended` or `delivery_gone`. */
  replay(owner: MerchantKey, delivery_id: Uuid, how: By<Uuid>): Promise<void>
  /** How many failed deliveries a range has, counted to `max_replayed` + 1. Fails with `webhook_not_found`. */
  countFailed(owner: MerchantKey, webhook_uuid: Uuid, range: FailedRange): Promise<number>
  /** Replays them in pieces, `max_replayed` at most; gives how many. Fails with `webhook_not_found`. */
  replayRange(
    owner: MerchantKey,
    webhook_uuid: Uuid,
    how: { readonly range: FailedRange; readonly by: Actor },
  ): Promise<number>
  /** Gives the id of the delivery. Fails with `webhook_not_found` or `too_many_tests`. */
  test(owner: MerchantKey, webhook_uuid: Uuid, how: By<Uuid>): Promise<Uuid>
  /** Fails with `webhook_not_found`. */
  rotate(
    owner: MerchantKey,
    webhook_uuid: Uuid,
    how: By<Rotated> & { readonly at_ms: number | undefined },
  ): Promise<Rotated>
}

export function createWebhookLog({
  db,
  clock,
  secrets,
  limits,
}: {
  readonly db: Database
  readonly limits: Limits
  readonly clock: Clock
  readonly secrets: SecretBox
}): WebhookLog {
  async function own({ program_id, merchant_id }: MerchantKey, webhook_uuid: Uuid) {
    const webhook = await db.one(findSealedWebhook(program_id, webhook_uuid))
    if (webhook?.merchant_id !== merchant_id) throw new DomainError({ kind: 'webhook_not_found' })
    return webhook
  }
  async function find(owner: MerchantKey, delivery_id: Uuid): Promise<FoundDelivery> {
    const delivery = await db.one(findMerchantDelivery(owner, delivery_id))
    if (delivery === undefined) throw new DomainError({ kind: 'not_found' })
    return delivery
  }
  return {
    async list(owner, { webhook_uuid, state }, page) {
      const all = await db.run(findWebhooks(owner))
      const wanted = all.filter((one) => webhook_uuid === undefined || one.webhook_uuid === webhook_uuid)
      const webhooks = new Map(all.map((one) => [one.webhook_uuid, one]))
      if (wanted.length === 0) return { rows: [], webhooks }
      const uuids = wanted.map((one) => one.webhook_uuid)
      return { rows: await findPage(db, owner, { webhooks: uuids, from: since(wanted), state }, page), webhooks }
    },
    async read(owner, delivery_id) {
      const delivery = await find(owner, delivery_id)
      const [attempts, webhooks] = await Promise.all([
        db.run(findNewestAttempts(owner.program_id, delivery_id, max_attempts_shown)),
        db.run(findWebhooks(owner)),
      ])
      return { delivery, attempts, webhook: webhooks.find((one) => one.webhook_uuid === delivery.webhook_uuid) }
    },
    replay: async (owner, delivery_id, how) => {
      const { merchant_id } = owner
      await replayOne(db, { ...(await find(owner, delivery_id)), merchant_id }, how)
    },
    countFailed: async (owner, webhook_uuid, range) =>
      countFailed(db, await own(owner, webhook_uuid), { ...range, most: max_replayed }),
    async replayRange(owner, webhook_uuid, { range, by }) {
      let replayed = 0
      const pieces = replayPieces(db, await own(owner, webhook_uuid), { ...range, most: max_replayed }, by)
      for await (const ids of pieces) replayed += ids.length
      return replayed
    },
    async test(owner, webhook_uuid, how) {
      const webhook = await own(owner, webhook_uuid)
      await admitTest(limits, testLimits.webhook, owner)
      const { delivery_id } = await sendTest(db, webhook, clock.now(), how)
      return delivery_id
    },
    rotate: async (owner, webhook_uuid, how) =>
      rotateSecret(db, secrets, { webhook: await own(owner, webhook_uuid), changed_at: clock.now(), ...how }),
  }
}

async function findPage(
  db: Database,
  owner: MerchantKey,
  which: Omit<Listed, 'waiting'>,
  page: DeliveryPage,
): Promise<readonly ListedDelivery[]> {
  const { webhooks, state } = which
  const read = (waiting: Listed['waiting']) => db.run(findMerchantDeliveries(owner, { ...which, waiting }, page))
  if (state === 'delivered' || state === 'failed') return read(undefined)
  return readWithWaiting(db, owner, webhooks, page, read)
}

/** No delivery to webhooks is older than the oldest of them: their ids carry the machine's time. */
function since(webhooks: readonly Webhook[]): Uuid {
  const uuids = webhooks.map(({ webhook_uuid }) => webhook_uuid).sort()
  return uuids[0] ?? uuidV7Floor(0)
}
