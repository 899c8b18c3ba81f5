import { claimRows, type Leased, type QueueOutcome, takeTurns, writeLeased } from '../../db/leased-queue.ts'
import type { Database } from '../../db/pool.ts'
import { purgeEverywhere } from '../../db/programs.ts'
import type { Uuid } from '../../domain/ids.ts'
import {
  invitation_retry_delays_s,
  invitationMessage,
  laterInvitationAt,
  nextInvitationAt,
} from '../../domain/invitation.ts'
import { secondsSince } from '../../domain/spans.ts'
import type { Timed } from '../../lib/clock.ts'
import type { SmsSender } from '../../providers/sms/port.ts'
import type { MessageBudget } from '../limits/message-budget.ts'
import { type CountMessage, countedSms } from '../limits/message-counts.ts'
import {
  type ClaimedMessage,
  claimMessages,
  countDueMessages,
  deleteEndedMessages,
  lockDue,
  messageQueue,
  setDue,
} from './invitation-queries.ts'

const max_concurrent = 4
const postpone_batch = 1_000
const poll_ms = 5_000
/** Longer than a provider may take, so that no other worker sends the same message. */
const standard_lease_ms = 30_000
const max_attempts = invitation_retry_delays_s.length + 1

export interface InvitationParts {
  readonly db: Database
  readonly sms: SmsSender
  readonly budget: MessageBudget
  /** Without a trailing slash. */
  readonly public_url: string
  /** Called for each failed message, without its phone number. */
  readonly onFailed?: (message: { readonly sms_uuid: Uuid; readonly error: string | null }) => void
  /** Counts what was sent, for operators. */
  readonly countMessage?: CountMessage
  readonly lease_ms?: number
  /** The machine's clock. */
  readonly now?: () => Date
}

/** Sends the due messages of all programs, no more once it is `stopping`; gives the number of attempts. */
export type SendInvitations = (stopping?: AbortSignal) => Promise<number>

/**
 * Sends invitations, as one of any number of workers. A worker leases messages and counts the attempts before it sends
 * them, so no message is sent more than four times, whatever dies. Programs take turns. A limit postpones the messages
 * that it refuses. docs/spec/customers.md#invitations
 */
export function createSendInvitations(asked: InvitationParts): SendInvitations {
  const { db, now = () => new Date() } = asked
  const parts = { ...asked, now }
  return async (stopping) => {
    let attempts = 0
    const turn = async (program_id: number, others_wait: boolean): Promise<number> => {
      const sent = await sendSome(parts, program_id, others_wait)
      attempts += sent.attempts
      return sent.claimed
    }
    await takeTurns(db, messageQueue, now(), turn, stopping)
    return attempts
  }
}

/** One turn of a program. */
async function sendSome(
  parts: Timed<InvitationParts>,
  program_id: number,
  others_wait: boolean,
): Promise<{ readonly claimed: number; readonly attempts: number }> {
  const { db, now, lease_ms = standard_lease_ms } = parts
  const at = now()
  const messages = await claimRows(db, messageQueue, { program_id, now: at, lease_ms }, (tx) =>
    tx.run(claimMessages(program_id, at, max_concurrent)),
  )
  const results = await Promise.all(messages.map((message) => send(parts, message, others_wait)))
  // A limit of one merchant holds back that merchant only; any other holds back the program.
  const scopes = new Map(
    results.flatMap((one): [number | null, Date][] => {
      if (one.kind !== 'refused' || one.whose === 'phone') return []
      return [[one.whose === 'merchant' ? one.merchant_id : null, one.retry_at]]
    }),
  )
  for (const [merchant_id, retry_at] of scopes) await postponeDue(parts, { program_id, merchant_id, retry_at })
  return { claimed: messages.length, attempts: results.filter(({ kind }) => kind === 'attempted').length }
}

type MessageOutcome = QueueOutcome<'sent' | 'failed' | 'dropped'>

type Result =
  | { readonly kind: 'attempted' }
  /** A limit refused it. */
  | {
      readonly kind: 'refused'
      readonly whose: 'phone' | 'merchant' | 'all'
      readonly merchant_id: number
      readonly retry_at: Date
    }

async function send(
  parts: Timed<InvitationParts>,
  message: Leased<ClaimedMessage>,
  others_wait: boolean,
): Promise<Result> {
  const { db, budget, now, onFailed } = parts
  const over = endedBefore(message)
  const admission = over === null ? await budget.admitInvitation({ ...askOf(message), others_wait }) : null
  if (admission?.admitted === false) {
    const retry_at = pollAtLeast(parts, admission.retry_at)
    await db.run(messageQueue.postpone(message, retry_at))
    const { merchant_id } = message
    return { kind: 'refused', whose: budget.whoseInvitations(admission.limit), merchant_id, retry_at }
  }
  const { outcome, sent } = over === null ? await attempt(parts, message) : { outcome: over, sent: false }
  if (admission !== null && !sent)
    await budget.limits.takeBack(admission.counts.filter(({ limit }) => budget.whoseInvitations(limit) !== 'phone'))
  const written = await writeLeased(db, message, messageQueue.write(message, outcome, now()))
  if (written !== undefined && outcome.state === 'failed')
    onFailed?.({ sms_uuid: message.sms_uuid, error: outcome.error })
  return { kind: 'attempted' }
}

function askOf({ program_id, merchant_id, phone, attempts }: ClaimedMessage) {
  return { program_id, merchant_id, phone, first: attempts === 0 }
}

/** The outcome of a message that must not be sent; null if it may be. */
function endedBefore({ customer_status, attempts }: ClaimedMessage): MessageOutcome | null {
  if (customer_status !== 'invited') return { state: 'dropped', error: null }
  return attempts < max_attempts ? null : { state: 'failed', error: 'the last attempt was interrupted' }
}

/** `sent`: the message was sent, or may have been. */
async function attempt(
  parts: Timed<InvitationParts>,
  message: ClaimedMessage,
): Promise<{ readonly outcome: MessageOutcome; readonly sent: boolean }> {
  const { sms, public_url, now } = parts
  const { attempts, phone, merchant_name, locale, program_id, is_first } = message
  const link = `${public_url}/wallet${is_first ? '' : `?program=${program_id}`}`
  const outcome = await sms.send({ phone, text: invitationMessage({ merchant_name, link }, locale) })
  await parts.countMessage?.({ program_id, kind: 'invitation', ...countedSms(outcome) })
  if (outcome.kind === 'sent') return { outcome: { state: 'sent', error: null }, sent: true }
  const error = `${outcome.kind}: ${outcome.detail}`
  const due_at = nextInvitationAt(attempts + 1, now())
  const next: MessageOutcome = due_at === null ? { state: 'failed', error } : { state: 'due', due_at, error }
  return { outcome: next, sent: outcome.kind === 'unknown' }
}

/** If the limits' clock can be moved, nobody knows when they admit again: try every few seconds. */
function pollAtLeast({ budget, now }: Timed<InvitationParts>, retry_at: Date): Date {
  const soon_ms = now().getTime() + poll_ms
  return budget.limits.clock_moves && soon_ms < retry_at.getTime() ? new Date(soon_ms) : retry_at
}

/** Postpones the other due messages that the limit would refuse, so that a long queue is not tried one by one. */
async function postponeDue(
  parts: Timed<InvitationParts>,
  { program_id, merchant_id, retry_at }: { program_id: number; merchant_id: number | null; retry_at: Date },
): Promise<void> {
  const { db, budget, now } = parts
  await db.transaction(async (tx) => {
    const due = await tx.run(lockDue(program_id, merchant_id, now(), postpone_batch))
    if (due.length === 0) return
    const uuids = due.map(({ sms_uuid }) => sms_uuid)
    const times = uuids.map((_, index) =>
      pollAtLeast(parts, laterInvitationAt(retry_at, index, budget.invitations_per_minute)),
    )
    void tx.run(setDue(program_id, uuids, times))
  })
}

/** Purges the messages that ended before `before` by the machine's clock; gives their number. */
export function purgeMessages(db: Database, before: Date, batch?: number): Promise<number> {
  return purgeEverywhere(db, (program_id, count) => deleteEndedMessages(program_id, before, count), batch)
}

/** For metrics: how many messages are due, and for how long the oldest has been so. */
export async function readMessagesDue(
  db: Database,
  now: Date,
): Promise<{ readonly messages: number; readonly oldest_s: number }> {
  const row = await db.one(countDueMessages(now))
  const oldest_ms = row?.oldest_ms ?? null
  return {
    messages: row?.messages ?? 0,
    oldest_s: oldest_ms === null ? 0 : secondsSince(oldest_ms, now),
  }
}
