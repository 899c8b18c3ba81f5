import { forgetEverywhere } from '../../db/forget.ts'
import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import { invitation_retry_delays_s, invitationMessage, nextInvitationAt } from '../../domain/invitation.ts'
import type { SmsSender } from '../../providers/sms/port.ts'
import {
  type ClaimedMessage,
  claimMessages,
  deleteEndedMessages,
  findProgramsWithMessages,
  leaseMessages,
  type MessageOutcome,
  writeMessage,
} from './queries.ts'

const at_once = 4
/** Longer than a provider may take, so that nobody else sends what is being sent. */
const standard_lease_ms = 30_000
const most_attempts = invitation_retry_delays_s.length + 1

export interface InvitationParts {
  readonly db: Database
  readonly sms: SmsSender
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
 * Sends invitations (decisions §3), as one of any number of workers: messages are taken with `skip locked` for a lease,
 * and counted before they are sent, so that none is sent more than four times whatever dies.
 */
export function createSendInvitations(parts: InvitationParts): SendInvitations {
  const { db, now = () => new Date() } = parts
  return async () => {
    let attempts = 0
    for (const { program_id } of await db.run(findProgramsWithMessages(now()))) {
      for (;;) {
        const { messages, leased_until } = await take(parts, program_id)
        if (messages.length === 0) break
        attempts += messages.length
        await Promise.all(messages.map((message) => send(parts, message, leased_until)))
      }
    }
    return attempts
  }
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

async function send(parts: InvitationParts, message: ClaimedMessage, leased_until: Date): Promise<void> {
  const { db, now = () => new Date(), onFailed } = parts
  const outcome = await attempt(parts, message)
  const written = await db.one(writeMessage(message, leased_until, outcome, now()))
  if (written !== undefined && outcome.state === 'failed')
    onFailed?.({ sms_uuid: message.sms_uuid, error: outcome.error })
}

async function attempt(parts: InvitationParts, message: ClaimedMessage): Promise<MessageOutcome> {
  const { sms, public_url, now = () => new Date() } = parts
  const { attempts, phone, customer_status, merchant_name, locale, program_id, is_first } = message
  if (customer_status !== 'invited') return { state: 'dropped', error: null }
  if (attempts >= most_attempts) return { state: 'failed', error: 'the last attempt was interrupted' }
  const link = `${public_url}/wallet${is_first ? '' : `?program=${program_id}`}`
  const outcome = await sms.send({ phone, text: invitationMessage({ merchant_name, link }, locale) })
  if (outcome.kind === 'sent') return { state: 'sent', error: null }
  const error = `${outcome.kind}: ${outcome.detail}`
  const due_at = nextInvitationAt(attempts + 1, now())
  return due_at === null ? { state: 'failed', error } : { state: 'due', due_at, error }
}

/** Forgets the messages that ended before an instant of the machine's clock; gives how many. */
export function forgetMessages(db: Database, before: Date, batch?: number): Promise<number> {
  return forgetEverywhere(db, (program_id, count) => deleteEndedMessages(program_id, before, count), batch)
}
