import { claimRows, type Leased, type QueueOutcome, takeTurns, writeLeased } from '../../db/leased-queue.ts'
import type { Database } from '../../db/pool.ts'
import { isDelivered, maxAttempts, parseRetryAfter, unsent_wait_ms, waitAfter } from '../../domain/delivery.ts'
import type { Uuid } from '../../domain/ids.ts'
import { currentSecret } from '../../domain/webhook-secret.ts'
import type { Timed } from '../../lib/clock.ts'
import { type SecretBox, SecretError } from '../../lib/secrets.ts'
import type { Poster, PostResult } from '../../net/post.ts'
import { deliveryHeaders } from '../webhooks/attempt.ts'
import {
  type DueNotice,
  endInterrupted,
  findProgramWebhook,
  lockDueNotices,
  noticeQueue,
  removed,
} from './notice-queries.ts'
import { programSecretBelongsTo } from './program-webhook.ts'
import type { SettlementPages } from './statement.ts'

/** Attempts at once to the webhook of one program. */
const at_once = 8
const lease_margin_ms = 10_000
const longest_error = 500

export interface NoticeParts {
  readonly db: Database
  readonly secrets: SecretBox
  readonly poster: Pick<Poster, 'post'>
  readonly settlementPages: SettlementPages
  readonly settings: { readonly retry_delays_s: readonly number[]; readonly timeout_s: number }
  readonly now?: () => number
  readonly random?: () => number
}

/**
 * Sends notices of settlements to the webhooks of programs, as one of any number of workers, with the attempts and headers
 * of any delivery. docs/spec/webhooks.md#settlements
 */
export function createSendNotices(asked: NoticeParts): (stopping?: AbortSignal) => Promise<void> {
  const { db, settings, now = Date.now } = asked
  const parts = { ...asked, now }
  const lease_ms = settings.timeout_s * 1000 + lease_margin_ms
  const most_attempts = maxAttempts(settings.retry_delays_s)
  return (stopping) => {
    const turn = async (program_id: number): Promise<number> => {
      const at = new Date(now())
      let found = 0
      const due = await claimRows(db, noticeQueue, { program_id, now: at, lease_ms }, async (tx) => {
        const notices = await tx.run(lockDueNotices(program_id, at, at_once))
        found = notices.length
        const over = notices.filter(({ attempts }) => attempts >= most_attempts)
        for (const { settlement_id } of over) void tx.run(endInterrupted(program_id, settlement_id, at))
        return notices.filter(({ attempts }) => attempts < most_attempts)
      })
      await Promise.all(due.map((notice) => send(parts, notice)))
      return found
    }
    return takeTurns(db, noticeQueue, new Date(now()), turn, stopping)
  }
}

async function send(parts: Timed<NoticeParts>, notice: Leased<DueNotice>): Promise<void> {
  const { db, secrets, poster, now } = parts
  const webhook = await db.one(findProgramWebhook(notice.program_id))
  if (webhook === undefined) return end(parts, notice, { state: 'failed', error: removed })
  let secret: string
  try {
    secret = secrets.open(currentSecret(webhook, new Date(now())).secret, programSecretBelongsTo(webhook))
  } catch (error) {
    if (!(error instanceof SecretError)) throw error
    return void (await db.run(noticeQueue.postpone(notice, new Date(now() + unsent_wait_ms))))
  }
  const attempt = notice.attempts + 1
  const { event, settlement_id: id } = notice
  const headers = deliveryHeaders({ secret, event, id, attempt })
  const answer = await poster.post({ url: webhook.url, headers, body: await bodyOf(parts, notice) })
  return end(parts, notice, outcomeOf(parts, attempt, answer))
}

type Outcome = QueueOutcome<'delivered' | 'failed'>

async function end({ db, now }: Timed<NoticeParts>, notice: Leased<DueNotice>, outcome: Outcome): Promise<void> {
  await writeLeased(db, notice, noticeQueue.write(notice, outcome, new Date(now())))
}

/** The settlement with its sums: it never changes. A test has a made-up one. */
async function bodyOf(
  { settlementPages }: NoticeParts,
  { program_id, settlement_id, event, created_at }: DueNotice,
): Promise<string> {
  if (event === 'test') {
    const timestamp = created_at.toISOString()
    return JSON.stringify({ event, settlement: { program_id, ...madeUp(settlement_id, timestamp) }, timestamp })
  }
  const settlement = await settlementPages.read({ program_id }, settlement_id)
  return JSON.stringify({ event, settlement: { program_id, ...settlement }, timestamp: settlement.closed_at })
}

type Settlement = Awaited<ReturnType<SettlementPages['read']>>

function madeUp(settlement_id: Uuid, closed_at: string): Settlement {
  const sums = { net_amount: 5, money_amount: 0, fee_amount: 0, vat_amount: 0, due_amount: 5 }
  return {
    settlement_id,
    ...{ merchant_id: 0, merchant_name: 'TEST', merchant_name_ar: null, program_name: 'TEST' },
    ...{ orders: 1, net_points: 1_000, ...sums, from: null, until: closed_at, closed_at },
    lines: [{ kind: 'earn', sar_per_point: 0.005, entries: 1, points: 1_000, amount: 5 }],
  }
}

function outcomeOf(
  { settings: { retry_delays_s }, now, random = Math.random }: Timed<NoticeParts>,
  attempt: number,
  { status, error: broken, retry_after }: PostResult,
): Outcome {
  if (broken === null && isDelivered(status)) return { state: 'delivered', error: null }
  const error = (broken ?? `the answer was ${status}`).slice(0, longest_error)
  const retry_after_s = parseRetryAfter(retry_after ?? undefined, now())
  const wait_ms = waitAfter({ attempt, retry_delays_s, retry_after_s, random: random() })
  return wait_ms === null ? { state: 'failed', error } : { state: 'due', error, due_at: new Date(now() + wait_ms) }
}
