import type { Database } from '../../db/pool.ts'
import { purge, purgeEverywhere } from '../../db/programs.ts'
import { deployment_program_id } from '../../domain/audit.ts'
import { dayOf, startOfDay } from '../../domain/day.ts'
import { before, day_ms, hour_ms } from '../../domain/spans.ts'
import type { MailSender } from '../../providers/mail/port.ts'
import type { SmsOutcome } from '../../providers/sms/port.ts'
import {
  type CountedMessage,
  countMessage,
  deleteMessageCounts,
  findMessageCounts,
  findMessageFailures,
  type MessageCountRow,
  type MessageFailureRow,
} from './message-count-queries.ts'

/** Counts of messages by hour and day, as operators see them. docs/messages.md */

/** Hours are kept for as long as a page shows them, and a day longer. */
const hours_kept_ms = 3 * day_ms
const longest_error = 100
/** A provider may repeat the number that it refuses. */
const long_digits = /\d{6,}/g

/** Counts a message after its provider has answered. A count that cannot be written is lost: the message is what matters. */
export type CountMessage = (message: Omit<CountedMessage, 'error'> & { readonly error?: string }) => Promise<void>

export function createCountMessage(db: Database, now: () => Date = () => new Date()): CountMessage {
  return async ({ error = '', ...message }) => {
    const at = now()
    const said = error.replaceAll(long_digits, '…').slice(0, longest_error)
    const counted = { ...message, error: message.outcome === 'sent' ? '' : said || 'no reason given' }
    await db.run(countMessage(counted, { hour: beginOfHour(at), day: startOfDay(dayOf(at)) })).catch(() => undefined)
  }
}

/** What became of a text message, to be counted. */
export function countedSms(outcome: SmsOutcome): Pick<CountedMessage, 'outcome' | 'error'> {
  if (outcome.kind === 'sent') return { outcome: 'sent', error: '' }
  const error = `${outcome.kind}: ${outcome.detail}`
  return { outcome: outcome.kind === 'unknown' ? 'unknown' : 'failed', error }
}

/** A sender of mails that counts them. */
export function countingMails(mail: MailSender, count: CountMessage): MailSender {
  return {
    ...mail,
    async send(one) {
      const outcome = await mail.send(one)
      const failed = outcome.kind === 'refused' ? ({ outcome: 'failed', error: outcome.reason } as const) : undefined
      await count({ program_id: deployment_program_id, kind: 'mail', ...(failed ?? { outcome: 'sent' }) })
      return outcome
    },
  }
}

export interface ProgramMessages {
  readonly program_id: number
  readonly hours: readonly MessageCountRow[]
  readonly days: readonly MessageCountRow[]
  readonly failures: readonly MessageFailureRow[]
}

/** How many hours and days are shown, this one included. */
const shown_hours = 24
const shown_days = 30
const most_failures = 50

/** The messages of some programs within the hours and days that are shown. */
export async function readMessageCounts(
  db: Database,
  programs: readonly number[],
  now: Date,
): Promise<readonly ProgramMessages[]> {
  const hours_from = before(beginOfHour(now), (shown_hours - 1) * hour_ms)
  const days_from = before(startOfDay(dayOf(now)), (shown_days - 1) * day_ms)
  const found: ProgramMessages[] = []
  for (const program_id of programs) {
    const [hours, days, failures] = await Promise.all([
      db.run(findMessageCounts(program_id, 'hour', hours_from)),
      db.run(findMessageCounts(program_id, 'day', days_from)),
      db.run(findMessageFailures(program_id, days_from, most_failures)),
    ])
    found.push({ program_id, hours, days, failures })
  }
  return found
}

/** Purges counts past keeping; gives how many. */
export async function purgeMessageCounts(
  db: Database,
  now: Date,
  retention_days: number,
  batch?: number,
): Promise<number> {
  const spans = [
    { span: 'hour', before: before(now, hours_kept_ms) },
    { span: 'day', before: before(now, Math.max(retention_days, shown_days + 1) * day_ms) },
  ] as const
  let purged = 0
  for (const of of spans) {
    const deletion = (program_id: number, count: number) => deleteMessageCounts(program_id, { ...of, count })
    purged += await purgeEverywhere(db, deletion, batch)
    // Those of mails: no program has that number.
    purged += await purge(db, (count) => deletion(deployment_program_id, count), batch)
  }
  return purged
}

/** The beginning of the hour of an instant. */
function beginOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hour_ms) * hour_ms)
}
