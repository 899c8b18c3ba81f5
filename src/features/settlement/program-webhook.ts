import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { newSecretText, newUuid } from '../../lib/ids.ts'
import type { Belonging, SecretBox } from '../../lib/secrets.ts'
import type { Resolve } from '../../net/resolve.ts'
import { checkTarget } from '../webhooks/service.ts'
import {
  deleteProgramWebhook,
  findNotices,
  findProgramWebhook,
  lockProgramWebhook,
  type NoticeRow,
  type ProgramWebhookRow,
  requeueNotice,
  writeProgramWebhook,
} from './notice-queries.ts'
import { findSettlement } from './read-queries.ts'

export interface ProgramWebhookKey {
  readonly program_id: number
  readonly webhook_uuid: Uuid
}

/** The context that the secret is sealed with. */
export function programSecretBelongsTo({ program_id, webhook_uuid }: ProgramWebhookKey): Belonging {
  return ['program-webhook', program_id, webhook_uuid]
}

/** A webhook, with its secret where it is new: it is shown only once. */
export interface SetWebhook {
  readonly webhook: ProgramWebhookRow
  readonly secret: string | null
}

interface Changing<Result> {
  readonly by: Actor
  readonly keep?: BeforeCommit<Result> | undefined
}

/** Where a program is told of its settlements. docs/spec/webhooks.md#settlements */
export interface ProgramWebhooks {
  readonly read: (program_id: number) => Promise<ProgramWebhookRow | undefined>
  /** The last notices, the newest first. */
  readonly notices: (program_id: number) => Promise<readonly NoticeRow[]>
  /** Sets the URL; the first time it makes a secret. @throws DomainError `validation` of `url` for a forbidden target */
  readonly set: (program_id: number, url: string, how: Changing<SetWebhook>) => Promise<SetWebhook>
  /** Replaces the secret: every attempt from now on carries the new one. @throws DomainError `webhook_not_found` */
  readonly rotate: (program_id: number, how: Changing<SetWebhook>) => Promise<SetWebhook>
  /** What waits is not sent. @throws DomainError `webhook_not_found` */
  readonly remove: (program_id: number, how: Changing<never>) => Promise<void>
  /** Tells of a settlement, again or for the first time. @throws DomainError `not_found`, `webhook_not_found`, `delivery_not_ended` */
  readonly notify: (program_id: number, settlement_id: Uuid, how: Changing<NoticeRow>) => Promise<NoticeRow>
}

export interface ProgramWebhookParts {
  readonly db: Database
  readonly secrets: SecretBox
  readonly resolve: Resolve
  /** `NUQTA_WEBHOOK_ALLOW_LOOPBACK`. */
  readonly allow_loopback: boolean
}

const most_notices = 20

export function createProgramWebhooks(parts: ProgramWebhookParts): ProgramWebhooks {
  const { db } = parts
  return {
    read: (program_id) => db.one(findProgramWebhook(program_id)),
    notices: (program_id) => db.run(findNotices(program_id, most_notices)),
    async set(program_id, url, how) {
      await checkTarget(url, parts)
      return write(parts, program_id, how, (was) => ({ url, keeps: was }))
    },
    rotate: (program_id, how) => write(parts, program_id, how, (was) => ({ url: found(was).url, keeps: undefined })),
    remove: (program_id, { by }) =>
      db.transaction(async (tx) => {
        const before = found(await tx.one(deleteProgramWebhook(program_id)))
        audit(tx, by, [{ ...changeOf(program_id), before, after: null }])
      }),
    notify: (program_id, settlement_id, { by, keep }) =>
      db.transaction(async (tx) => {
        if ((await tx.one(findSettlement(program_id, settlement_id))) === undefined)
          throw new DomainError({ kind: 'not_found' })
        found(await tx.one(findProgramWebhook(program_id)))
        const notice = await tx.one(requeueNotice(program_id, settlement_id, new Date()))
        if (notice === undefined) throw new DomainError({ kind: 'delivery_not_ended' })
        const object = `settlement:${settlement_id}` as const
        audit(tx, by, [{ program_id, action: 'settlement.tell', object, before: null, after: null }])
        await keep?.(tx, notice)
        return notice
      }),
  }
}

function changeOf(program_id: number) {
  return { program_id, action: 'program.webhook', object: `program:${program_id}` } as const
}

/** Writes a webhook with the secret that it keeps, or a new one. */
function write(
  { db, secrets }: ProgramWebhookParts,
  program_id: number,
  { by, keep }: Changing<SetWebhook>,
  decide: (was: ProgramWebhookRow | undefined) => {
    readonly url: string
    readonly keeps: Pick<ProgramWebhookRow, 'secret' | 'secret_last4'> | undefined
  },
): Promise<SetWebhook> {
  return db.transaction(async (tx) => {
    const was = await tx.one(lockProgramWebhook(program_id))
    const { url, keeps } = decide(was)
    const webhook_uuid = was?.webhook_uuid ?? newUuid()
    const secret = keeps === undefined ? `whsec_${newSecretText()}` : null
    const sealed = secret === null ? keeps : sealedOf(secrets, { program_id, webhook_uuid }, secret)
    const { secret: kept, secret_last4 } = found(sealed)
    const row = { program_id, webhook_uuid, url, secret: kept, secret_last4 }
    const webhook = found(await tx.one(writeProgramWebhook(row, new Date())))
    audit(tx, by, [{ ...changeOf(program_id), before: shown(was), after: shown(webhook) }])
    await keep?.(tx, { webhook, secret })
    return { webhook, secret }
  })
}

function sealedOf(secrets: SecretBox, key: ProgramWebhookKey, secret: string) {
  return { secret: secrets.seal(secret, programSecretBelongsTo(key)), secret_last4: secret.slice(-4) }
}

function shown(webhook: ProgramWebhookRow | undefined): object | null {
  return webhook === undefined ? null : { url: webhook.url, secret: maskedProgramSecret(webhook) }
}

export function maskedProgramSecret({ secret_last4 }: Pick<ProgramWebhookRow, 'secret_last4'>): string {
  return `****${secret_last4}`
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new DomainError({ kind: 'webhook_not_found' })
  return row
}
