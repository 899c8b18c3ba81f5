import type { Database } from '../../db/pool.ts'
import { purgeEverywhere } from '../../db/programs.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import { after, day_ms, hour_ms, minute_ms } from '../../domain/spans.ts'
import { hashSecret, newSecretText, newUuid, programToken, readProgramToken } from '../../lib/ids.ts'
import {
  deleteEndedSessions,
  deleteSession,
  deleteSessionsOf,
  findSession,
  insertSession,
  proveSession,
  type TokenKey,
  touchSession,
} from './session-queries.ts'

/** Time for a few codes. */
const unproven_ms = hour_ms
const idle_ms = day_ms
export const longest_session_ms = 7 * day_ms
/** A use is recorded at most this often. */
const touch_after_ms = 5 * minute_ms

/** A sign-in to the wallet. */
export interface WalletSession {
  readonly program_id: number
  /** The subject of its codes (`OtpRequest.subject_uuid`). */
  readonly session_uuid: Uuid
  readonly phone: Phone
  readonly proven: boolean
  /** Null unless the phone is proven and has an active customer who is not blocked. */
  readonly customer_id: Uuid | null
  /** The phone is proven, and an operator has blocked its wallet. */
  readonly blocked: boolean
}

/** Sign-ins to the wallet, by the machine's clock. Only hashes of the tokens are stored. */
export interface WalletSessions {
  /** Begins a session for a phone that is not proven yet. */
  begin(of: { readonly program_id: number; readonly phone: Phone }): Promise<{ token: string; session_uuid: Uuid }>
  /** Marks the phone as proven: changes the token and extends the session. Null if there is no session to prove. */
  prove(token: string): Promise<{ token: string } | null>
  /** Gives the session of a token; null if it is missing or has expired. */
  read(token: string): Promise<WalletSession | null>
  /** Ends the session of a token. */
  end(token: string): Promise<void>
  /** Ends every session of a phone; gives their number. */
  endAll(of: { readonly program_id: number; readonly phone: Phone }): Promise<number>
}

export interface WalletSessionServices {
  readonly walletSessions: WalletSessions
}

export function createWalletSessions(
  db: Database,
  { now = () => new Date() }: { readonly now?: () => Date } = {},
): WalletSessions {
  return {
    async begin({ program_id, phone }) {
      const { token, key } = newToken(program_id)
      const [session_uuid, created_at] = [newUuid(), now()]
      await db.run(
        insertSession({ ...key, session_uuid, phone, created_at, expires_at: after(created_at, unproven_ms) }),
      )
      return { token, session_uuid }
    },
    async prove(token) {
      const key = readToken(token)
      if (key === null) return null
      const next = newToken(key.program_id)
      const at = now()
      const proven = { next_hash: next.key.token_hash, now: at, expires_at: after(at, longest_session_ms) }
      return (await db.one(proveSession(key, proven))) === undefined ? null : { token: next.token }
    },
    async read(token) {
      const key = readToken(token)
      const row = key === null ? undefined : await db.one(findSession(key))
      if (key === null || row === undefined) return null
      const at = now()
      const idle = at.getTime() - row.seen_at.getTime()
      if (row.expires_at <= at || idle >= idle_ms) return null
      if (idle >= touch_after_ms) await db.run(touchSession(key, at))
      const { program_id, session_uuid, phone, proven_at, customer_id, blocked } = row
      return { program_id, session_uuid, phone, proven: proven_at !== null, customer_id, blocked }
    },
    async end(token) {
      const key = readToken(token)
      if (key !== null) await db.run(deleteSession(key))
    },
    async endAll({ program_id, phone }) {
      return (await db.run(deleteSessionsOf(program_id, phone))).length
    },
  }
}

/** Purges the sessions that have expired at `now` by the machine's clock; gives their number. */
export function purgeSessions(db: Database, now: Date, batch?: number): Promise<number> {
  return purgeEverywhere(db, (program_id, count) => deleteEndedSessions(program_id, now, count), batch)
}

function newToken(program_id: number): { readonly token: string; readonly key: TokenKey } {
  const secret = newSecretText()
  return { token: programToken(program_id, secret), key: { program_id, token_hash: hashSecret(secret) } }
}

function readToken(token: string): TokenKey | null {
  const read = readProgramToken(token)
  return read === null ? null : { program_id: read.program_id, token_hash: hashSecret(read.secret) }
}
