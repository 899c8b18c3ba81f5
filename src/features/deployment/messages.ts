import type { Database } from '../../db/pool.ts'
import { deployment_program_id } from '../../domain/audit.ts'
import type { SmsSender } from '../../providers/sms/port.ts'
import type { MessageBudget } from '../limits/message-budget.ts'
import type { MessageCountRow, MessageFailureRow, MessageKind } from '../limits/message-count-queries.ts'
import { type ProgramMessages, readMessageCounts } from '../limits/message-counts.ts'
import { programsOf, type QueueHealth, readInvitations } from './health.ts'

/** The messages of a program, or mails, within an hour or a day. */
export interface MessageSpan {
  readonly program_id: number
  readonly at: Date
  readonly kind: MessageKind
  readonly sent: number
  /** Handed over without an answer that says so. */
  readonly unknown: number
  readonly failed: number
}

export interface Messages {
  readonly at: Date
  /** Who takes the text messages. */
  readonly provider: SmsSender['name']
  readonly budget: Awaited<ReturnType<MessageBudget['use']>>
  readonly queue: QueueHealth
  /** The last day by hour, and the last thirty days by day in Riyadh. */
  readonly hours: readonly MessageSpan[]
  readonly days: readonly MessageSpan[]
  /** What providers said within the thirty days. */
  readonly failures: readonly (MessageFailureRow & { readonly program_id: number })[]
}

export type ReadMessages = () => Promise<Messages>

export interface MessagesParts {
  readonly db: Database
  readonly budget: Pick<MessageBudget, 'use'>
  readonly sms: Pick<SmsSender, 'name'>
  /** The machine's clock. */
  readonly now?: () => Date
}

const most_failures = 50

/** What was sent, what is left of the budget, and what failed. Names no phone. docs/messages.md */
export function createReadMessages({ db, budget, sms, now = () => new Date() }: MessagesParts): ReadMessages {
  return async () => {
    const at = now()
    const programs = await programsOf(db)
    const counts = await readMessageCounts(db, [deployment_program_id, ...programs], at)
    return {
      at,
      provider: sms.name,
      budget: await budget.use(),
      queue: await readInvitations(db, programs, at),
      hours: counts.flatMap(({ program_id, hours }) => spansOf(program_id, hours)),
      days: counts.flatMap(({ program_id, days }) => spansOf(program_id, days)),
      failures: failuresOf(counts),
    }
  }
}

function spansOf(program_id: number, rows: readonly MessageCountRow[]): MessageSpan[] {
  const spans = new Map<string, MessageSpan>()
  for (const { begins_at: at, kind, outcome, messages } of rows) {
    const key = `${at.getTime()} ${kind}`
    const span = spans.get(key) ?? { program_id, at, kind, sent: 0, unknown: 0, failed: 0 }
    spans.set(key, { ...span, [outcome]: span[outcome] + messages })
  }
  return [...spans.values()]
}

function failuresOf(counts: readonly ProgramMessages[]): Messages['failures'] {
  return counts
    .flatMap(({ program_id, failures }) => failures.map((failure) => ({ program_id, ...failure })))
    .sort((a, b) => b.messages - a.messages)
    .slice(0, most_failures)
}
