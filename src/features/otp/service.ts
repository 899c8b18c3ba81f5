import type { Database } from '../../db/pool.ts'
import { purgeEverywhere } from '../../db/programs.ts'
import { codeMessage } from '../../domain/code-message.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import {
  decideTry,
  type OtpPurpose,
  readCode,
  resend_after_ms,
  sendLimits,
  type TryOutcome,
  triesLeft,
  tryLimits,
} from '../../domain/otp.ts'
import type { Phone } from '../../domain/phone.ts'
import { after, before, day_ms } from '../../domain/spans.ts'
import type { Timed } from '../../lib/clock.ts'
import { newOneTimeCode, newUuid } from '../../lib/ids.ts'
import { type Browser, isKnown, withProof } from '../../lib/known-browser.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import type { SmsProblem, SmsSender } from '../../providers/sms/port.ts'
import type { MessageBudget } from '../limits/message-budget.ts'
import { type CountMessage, countedSms } from '../limits/message-counts.ts'
import type { Count } from '../limits/service.ts'
import { codeBelongsTo, type DrawnCode, isCode, newCode } from './code.ts'
import { countAt, countersOf, freeAt, sessionFreeAt } from './counters.ts'
import {
  countTry,
  deleteCodes,
  deleteCounters,
  dropCode,
  findCode,
  lockCode,
  lockCounters,
  markUsed,
  type OtpSubject,
  replaceCode,
  uncount,
} from './queries.ts'

/** Longer than any limit looks back. */
const kept_ms = day_ms

export interface OtpRequest {
  readonly program_id: number
  readonly purpose: OtpPurpose
  /** The session of the checkout or of the wallet. A session has one code: a new one replaces the last. */
  readonly subject_uuid: Uuid
  readonly phone: Phone
  readonly client_address: string
  /** A browser in which the phone was proven before may ask more often. */
  readonly browser?: Browser
}

export type OtpSent =
  /** A message was sent, or may have been. */
  | { readonly kind: 'sent'; readonly resend_at: Date }
  | { readonly kind: 'too_many'; readonly retry_at: Date }
  /** The provider did not take the message; there is no code. */
  | { readonly kind: 'not_sent' }

/**
 * Sends a code in the name of a store, or of a program for its wallet. Does the same work whether or not the phone has a
 * customer. docs/spec/customers.md#codes
 */
export type SendOtp = (request: OtpRequest & { readonly locale: Locale; readonly name: string }) => Promise<OtpSent>

export type OtpChecked = TryOutcome | { readonly kind: 'too_many'; readonly retry_at: Date }

/** Tries a code as typed. A right one is used up. Text that cannot be a code is wrong, but costs no try. */
export type CheckOtp = (request: OtpRequest & { readonly code: string }) => Promise<OtpChecked>

export interface OtpPeeked {
  readonly phone: Phone
  /** 0 if the code has expired or was tried too often. */
  readonly tries_left: number
  readonly expires_at: Date
  readonly resend_at: Date
  /** The code while it can be used, in a sandbox that sends no messages. */
  readonly shown_code: string | null
}

/** Gives the last code of a session; null if there is none, or it was used. */
export type PeekOtp = (request: OtpSubject) => Promise<OtpPeeked | null>

/** Gives the proofs that a browser should keep after a right code. */
export type KnowBrowser = (browser: Browser, phone: Phone) => string

export interface OtpServices {
  readonly sendOtp: SendOtp
  readonly checkOtp: CheckOtp
  readonly peekOtp: PeekOtp
  readonly knowBrowser: KnowBrowser
}

export interface OtpParts {
  readonly db: Database
  readonly secrets: SecretBox
  readonly sms: SmsSender
  readonly budget: MessageBudget
  /** The host of our pages, to which messages bind their codes. */
  readonly host: string
  /** The machine's clock. */
  readonly now?: () => Date
  /** Called for a message that was not sent, or may not have been. */
  readonly onUnsent?: (problem: SmsProblem) => void
  /** Counts what was sent, for operators. */
  readonly countMessage?: CountMessage
}

/** One-time codes. docs/decisions/0013-codes-and-sign-in.md, docs/decisions/0022-limits.md */
export function createOtp(asked: OtpParts): OtpServices {
  const { secrets, now = () => new Date() } = asked
  const parts = { ...asked, now }
  return {
    sendOtp: createSend(parts),
    checkOtp: createCheck(parts),
    peekOtp: createPeek(parts),
    knowBrowser: (browser, phone) => withProof(secrets, browser, phone, now()),
  }
}

type Kept = { readonly kind: 'kept'; readonly at: Date } | { readonly kind: 'too_many'; readonly retry_at: Date }

function createSend(parts: Timed<OtpParts>): SendOtp {
  const { db, secrets, sms, budget, host, now, onUnsent = () => undefined } = parts
  return async (request) => {
    const { program_id, phone, locale } = request
    const counters = countersOf(secrets, sendLimits, request)
    const waits_until = await sessionFreeAt(db, program_id, { limits: sendLimits, counters, at: now() })
    if (waits_until !== null) return { kind: 'too_many', retry_at: waits_until }
    const admission = await budget.admitCode({ ...request, known: isKnown(secrets, request.browser, phone, now()) })
    if (!admission.admitted) return { kind: 'too_many', retry_at: admission.retry_at }
    const code = { digits: newOneTimeCode(), otp_uuid: newUuid() }
    const kept = await storeCode(parts, request, code).catch((error: unknown) =>
      undoCounts(parts, admission.counts, error),
    )
    if (kept.kind === 'too_many') {
      await budget.limits.takeBack(admission.counts)
      return kept
    }
    const outcome = await sms.send({ phone, text: codeMessage(code.digits, locale, { ...request, host }) })
    await parts.countMessage?.({ program_id, kind: 'code', ...countedSms(outcome) })
    if (outcome.kind !== 'sent') onUnsent(outcome)
    if (outcome.kind === 'sent' || outcome.kind === 'unknown')
      return { kind: 'sent', resend_at: after(kept.at, resend_after_ms) }
    // An outage of the provider must not block a customer for an hour. Only the address stays counted.
    await db.transaction(async (tx) => {
      void tx.run(lockCounters(program_id, counters, now()))
      void tx.run(uncount(program_id, counters, kept.at))
      void tx.run(dropCode(request, code.otp_uuid))
    })
    await budget.limits.takeBack(admission.counts.filter((count) => !budget.isOfAddress(count)))
    return { kind: 'not_sent' }
  }
}

/** Stores a code in place of the last one. Changes nothing if the session has asked too often. */
function storeCode({ db, secrets, sms, now }: Timed<OtpParts>, request: OtpRequest, code: DrawnCode): Promise<Kept> {
  const { program_id } = request
  const counters = countersOf(secrets, sendLimits, request)
  return db
    .transaction(async (tx): Promise<Kept> => {
      const rows = await tx.run(lockCounters(program_id, counters, now()))
      // Read the clock after the lock, which may have taken a while.
      const at = now()
      const retry_at = freeAt(sendLimits, rows, at)
      if (retry_at !== null) throw new TooMany(retry_at)
      countAt(tx, program_id, { limits: sendLimits, rows, at })
      void tx.run(replaceCode(newCode({ secrets, shown: !sms.reaches_phones }, request, code, at)))
      return { kind: 'kept', at }
    })
    .catch(asTooMany)
}

/** Takes back the counts of a failed request, if possible. */
async function undoCounts({ budget }: OtpParts, counts: readonly Count[], error: unknown): Promise<never> {
  await budget.limits.takeBack(counts).catch(() => undefined)
  throw error
}

/** Thrown to roll back the counters that a refused request has created: anyone can name any number of phones. */
class TooMany extends Error {
  readonly retry_at: Date

  constructor(retry_at: Date) {
    super('asked for too often')
    this.retry_at = retry_at
  }
}

function asTooMany(error: unknown): Extract<Kept, { kind: 'too_many' }> {
  if (error instanceof TooMany) return { kind: 'too_many', retry_at: error.retry_at }
  throw error
}

function createCheck(parts: Timed<OtpParts>): CheckOtp {
  const { db, secrets, budget, now } = parts
  return async (request) => {
    const { phone } = request
    const counted = budget.triesOf({ ...request, known: isKnown(secrets, request.browser, phone, now()) })
    const digits = readCode(request.code)
    const tries_left = triesLeft(await db.one(findCode(request)), phone, now())
    if (digits === null || tries_left === 0) {
      const refused = (await budget.limits.refusal(counted)) ?? (await sessionRefusal(parts, request))
      if (refused !== null) return { kind: 'too_many', retry_at: refused.retry_at }
      return tries_left === 0 ? { kind: 'over' } : { kind: 'wrong', tries_left }
    }
    // Count the try as wrong before comparing, so that concurrent tries cannot exceed the limit.
    const admission = await budget.limits.admit(counted)
    if (!admission.admitted) return { kind: 'too_many', retry_at: admission.retry_at }
    const outcome = await compare(parts, request, digits).catch((error: unknown) =>
      undoCounts(parts, admission.counts, error),
    )
    if (outcome.kind !== 'wrong') await budget.limits.takeBack(admission.counts)
    return outcome
  }
}

async function sessionRefusal({ db, secrets, now }: Timed<OtpParts>, request: OtpRequest) {
  const counters = countersOf(secrets, tryLimits, request)
  const retry_at = await sessionFreeAt(db, request.program_id, { limits: tryLimits, counters, at: now() })
  return retry_at === null ? null : { retry_at }
}

/** Compares a code under its lock, in constant time, and records the outcome. */
function compare({ db, secrets, now }: Timed<OtpParts>, request: OtpRequest, digits: string): Promise<OtpChecked> {
  const { program_id, phone } = request
  return db.transaction(async (tx): Promise<OtpChecked> => {
    const [rows, code] = await Promise.all([
      tx.run(lockCounters(program_id, countersOf(secrets, tryLimits, request), now())),
      tx.one(lockCode(request)),
    ])
    const at = now()
    const retry_at = freeAt(tryLimits, rows, at)
    if (retry_at !== null) return { kind: 'too_many', retry_at }
    const matches = code !== undefined && isCode(secrets, request, code, digits)
    const outcome = decideTry(code, { phone, matches, now: at })
    if (outcome.kind === 'right') void tx.run(markUsed(request, at))
    if (outcome.kind === 'wrong') {
      void tx.run(countTry(request))
      countAt(tx, program_id, { limits: tryLimits, rows, at })
    }
    return outcome
  })
}

function createPeek({ db, secrets, now }: Timed<OtpParts>): PeekOtp {
  return async (request) => {
    const code = await db.one(findCode(request))
    if (code === undefined || code.used_at !== null) return null
    const { phone, expires_at, created_at, otp_uuid, shown_code: sealed } = code
    const tries_left = triesLeft(code, phone, now())
    const shown_code =
      sealed === null || tries_left === 0 ? null : secrets.open(sealed, codeBelongsTo(request, otp_uuid))
    return {
      ...{ phone, tries_left, expires_at, shown_code },
      resend_at: after(created_at, resend_after_ms),
    }
  }
}

/** Purges codes and counters more than a day older than `now` by the machine's clock; gives their number. */
export async function purgeCodes(db: Database, now: Date, batch?: number): Promise<number> {
  const kept_from = before(now, kept_ms)
  const codes = await purgeEverywhere(db, (program_id, count) => deleteCodes(program_id, kept_from, count), batch)
  return codes + (await purgeEverywhere(db, (program_id, count) => deleteCounters(program_id, kept_from, count), batch))
}
