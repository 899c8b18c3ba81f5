import { claimable, leasedQueue } from '../../db/leased-queue.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import { day_ms } from '../../domain/spans.ts'
import type { WebhookSecrets } from '../../domain/webhook-secret.ts'

/** The webhook of a program, with its sealed secret. */
export interface ProgramWebhookRow extends WebhookSecrets {
  readonly program_id: number
  readonly webhook_uuid: Uuid
  readonly url: string
  /** The notice of the last test. */
  readonly test_uuid: Uuid | null
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = `program_id, webhook_uuid, url, secret, secret_last4, next_secret, next_secret_last4, next_secret_at, test_uuid,
  created_at, updated_at`

export function findProgramWebhook(program_id: number): Statement<ProgramWebhookRow> {
  return { text: `select ${columns} from program_webhook where program_id = $1`, values: [program_id] }
}

export function lockProgramWebhook(program_id: number): Statement<ProgramWebhookRow> {
  return { text: `select ${columns} from program_webhook where program_id = $1 for update`, values: [program_id] }
}

/**
 * Writes the webhook of a program, new or changed. It keeps the uuid that its secrets are sealed for, so lock the program before
 * you read it.
 */
export function writeProgramWebhook(
  webhook: Omit<ProgramWebhookRow, 'created_at' | 'updated_at'>,
  now: Date,
): Statement<ProgramWebhookRow> {
  const { program_id, webhook_uuid, url, secret, secret_last4 } = webhook
  const { next_secret, next_secret_last4, next_secret_at, test_uuid } = webhook
  return {
    text: `insert into program_webhook (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
      on conflict (program_id) do update set url = excluded.url, secret = excluded.secret, secret_last4 = excluded.secret_last4,
        next_secret = excluded.next_secret, next_secret_last4 = excluded.next_secret_last4, next_secret_at = excluded.next_secret_at,
        test_uuid = excluded.test_uuid, updated_at = excluded.updated_at returning ${columns}`,
    values: [
      ...[program_id, webhook_uuid, url, secret, secret_last4],
      ...[next_secret, next_secret_last4, next_secret_at, test_uuid, now],
    ],
  }
}

export function deleteProgramWebhook(program_id: number): Statement<Pick<ProgramWebhookRow, 'url' | 'test_uuid'>> {
  return { text: 'delete from program_webhook where program_id = $1 returning url, test_uuid', values: [program_id] }
}

export const noticeQueue = leasedQueue<'settlement_id', 'delivered' | 'failed'>({
  name: 'settlement_notice',
  table: 'settlement_notice',
  key: 'settlement_id',
  required: 'event',
  // Of NUQTA_WEBHOOK_RETRY_DELAYS_S, give or take a fifth.
  longest_ms: 9 * day_ms,
})

const insertText = prepared<never>(
  'settlement_notice.insert',
  `insert into settlement_notice (program_id, settlement_id, event, due_at, created_at)
   select w.program_id, $2::uuid, 'settlement_closed', $3::timestamptz, $3 from program_webhook w where w.program_id = $1`,
)

/** Queues a notice of a settlement, if the program has a webhook. */
export function insertNotice(program_id: number, settlement_id: Uuid, now: Date): Statement<never> {
  return insertText(program_id, settlement_id, now)
}

/** A notice to send. */
export interface DueNotice {
  readonly program_id: number
  readonly settlement_id: Uuid
  readonly event: NoticeRow['event']
  readonly attempts: number
  readonly created_at: Date
}

const claimText = prepared<DueNotice>(
  'settlement_notice.claim',
  `select program_id, settlement_id, event, attempts, created_at from settlement_notice q
   where ${claimable} order by q.due_at limit $3 for update skip locked`,
)

/** Locks notices of a program that are due. */
export function lockDueNotices(program_id: number, now: Date, limit: number): Statement<DueNotice> {
  return claimText(program_id, now, limit)
}

const endText = prepared<never>(
  'settlement_notice.end_interrupted',
  `update settlement_notice set state = 'failed', leased_until = null, ended_at = $3,
     error = case when leased_until is null then error else $4 end
   where program_id = $1 and settlement_id = $2 and (program_id, settlement_id) >= ($1, $2)`,
)

/** Ends a locked notice that has had all its attempts: the worker of the last one died before it wrote the outcome. */
export function endInterrupted(program_id: number, settlement_id: Uuid, now: Date): Statement<never> {
  return endText(program_id, settlement_id, now, 'interrupted: the worker ended before the result was known')
}

/** Why a notice was not sent whose webhook is not there any more. */
export const removed = 'not sent: the webhook has been removed'

/** Ends the notices of a program that are due: their webhook is removed, and the next one is told of later settlements only. */
export function endWaiting(program_id: number, now: Date): Statement<never> {
  return {
    text: `update settlement_notice set state = 'failed', leased_until = null, ended_at = $2, error = $3
      where program_id = $1 and state = 'due'`,
    values: [program_id, now, removed],
  }
}

/** A notice with how it went. */
export interface NoticeRow {
  readonly event: 'settlement_closed' | 'test'
  readonly settlement_id: Uuid
  readonly state: 'due' | 'delivered' | 'failed'
  readonly attempts: number
  readonly due_at: Date
  readonly error: string | null
  readonly ended_at: Date | null
}

const noticeColumns = 'settlement_id, event, state, attempts, due_at, error, ended_at'

/** A notice with the settlement that it is about; all null for a test. */
export interface ListedNotice extends NoticeRow {
  readonly merchant_name: string | null
  readonly merchant_name_ar: string | null
  readonly from_at: Date | null
  readonly until_at: Date | null
}

/** The notices of a program, the newest first. */
export function findNotices(program_id: number, limit: number): Statement<ListedNotice> {
  return {
    text: `select n.*, s.* from (
        select ${noticeColumns} from settlement_notice where program_id = $1 order by settlement_id desc limit $2
      ) n
      left join lateral (
        select m.name as merchant_name, m.name_ar as merchant_name_ar, s.from_at, coalesce(s.until_at, s.created_at) as until_at
        from settlement s join merchant m on m.program_id = $1 and m.merchant_id = s.merchant_id
        where s.program_id = $1 and s.settlement_id = n.settlement_id
      ) s on true order by n.settlement_id desc`,
    values: [program_id, limit],
  }
}

/** Makes a notice due, again or for the first time. Gives nothing for one that is due already. */
export function requeueNotice(program_id: number, settlement_id: Uuid, now: Date): Statement<NoticeRow> {
  return {
    text: `insert into settlement_notice as n (program_id, settlement_id, event, due_at, created_at)
      values ($1, $2, 'settlement_closed', $3, $3)
      on conflict (program_id, settlement_id) do update set state = 'due', attempts = 0, due_at = excluded.due_at,
        leased_until = null, error = null, ended_at = null where n.state <> 'due' returning ${noticeColumns}`,
    values: [program_id, settlement_id, now],
  }
}

/** Makes a test due. */
export function insertTest(program_id: number, test_uuid: Uuid, now: Date): Statement<NoticeRow> {
  return {
    text: `insert into settlement_notice (program_id, settlement_id, event, due_at, created_at) values ($1, $2, 'test', $3, $3)
      returning ${noticeColumns}`,
    values: [program_id, test_uuid, now],
  }
}

/** Deletes a test that has ended. Gives nothing for one that has not. */
export function deleteTest(program_id: number, test_uuid: Uuid): Statement<{ readonly settlement_id: Uuid }> {
  return {
    text: `delete from settlement_notice where program_id = $1 and settlement_id = $2 and event = 'test' and state <> 'due'
      returning settlement_id`,
    values: [program_id, test_uuid],
  }
}
