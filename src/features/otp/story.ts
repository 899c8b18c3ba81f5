import { timingSafeEqual } from 'node:crypto'
import { forgetEverywhere } from '../../db/forget.ts'
import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import {
  admittedAt,
  code_life_ms,
  codeMessage,
  judgeTry,
  type OtpPurpose,
  readCode,
  resend_after_ms,
  sendLimits,
  type TryOutcome,
  triesLeft,
  tryLimits,
} from '../../domain/otp.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Locale } from '../../domain/shipping.ts'
import { newOneTimeCode, newUuid } from '../../entropy.ts'
import type { SmsProblem, SmsSender } from '../../providers/sms/port.ts'
import type { SecretBox } from '../../secrets.ts'
import { countAt, countersOf, latest } from './counters.ts'
import {
  countTry,
  deleteCodes,
  deleteCounters,
  dropCode,
  findCode,
  lockCode,
  lockCounters,
  type OtpSubject,
  replaceCode,
  takeBack,
  useCode,
} from './queries.ts'

/** Longer than any limit looks back. */
const kept_ms = 86_400_000

export interface OtpAsk {
  readonly program_id: number
  readonly purpose: OtpPurpose
  /** The session of the checkout or of the wallet. A session has one code: a new one ends the one before. */
  readonly subject_uuid: Uuid
  readonly phone: Phone
  readonly client_address: string
}

export type OtpSent =
  /** A message was sent, or may have been. */
  | { readonly kind: 'sent'; readonly resend_at: Date }
  | { readonly kind: 'too_many'; readonly retry_at: Date }
  /** The provider did not take the message; there is no code. */
  | { readonly kind: 'not_sent' }

/** Sends a code. It is the same work whether or not somebody is known by the phone. */
export type SendOtp = (ask: OtpAsk & { readonly locale: Locale }) => Promise<OtpSent>

export type OtpChecked = TryOutcome | { readonly kind: 'too_many'; readonly retry_at: Date }

/** Tries a code, as it was typed. A right one is used up. What cannot be a code is wrong and costs no try. */
export type CheckOtp = (ask: OtpAsk & { readonly code: string }) => Promise<OtpChecked>

export interface OtpPeeked {
  readonly phone: Phone
  /** 0 when it can be used no more: expired, or tried too often. */
  readonly tries_left: number
  readonly expires_at: Date
  readonly resend_at: Date
  /** In a sandbox that sends no messages: the code, while it can be used. */
  readonly shown_code: string | null
}

/** The code that was sent last for a session; null when none was, or it has been used. */
export type PeekOtp = (ask: OtpSubject) => Promise<OtpPeeked | null>

export interface OtpServices {
  readonly sendOtp: SendOtp
  readonly checkOtp: CheckOtp
  readonly peekOtp: PeekOtp
}

export interface OtpParts {
  readonly db: Database
  readonly secrets: SecretBox
  readonly sms: SmsSender
  /** The machine's clock. */
  readonly now?: () => Date
  /** Told of a message that was not sent, or may not have been. */
  readonly onUnsent?: (problem: SmsProblem) => void
}

/** One-time codes (docs/decisions/0013-codes-and-sign-in.md). */
export function createOtp(parts: OtpParts): OtpServices {
  return { sendOtp: createSend(parts), checkOtp: createCheck(parts), peekOtp: createPeek(parts) }
}

function createSend(parts: OtpParts): SendOtp {
  const { db, secrets, sms, now = machineTime, onUnsent = () => undefined } = parts
  return async (ask) => {
    const { program_id, phone, locale } = ask
    const counters = countersOf(secrets, sendLimits, ask)
    const code = { digits: newOneTimeCode(), otp_uuid: newUuid() }
    const kept = await db
      .transaction(async (tx) => {
        const rows = await tx.run(lockCounters(program_id, counters, now()))
        // Only now: the lock may have been waited for.
        const at = now()
        const retry_at = latest(rows.map(({ kind, times }) => admittedAt(sendLimits[kind], times, at)))
        if (retry_at !== null) throw new TooMany(retry_at)
        countAt(tx, program_id, { limits: sendLimits, rows, at })
        void tx.run(replaceCode(newCode(parts, ask, code, at)))
        return { at }
      })
      .catch(refusedAsk)
    if ('kind' in kept) return kept
    const outcome = await sms.send({ phone, text: codeMessage(code.digits, locale) })
    if (outcome.kind !== 'sent') onUnsent(outcome)
    if (outcome.kind === 'sent' || outcome.kind === 'unknown')
      return { kind: 'sent', resend_at: new Date(kept.at.getTime() + resend_after_ms) }
    // That a provider is away is not to keep anybody waiting for an hour. The address paid for having asked.
    const back = counters.filter(({ kind }) => kind !== 'send_address')
    await db.transaction(async (tx) => {
      void tx.run(lockCounters(program_id, back, now()))
      void tx.run(takeBack(program_id, back, kept.at))
      void tx.run(dropCode(ask, code.otp_uuid))
    })
    return { kind: 'not_sent' }
  }
}

/** Thrown, so that the counters made for an ask that is refused are not kept: anybody can name any number of phones. */
class TooMany extends Error {
  readonly retry_at: Date

  constructor(retry_at: Date) {
    super('asked for too often')
    this.retry_at = retry_at
  }
}

function refusedAsk(error: unknown): { readonly kind: 'too_many'; readonly retry_at: Date } {
  if (error instanceof TooMany) return { kind: 'too_many', retry_at: error.retry_at }
  throw error
}

interface Drawn {
  readonly digits: string
  readonly otp_uuid: Uuid
}

function newCode({ secrets, sms }: OtpParts, ask: OtpAsk, code: Drawn, at: Date) {
  const { program_id, purpose, subject_uuid, phone } = ask
  const { otp_uuid, digits } = code
  const shown_code = sms.reaches_phones ? null : secrets.seal(digits, belongsTo(ask, otp_uuid))
  const times = { created_at: at, expires_at: new Date(at.getTime() + code_life_ms) }
  return {
    ...{ program_id, purpose, subject_uuid, otp_uuid, phone, shown_code },
    code_hash: hashOf(secrets, ask, code),
    ...times,
  }
}

function createCheck({ db, secrets, now = machineTime }: OtpParts): CheckOtp {
  return async (ask) => {
    const { program_id, phone } = ask
    const digits = readCode(ask.code)
    return db.transaction(async (tx): Promise<OtpChecked> => {
      const [rows, code] = await Promise.all([
        tx.run(lockCounters(program_id, countersOf(secrets, tryLimits, ask), now())),
        tx.one(lockCode(ask)),
      ])
      const at = now()
      const retry_at = latest(rows.map(({ kind, times }) => admittedAt(tryLimits[kind], times, at)))
      if (retry_at !== null) return { kind: 'too_many', retry_at }
      if (digits === null) {
        const tries_left = triesLeft(code, phone, at)
        return tries_left === 0 ? { kind: 'over' } : { kind: 'wrong', tries_left }
      }
      const matches =
        code !== undefined && timingSafeEqual(code.code_hash, hashOf(secrets, ask, { digits, otp_uuid: code.otp_uuid }))
      const outcome = judgeTry(code, { phone, matches, now: at })
      if (outcome.kind === 'right') void tx.run(useCode(ask, at))
      if (outcome.kind === 'wrong') {
        void tx.run(countTry(ask))
        countAt(tx, program_id, { limits: tryLimits, rows, at })
      }
      return outcome
    })
  }
}

function createPeek({ db, secrets, now = machineTime }: OtpParts): PeekOtp {
  return async (ask) => {
    const code = await db.one(findCode(ask))
    if (code === undefined || code.used_at !== null) return null
    const { phone, expires_at, created_at, otp_uuid, shown_code: sealed } = code
    const tries_left = triesLeft(code, phone, now())
    const shown_code = sealed === null || tries_left === 0 ? null : secrets.open(sealed, belongsTo(ask, otp_uuid))
    return {
      ...{ phone, tries_left, expires_at, shown_code },
      resend_at: new Date(created_at.getTime() + resend_after_ms),
    }
  }
}

/** Forgets codes made, and counters last asked, more than a day before `now` of the machine's clock; gives how many. */
export async function forgetCodes(db: Database, now: Date, batch?: number): Promise<number> {
  const before = new Date(now.getTime() - kept_ms)
  const codes = await forgetEverywhere(db, (program_id, count) => deleteCodes(program_id, before, count), batch)
  return codes + (await forgetEverywhere(db, (program_id, count) => deleteCounters(program_id, before, count), batch))
}

function machineTime(): Date {
  return new Date()
}

function belongsTo({ program_id, purpose, subject_uuid }: OtpSubject, otp_uuid: Uuid) {
  return ['otp', program_id, purpose, subject_uuid, otp_uuid]
}

/** Six digits are guessed at once by whoever has their hash: only an HMAC under the secret key is kept. */
function hashOf(secrets: SecretBox, subject: OtpSubject, { digits, otp_uuid }: Drawn): Buffer {
  return secrets.derive([...belongsTo(subject, otp_uuid), digits])
}
