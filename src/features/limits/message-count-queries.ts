import type { Statement } from '../../db/statement.ts'

export type MessageKind = 'code' | 'invitation' | 'mail'
export type MessageOutcome = 'sent' | 'unknown' | 'failed'

/** One message that was handed over, or was not. */
export interface CountedMessage {
  /** Mails belong to no program: they are those of program 0. */
  readonly program_id: number
  readonly kind: MessageKind
  readonly outcome: MessageOutcome
  /** What its provider said, without a number; empty for a message that was sent. */
  readonly error: string
}

/** Counts a message in its hour and in its day. */
export function countMessage(
  { program_id, kind, outcome, error }: CountedMessage,
  { hour, day }: { readonly hour: Date; readonly day: Date },
): Statement<never> {
  return {
    text: `insert into message_count as c (program_id, span, begins_at, kind, outcome, error, messages)
      values ($1, 'day', $3, $4, $5, $6, 1), ($1, 'hour', $2, $4, $5, $6, 1)
      on conflict (program_id, span, begins_at, kind, outcome, error) do update set messages = c.messages + 1`,
    values: [program_id, hour, day, kind, outcome, error],
  }
}

export interface MessageCountRow {
  readonly begins_at: Date
  readonly kind: MessageKind
  readonly outcome: MessageOutcome
  readonly messages: number
}

/** The counts of a program's hours or days from an instant on. */
export function findMessageCounts(program_id: number, span: 'hour' | 'day', from: Date): Statement<MessageCountRow> {
  return {
    text: `select begins_at, kind, outcome, sum(messages)::bigint as messages from message_count
      where program_id = $1 and span = $2 and begins_at >= $3 group by begins_at, kind, outcome order by begins_at`,
    values: [program_id, span, from],
  }
}

export interface MessageFailureRow {
  readonly kind: MessageKind
  readonly outcome: MessageOutcome
  readonly error: string
  readonly messages: number
  readonly last_at: Date
}

/** What providers said of messages of a program that they did not take, from a day on: the most frequent first. */
export function findMessageFailures(program_id: number, from: Date, most: number): Statement<MessageFailureRow> {
  return {
    text: `select kind, outcome, error, sum(messages)::bigint as messages, max(begins_at) as last_at from message_count
      where program_id = $1 and span = 'day' and begins_at >= $2 and outcome <> 'sent'
      group by kind, outcome, error order by messages desc, error limit $3`,
    values: [program_id, from, most],
  }
}

/** Deletes up to `count` counts of a program of hours or days that began before `before`. */
export function deleteMessageCounts(
  program_id: number,
  { span, before, count }: { readonly span: 'hour' | 'day'; readonly before: Date; readonly count: number },
): Statement<{ begins_at: Date }> {
  return {
    text: `delete from message_count where (program_id, span, begins_at, kind, outcome, error) in (
        select program_id, span, begins_at, kind, outcome, error from message_count
        where program_id = $1 and span = $2 and begins_at < $3 order by begins_at limit $4
      ) and program_id = $1 returning begins_at`,
    values: [program_id, span, before, count],
  }
}
