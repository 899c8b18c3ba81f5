import type { Database } from '../../db/pool.ts'
import { purgeEverywhere } from '../../db/programs.ts'
import type { Uuid } from '../../domain/ids.ts'
import {
  invitation_retry_delays_s,
  invitationMessage,
  laterInvitationAt,
  nextInvitationAt,
} from '../../domain/invitation.ts'
import type { SmsSender } from '../../providers/sms/port.ts'
import type { MessageBudget } from '../limits/messages.ts'
import {
  type ClaimedMessage,
  claimMessages,
  deleteEndedMessages,
  findProgramsWithMessages,
  leaseMessages,
  lockDue,
  type MessageOutcome,
  putOff,
  setDue,
  writeMessage,
} from './invitation-queries.ts'

const at_once = 4
const put_off_at_once = 1_000
const look_again_ms = 5_000
/** Longer than a provider may take, so that nobody else sends what is being sent. */
const standard_lease_ms = 30_000
const most_attempts = invitation_retry_delays_s.length + 1

export interface InvitationParts {
  readonly db: Database
  readonly sms: SmsSender
  readonly budget: MessageBudget
  /** Without a trailing slash. */
  readonly public_url: string
  /** Told of a message that has failed, without its number. */
  readonly onFailed?: (message: { readonly sms_uuid: Uuid; readonly error: string | null }) => void
  readonly lease_ms?: number
  /** The machine's clock. */
  readonly now?: () => Date
}

/** Sends what is due, of all programs, and gives how many attempts were made. */
export type SendInvitations = () => Promise<number>

/**
 * Sends invitations (spec, "Pending activation"), as one of any number of workers: messages are taken with `skip locked` for a
 * lease, and counted before they are sent, so that none is sent more than four times whatever dies. Programs take turns. What
 * a limit does not admit stays due, later.
 */
export function createSendInvitations(parts: InvitationParts): SendInvitations {
  const { db, now = () => new Date() } = parts
  return async () => {
    let attempts = 0
    let programs = (await db.run(findProgramsWithMessages(now()))).map(({ program_id }) => program_id)
    while (programs.length > 0) {
      const left: number[] = []
      for (const program_id of programs) {
        const round = await sendSome(parts, program_id, programs.length > 1)
        attempts += round.attempts
        if (round.taken > 0) left.push(program_id)
      }
      programs = left
    }
    return attempts
  }
}

/** One turn of a program. */
async function sendSome(
  parts: InvitationParts,
  program_id: number,
  others_wait: boolean,
): Promise<{ readonly taken: number; readonly attempts: number }> {
  const { messages, leased_until } = await take(parts, program_id)
  const results = await Promise.all(messages.map((message) => send(parts, message, { leased_until, others_wait })))
  // A merchant's number holds back that merchant alone; one of the program, or of all, holds back the program.
  const scopes = new Map(
    results.flatMap((one): [number | null, Date][] => {
      if (one.kind !== 'refused' || one.whose === 'phone') return []
      return [[one.whose === 'merchant' ? one.merchant_id : null, one.retry_at]]
    }),
  )
  for (const [merchant_id, retry_at] of scopes) await putOffDue(parts, { program_id, merchant_id, retry_at })
  return { taken: messages.length, attempts: results.filter(({ kind }) => kind === 'attempted').length }
}

function take({ db, now = () => new Date(), lease_ms = standard_lease_ms }: InvitationParts, program_id: number) {
  const at = now()
  const leased_until = new Date(at.getTime() + lease_ms)
  return db.transaction(async (tx) => {
    const messages = await tx.run(claimMessages(program_id, at, at_once))
    const uuids = messages.map(({ sms_uuid }) => sms_uuid)
    if (uuids.length > 0) void tx.run(leaseMessages(program_id, uuids, leased_until))
    return { messages, leased_until }
  })
}

type Result =
  | { readonly kind: 'attempted' }
  /** By a limit. */
  | {
      readonly kind: 'refused'
      readonly whose: 'phone' | 'merchant' | 'all'
      readonly merchant_id: number
      readonly retry_at: Date
    }

async function send(
  parts: InvitationParts,
  message: ClaimedMessage,
  { leased_until, others_wait }: { readonly leased_until: Date; readonly others_wait: boolean },
): Promise<Result> {
  const { db, budget, now = () => new Date(), onFailed } = parts
  const over = endedBefore(message)
  const admission = over === null ? await budget.admitInvitation({ ...askOf(message), others_wait }) : null
  if (admission?.admitted === false) {
    const retry_at = notTooLate(parts, admission.retry_at)
    await db.run(putOff(message, leased_until, retry_at))
    const { merchant_id } = message
    return { kind: 'refused', whose: budget.whoseInvitations(admission.limit), merchant_id, retry_at }
  }
  const { outcome, sent } = over === null ? await attempt(parts, message) : { outcome: over, sent: false }
  if (admission !== null && !sent)
    await budget.limits.takeBack(admission.counts.filter(({ limit }) => budget.whoseInvitations(limit) !== 'phone'))
  const written = await db.one(writeMessage(message, leased_until, outcome, now()))
  if (written !== undefined && outcome.state === 'failed')
    onFailed?.({ sms_uuid: message.sms_uuid, error: outcome.error })
  return { kind: 'attempted' }
}

function askOf({ program_id, merchant_id, phone, attempts }: ClaimedMessage) {
  return { program_id, merchant_id, phone, first: attempts === 0 }
}

/** What became of a message that is not to be sent. */
function endedBefore({ customer_status, attempts }: ClaimedMessage): MessageOutcome | null {
  if (customer_status !== 'invited') return { state: 'dropped', error: null }
  return attempts < most_attempts ? null : { state: 'failed', error: 'the last attempt was interrupted' }
}

/** `sent`: it was, or may have been. */
async function attempt(
  parts: InvitationParts,
  message: ClaimedMessage,
): Promise<{ readonly outcome: MessageOutcome; readonly sent: boolean }> {
  const { sms, public_url, now = () => new Date() } = parts
  const { attempts, phone, merchant_name, locale, program_id, is_first } = message
  const link = `${public_url}/wallet${is_first ? '' : `?program=${program_id}`}`
  const outcome = await sms.send({ phone, text: invitationMessage({ merchant_name, link }, locale) })
  if (outcome.kind === 'sent') return { outcome: { state: 'sent', error: null }, sent: true }
  const error = `${outcome.kind}: ${outcome.detail}`
  const due_at = nextInvitationAt(attempts + 1, now())
  const next: MessageOutcome = due_at === null ? { state: 'failed', error } : { state: 'due', due_at, error }
  return { outcome: next, sent: outcome.kind === 'unknown' }
}

/** Where the clock of the limits may be moved, nobody knows when they admit again: it is tried every few seconds. */
function notTooLate({ budget, now = () => new Date() }: InvitationParts, retry_at: Date): Date {
  const soon_ms = now().getTime() + look_again_ms
  return budget.limits.clock_moves && soon_ms < retry_at.getTime() ? new Date(soon_ms) : retry_at
}

/** Puts off what else is due and would be refused, so that a long queue is not asked for again and again, one by one. */
async function putOffDue(
  parts: InvitationParts,
  { program_id, merchant_id, retry_at }: { program_id: number; merchant_id: number | null; retry_at: Date },
): Promise<void> {
  const { db, budget, now = () => new Date() } = parts
  await db.transaction(async (tx) => {
    const due = await tx.run(lockDue(program_id, merchant_id, now(), put_off_at_once))
    if (due.length === 0) return
    const uuids = due.map(({ sms_uuid }) => sms_uuid)
    const times = uuids.map((_, index) =>
      notTooLate(parts, laterInvitationAt(retry_at, index, budget.invitations_per_minute)),
    )
    void tx.run(setDue(program_id, uuids, times))
  })
}

/** Forgets the messages that ended before an instant of the machine's clock; gives how many. */
export function purgeMessages(db: Database, before: Date, batch?: number): Promise<number> {
  return purgeEverywhere(db, (program_id, count) => deleteEndedMessages(program_id, before, count), batch)
}
