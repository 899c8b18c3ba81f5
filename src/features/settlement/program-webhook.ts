import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { newSecretText, newUuid } from '../../lib/ids.ts'
import type { Belonging, SecretBox } from '../../lib/secrets.ts'
import type { Resolve } from '../../net/resolve.ts'
import { lockProgram } from '../merchants/program-queries.ts'
import { checkTarget } from '../webhooks/service.ts'
import {
  deleteProgramWebhook,
  deleteTest,
  findNotices,
  findProgramWebhook,
  insertTest,
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
  /**
   * Replaces the secret: every attempt from `at_ms` on carries the new one (the machine's clock; now by default).
   * @throws DomainError `webhook_not_found`
   */
  readonly rotate: (
    program_id: number,
    how: Changing<SetWebhook> & { readonly at_ms?: number | undefined },
  ) => Promise<SetWebhook>
  /** Does not send what still waits. @throws DomainError `webhook_not_found` */
  readonly remove: (program_id: number, how: Changing<never>) => Promise<void>
  /** Tells of a settlement, again or for the first time. @throws DomainError `not_found`, `webhook_not_found`, `delivery_not_ended` */
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
      return write(parts, program_id, how, (was, fresh) => ({ ...(was ?? { ...fresh(), ...nothing_planned }), url }))
    },
    rotate: (program_id, { at_ms, ...how }) =>
      write(parts, program_id, how, (was, fresh) => replaceSecret(found(was), fresh(), at_ms)),
    remove: (program_id, { by }) =>
      db.transaction(async (tx) => {
        const { url, test_uuid } = found(await tx.one(deleteProgramWebhook(program_id)))
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

type Secrets = Pick<
  ProgramWebhookRow,
  'secret' | 'secret_last4' | 'next_secret' | 'next_secret_last4' | 'next_secret_at'
>
/** What a change decides of a webhook. */
type Decided = Secrets & Pick<ProgramWebhookRow, 'url'>
/** Makes a new secret. */
type Fresh = () => Pick<Secrets, 'secret' | 'secret_last4'>

const nothing_planned = { next_secret: null, next_secret_last4: null, next_secret_at: null } as const

/** Writes a webhook as `decide` says, which may make a new secret. */
function write(
  { db, secrets }: ProgramWebhookParts,
  program_id: number,
  { by, keep }: Changing<SetWebhook>,
  decide: (was: ProgramWebhookRow | undefined, fresh: Fresh) => Decided,
): Promise<SetWebhook> {
  return db.transaction(async (tx) => {
    // Before the first setting there is no row to lock.
    void tx.one(lockProgram(program_id))
    const was = await tx.one(lockProgramWebhook(program_id))
    const webhook_uuid = was?.webhook_uuid ?? newUuid()
    let secret: string | null = null
    const decided = decide(was, () => {
      secret = `whsec_${newSecretText()}`
      const sealed = secrets.seal(secret, programSecretBelongsTo({ program_id, webhook_uuid }))
      return { secret: sealed, secret_last4: secret.slice(-4) }
    })
    const row = { test_uuid: was?.test_uuid ?? null, ...decided, program_id, webhook_uuid }
    const webhook = found(await tx.one(writeProgramWebhook(row, new Date())))
    audit(tx, by, [{ ...changeOf(program_id), before: shown(was), after: shown(webhook) }])
    await keep?.(tx, { webhook, secret })
    return { webhook, secret }
  })
}

/** Replaces the secret now, or plans that; what was planned before is forgotten. */
function replaceSecret(was: ProgramWebhookRow, fresh: ReturnType<Fresh>, at_ms: number | undefined): Decided {
  const now = new Date()
  if (at_ms === undefined || at_ms <= now.getTime()) return { ...was, ...fresh, ...nothing_planned }
  const next = { next_secret: fresh.secret, next_secret_last4: fresh.secret_last4, next_secret_at: new Date(at_ms) }
  return { ...was, ...currentSecret(was, now), ...next }
}

/** The secret that an attempt carries: a planned one once its time has come. */
export function currentSecret(webhook: Secrets, now: Date): Pick<Secrets, 'secret' | 'secret_last4'> {
  const { next_secret, next_secret_last4, next_secret_at } = webhook
  if (next_secret !== null && next_secret_last4 !== null && next_secret_at !== null && next_secret_at <= now)
    return { secret: next_secret, secret_last4: next_secret_last4 }
  return { secret: webhook.secret, secret_last4: webhook.secret_last4 }
}

/** When a planned secret begins to count; null where nothing is planned. */
export function nextSecretFrom({ next_secret_at }: Pick<Secrets, 'next_secret_at'>, now = new Date()): Date | null {
  return next_secret_at !== null && next_secret_at > now ? next_secret_at : null
}

function shown(webhook: ProgramWebhookRow | undefined): object | null {
  if (webhook === undefined) return null
  const from = nextSecretFrom(webhook)
  const planned =
    from === null ? {} : { next_secret: `****${webhook.next_secret_last4}`, secret_from: from.toISOString() }
  return { url: webhook.url, secret: maskedProgramSecret(webhook), ...planned }
}

export function maskedProgramSecret(webhook: Secrets, now = new Date()): string {
  return `****${currentSecret(webhook, now).secret_last4}`
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new DomainError({ kind: 'webhook_not_found' })
  return row
}
