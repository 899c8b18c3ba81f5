import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import {
  firstSecret,
  maskedSecret,
  maskOf,
  nextSecretFrom,
  replaceSecret,
  type SealedSecret,
  type WebhookSecrets,
} from '../../domain/webhook-secret.ts'
import { newUuid } from '../../lib/ids.ts'
import type { Belonging, SecretBox } from '../../lib/secrets.ts'
import type { Resolve } from '../../net/resolve.ts'
import { lockProgram } from '../merchants/program-queries.ts'
import { checkTarget, makeSecret } from '../webhooks/service.ts'
import {
  deleteProgramWebhook,
  deleteTest,
  endWaiting,
  findNotices,
  findProgramWebhook,
  insertTest,
  type ListedNotice,
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

/** The webhook by which a program receives its settlements. docs/spec/webhooks.md#settlements */
export interface ProgramWebhooks {
  readonly read: (program_id: number) => Promise<ProgramWebhookRow | undefined>
  /** The last notices, the newest first. */
  readonly notices: (program_id: number) => Promise<readonly ListedNotice[]>
  /** Sets the URL; the first time it makes a secret. @throws DomainError `validation` of `url` for a forbidden target */
  readonly set: (program_id: number, url: string, how: Changing<SetWebhook>) => Promise<SetWebhook>
  /**
   * Replaces the secret: every attempt from `at_ms` on carries the new one (the machine's clock; now by default).
   * @throws DomainError `webhook_not_found`
   */
  readonly rotate: (
    program_id: number,
    how: Changing<SetWebhook> & { readonly at_ms?: number | undefined },
  ) => Promise<SetWebhook>
  /** Deletes the webhook; notices that still wait are not sent. @throws DomainError `webhook_not_found` */
  readonly remove: (program_id: number, how: Changing<never>) => Promise<void>
  /**
   * Queues the notice of a settlement, again or for the first time.
   * @throws DomainError `not_found`, `webhook_not_found`, `delivery_not_ended`
   */
  readonly notify: (program_id: number, settlement_id: Uuid, how: Changing<NoticeRow>) => Promise<NoticeRow>
  /** Sends a `test` about a made-up settlement, one at a time. @throws DomainError `webhook_not_found`, `delivery_not_ended` */
  readonly test: (program_id: number, how: Changing<NoticeRow>) => Promise<NoticeRow>
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
      return write(parts, program_id, how, (was, make) => ({ ...(was ?? firstSecret(make())), url }))
    },
    rotate: (program_id, { at_ms = 0, ...how }) =>
      write(parts, program_id, how, (was, make) => {
        const { url, ...secrets } = found(was)
        return { ...replaceSecret(secrets, make(), new Date(at_ms), new Date()), url }
      }),
    remove: (program_id, { by }) =>
      db.transaction(async (tx) => {
        const { url, test_uuid } = found(await tx.one(deleteProgramWebhook(program_id)))
        void tx.run(endWaiting(program_id, new Date()))
        if (test_uuid !== null) void tx.run(deleteTest(program_id, test_uuid))
        audit(tx, by, [{ ...changeOf(program_id), before: { url }, after: null }])
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
    test: (program_id, how) => db.transaction((tx) => test(tx, program_id, how)),
  }
}

async function test(tx: Transaction, program_id: number, { by, keep }: Changing<NoticeRow>): Promise<NoticeRow> {
  const webhook = found(await tx.one(lockProgramWebhook(program_id)))
  const { test_uuid: last } = webhook
  if (last !== null && (await tx.one(deleteTest(program_id, last))) === undefined)
    throw new DomainError({ kind: 'delivery_not_ended' })
  const test_uuid = newUuid()
  void tx.run(writeProgramWebhook({ ...webhook, test_uuid }, webhook.updated_at))
  const notice = found(await tx.one(insertTest(program_id, test_uuid, new Date())))
  const object = `program:${program_id}` as const
  audit(tx, by, [{ program_id, action: 'program.test-webhook', object, before: null, after: null }])
  await keep?.(tx, notice)
  return notice
}

function changeOf(program_id: number) {
  return { program_id, action: 'program.webhook', object: `program:${program_id}` } as const
}

/** What a change decides of a webhook. */
type Decided = WebhookSecrets & Pick<ProgramWebhookRow, 'url'>

/** Writes a webhook as `decide` says, which may make a new secret. */
function write(
  { db, secrets }: ProgramWebhookParts,
  program_id: number,
  { by, keep }: Changing<SetWebhook>,
  decide: (was: ProgramWebhookRow | undefined, make: () => SealedSecret) => Decided,
): Promise<SetWebhook> {
  return db.transaction(async (tx) => {
    // Before the first setting there is no row to lock.
    void tx.one(lockProgram(program_id))
    const was = await tx.one(lockProgramWebhook(program_id))
    const webhook_uuid = was?.webhook_uuid ?? newUuid()
    let secret: string | null = null
    const decided = decide(was, () => {
      const fresh = makeSecret(secrets, programSecretBelongsTo({ program_id, webhook_uuid }))
      secret = fresh.secret
      return fresh.made
    })
    const row = { test_uuid: was?.test_uuid ?? null, ...decided, program_id, webhook_uuid }
    const webhook = found(await tx.one(writeProgramWebhook(row, new Date())))
    audit(tx, by, [{ ...changeOf(program_id), before: shown(was), after: shown(webhook) }])
    await keep?.(tx, { webhook, secret })
    return { webhook, secret }
  })
}

function shown(webhook: ProgramWebhookRow | undefined): object | null {
  if (webhook === undefined) return null
  const now = new Date()
  const { url, next_secret_last4: next } = webhook
  const from = nextSecretFrom(webhook, now)
  const planned = from === null || next === null ? {} : { next_secret: maskOf(next), secret_from: from.toISOString() }
  return { url, secret: maskedSecret(webhook, now), ...planned }
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new DomainError({ kind: 'webhook_not_found' })
  return row
}
