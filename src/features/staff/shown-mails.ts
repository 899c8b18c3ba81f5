import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import { newUuid } from '../../lib/ids.ts'
import type { Belonging, SecretBox } from '../../lib/secrets.ts'
import type { Mail } from '../../providers/mail/port.ts'
import { deleteOldestMails, findMails, insertMail } from './mail-queries.ts'

/** The mails of a sandbox. They hold links that sign in, so they are stored sealed. */

const kept = 100

export interface ShownMail extends Mail {
  readonly mail_uuid: Uuid
  readonly created_at: Date
}

export function mailBelongsTo({ mail_uuid }: { readonly mail_uuid: Uuid }): Belonging {
  return ['shown mail', mail_uuid]
}

/** Gives what stores a mail, and deletes the oldest beyond a hundred. */
export function createKeepMail({ db, secrets }: { readonly db: Database; readonly secrets: SecretBox }) {
  return async ({ to, subject, text, html }: Mail): Promise<void> => {
    const mail_uuid = newUuid()
    const content = secrets.seal(JSON.stringify({ to, subject, text, html }), mailBelongsTo({ mail_uuid }))
    await db.transaction(async (tx) => {
      void tx.run(insertMail({ mail_uuid, content, created_at: new Date() }))
      void tx.run(deleteOldestMails(kept))
    })
  }
}

/** The mails that a sandbox has kept, the newest first. */
export async function listMails({ db, secrets }: { db: Database; secrets: SecretBox }): Promise<ShownMail[]> {
  const rows = await db.run(findMails(kept))
  return rows.map(({ mail_uuid, content, created_at }) => ({
    ...(JSON.parse(secrets.open(content, mailBelongsTo({ mail_uuid }))) as Mail),
    mail_uuid,
    created_at,
  }))
}
