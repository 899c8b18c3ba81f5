import { prepared, rowsOfLists, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { KeptCode, LimitKind, OtpPurpose } from '../../domain/otp.ts'
import type { Phone } from '../../domain/phone.ts'

/** A counter of one limit for one session. */
export interface Counter<Kind extends LimitKind = LimitKind> {
  readonly kind: Kind
  /** An HMAC of what it counts. */
  readonly key_hash: Buffer
}

export interface CounterRow<Kind extends LimitKind = LimitKind> extends Counter<Kind> {
  readonly times: readonly Date[]
}

const kinds = (counters: readonly Counter[]) => counters.map(({ kind }) => kind)
const hashes = (counters: readonly Counter[]) => counters.map(({ key_hash }) => key_hash)

/**
 * The counters `k`. Without the `limit` of the lists PostgreSQL reads all counters of the program while it knows nothing of the
 * table.
 */
const isCounter = 'rate_limit.program_id = $1 and rate_limit.kind = k.kind and rate_limit.key_hash = k.key_hash'

/** The times of counters. */
export function findCounters<Kind extends LimitKind>(
  program_id: number,
  counters: readonly Counter<Kind>[],
): Statement<CounterRow<Kind>> {
  return {
    text: `select rate_limit.kind, rate_limit.key_hash, rate_limit.times
      from ${rowsOfLists('$2::text[], $3::bytea[]', 'k(kind, key_hash)')} join rate_limit on ${isCounter}`,
    values: [program_id, kinds(counters), hashes(counters)],
  }
}

/** Locks counters until the transaction ends, always in the same order, and gives their times. Creates missing ones. */
export function lockCounters<Kind extends LimitKind>(
  program_id: number,
  counters: readonly Counter<Kind>[],
  now: Date,
): Statement<CounterRow<Kind>> {
  return {
    text: `insert into rate_limit (program_id, kind, key_hash, times, asked_at)
      select $1::bigint, k.kind, k.key_hash, '{}', $2 from unnest($3::text[], $4::bytea[]) as k(kind, key_hash)
      order by k.kind, k.key_hash
      on conflict (program_id, kind, key_hash) do update set asked_at = excluded.asked_at
      returning kind, key_hash, times`,
    values: [program_id, now, kinds(counters), hashes(counters)],
  }
}

/** Writes the times of one locked counter. */
export function writeTimes(program_id: number, { kind, key_hash, times }: CounterRow): Statement<never> {
  return {
    text: `update rate_limit set times = $4::timestamptz[] where program_id = $1 and kind = $2 and key_hash = $3`,
    values: [program_id, kind, key_hash, times],
  }
}

/** Removes one time from counters: what was counted did not happen. */
export function uncount(program_id: number, counters: readonly Counter[], time: Date): Statement<never> {
  return {
    text: `update rate_limit set times = array_remove(times, $2::timestamptz)
      from ${rowsOfLists('$3::text[], $4::bytea[]', 'k(kind, key_hash)')}
      where ${isCounter}`,
    values: [program_id, time, kinds(counters), hashes(counters)],
  }
}

/** The session that a code is for, of a checkout or of the wallet. It has at most one code. */
export interface OtpSubject {
  readonly program_id: number
  readonly purpose: OtpPurpose
  readonly subject_uuid: Uuid
}

export interface NewCode extends OtpSubject {
  readonly otp_uuid: Uuid
  readonly phone: Phone
  readonly code_hash: Buffer
  /** Sealed. */
  readonly shown_code: Buffer | null
  readonly expires_at: Date
  readonly created_at: Date
}

/** Sets or replaces the code of a subject. */
export function replaceCode(code: NewCode): Statement<never> {
  return {
    text: `insert into otp
        (program_id, purpose, subject_uuid, otp_uuid, phone, code_hash, shown_code, expires_at, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (program_id, purpose, subject_uuid) do update set otp_uuid = excluded.otp_uuid, phone = excluded.phone,
        code_hash = excluded.code_hash, shown_code = excluded.shown_code, tries = 0, used_at = null,
        expires_at = excluded.expires_at, created_at = excluded.created_at`,
    values: [
      ...[code.program_id, code.purpose, code.subject_uuid, code.otp_uuid, code.phone, code.code_hash],
      ...[code.shown_code, code.expires_at, code.created_at],
    ],
  }
}

export interface CodeRow extends KeptCode {
  readonly otp_uuid: Uuid
  readonly code_hash: Buffer
  readonly shown_code: Buffer | null
  readonly created_at: Date
}

const codeText = prepared<CodeRow>(
  'otp.code',
  `select otp_uuid, phone, code_hash, shown_code, tries, used_at, expires_at, created_at from otp
  where program_id = $1 and purpose = $2 and subject_uuid = $3
    and (program_id, purpose, subject_uuid) >= ($1, $2, $3)`,
)

/** The code of a subject. */
export function findCode({ program_id, purpose, subject_uuid }: OtpSubject): Statement<CodeRow> {
  return codeText(program_id, purpose, subject_uuid)
}

/** The code of a subject, locked until the transaction ends. */
export function lockCode(subject: OtpSubject): Statement<CodeRow> {
  const { text, values } = findCode(subject)
  return { text: `${text} for update`, values }
}

/** Counts a wrong try of a locked code. */
export function countTry({ program_id, purpose, subject_uuid }: OtpSubject): Statement<never> {
  return {
    text: `update otp set tries = tries + 1 where program_id = $1 and purpose = $2 and subject_uuid = $3`,
    values: [program_id, purpose, subject_uuid],
  }
}

/** Marks a locked code as used. */
export function markUsed({ program_id, purpose, subject_uuid }: OtpSubject, now: Date): Statement<never> {
  return {
    text: `update otp set used_at = $4, shown_code = null where program_id = $1 and purpose = $2 and subject_uuid = $3`,
    values: [program_id, purpose, subject_uuid, now],
  }
}

/** Deletes a code that was never sent, unless its subject has a newer one. */
export function dropCode({ program_id, purpose, subject_uuid }: OtpSubject, otp_uuid: Uuid): Statement<never> {
  return {
    text: `delete from otp where program_id = $1 and purpose = $2 and subject_uuid = $3 and otp_uuid = $4`,
    values: [program_id, purpose, subject_uuid, otp_uuid],
  }
}

/** Deletes up to `count` codes of a program that were created before `before`. */
export function deleteCodes(program_id: number, before: Date, count: number): Statement<{ otp_uuid: Uuid }> {
  return {
    text: `delete from otp where program_id = $1 and (purpose, subject_uuid) in (
        select purpose, subject_uuid from otp where program_id = $1 and created_at < $2 order by created_at limit $3
      ) and created_at < $2 returning otp_uuid`,
    values: [program_id, before, count],
  }
}

/** Deletes up to `count` counters of a program that were last used before `before`. */
export function deleteCounters(program_id: number, before: Date, count: number): Statement<{ key_hash: Buffer }> {
  return {
    text: `delete from rate_limit where program_id = $1 and (kind, key_hash) in (
        select kind, key_hash from rate_limit where program_id = $1 and asked_at < $2 order by asked_at limit $3
      ) and asked_at < $2 returning key_hash`,
    values: [program_id, before, count],
  }
}

/** Deletes the codes of checkout sessions. */
export function deleteCheckoutCodes(program_id: number, sessions: readonly Uuid[]): Statement<unknown> {
  return {
    text: `delete from otp where program_id = $1 and purpose = 'checkout' and subject_uuid = any($2::uuid[]) returning 1`,
    values: [program_id, sessions],
  }
}
