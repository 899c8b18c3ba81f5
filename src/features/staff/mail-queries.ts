import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'

export interface ShownMailRow {
  readonly mail_uuid: Uuid
  readonly content: Buffer
  readonly created_at: Date
}

export function insertMail({ mail_uuid, content, created_at }: ShownMailRow): Statement<never> {
  return {
    text: 'insert into shown_mail (mail_uuid, content, created_at) values ($1, $2, $3)',
    values: [mail_uuid, content, created_at],
  }
}

/** Deletes the oldest beyond `keep`. */
export function deleteOldestMails(keep: number): Statement<never> {
  return {
    text: `delete from shown_mail where mail_uuid in (
        select mail_uuid from shown_mail order by mail_uuid desc offset $1)`,
    values: [keep],
  }
}

/** The newest first. */
export function findMails(limit: number): Statement<ShownMailRow> {
  return {
    text: 'select mail_uuid, content, created_at from shown_mail order by mail_uuid desc limit $1',
    values: [limit],
  }
}
