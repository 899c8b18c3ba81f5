import type { Database } from '../../db/pool.ts'
import { purgeEverywhere } from '../../db/programs.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import { isRemembered, max_remembered, remembered_for_ms, spending_window_ms } from '../../domain/remembered.ts'
import { after, before } from '../../domain/spans.ts'
import type { Clock } from '../../lib/clock.ts'
import { hashSecret, newSecretText, newUuid, programToken, readProgramToken } from '../../lib/ids.ts'
import { lockCustomer } from '../customers/queries.ts'
import {
  deleteExpired,
  deleteRemembered,
  deleteRememberedOf,
  deleteSpends,
  deleteUnused,
  type FoundRemembered,
  findRemembered,
  insertRemembered,
  listRemembered,
  markPhoneProven,
  type RememberedRow,
} from './remembered-queries.ts'

/**
 * A remembered browser keeps a token for each phone and program, in one cookie. The service keeps a hash. Unlike the proofs of a
 * known browser, a token gives access: it shows points and spends them without a code, within a limit.
 * docs/decisions/0036-remembered-browsers.md
 */
export interface RememberedBrowsers {
  /** Gives the browsers of a program that a cookie stands for, the last used first. */
  read(cookie: string | undefined, program_id: number): Promise<readonly RememberedRow[]>
  /**
   * Remembers a browser in which a phone was proven by a code; gives its cookie's new text. Not for a customer who was blocked,
   * merged or erased since.
   */
  remember(of: Remember): Promise<string>
  /** Records that a phone was proven by a code. */
  proved(program_id: number, phone: Phone): Promise<void>
  /** Gives the browsers of a customer that are remembered now. */
  list(program_id: number, customer_id: Uuid): Promise<readonly RememberedRow[]>
  /** Ends browsers of a customer. */
  end(program_id: number, customer_id: Uuid, browsers: readonly Uuid[]): Promise<void>
  /** Ends what a cookie stands for in a program; gives the cookie's new text. */
  forget(cookie: string | undefined, program_id: number): Promise<string>
  /** Ends every browser of a phone; gives their number. */
  endAll(of: { readonly program_id: number; readonly phone: Phone }): Promise<number>
}

export interface RememberedServices {
  readonly rememberedBrowsers: RememberedBrowsers
}

export interface Remember {
  readonly program_id: number
  readonly phone: Phone
  readonly customer_id: Uuid
  readonly device: string | null
  /** The cookie as the browser sent it. */
  readonly cookie: string | undefined
}

/** Enough for a family. */
const max_tokens = 5

export function createRememberedBrowsers(db: Database, clock: Clock): RememberedBrowsers {
  const current = (rows: readonly RememberedRow[]) => rows.filter((row) => isRemembered(row, clock.now()))
  return {
    async read(cookie, program_id) {
      const hashes = hashesOf(cookie, program_id)
      return hashes.length === 0 ? [] : current(await db.run(findRemembered(program_id, hashes)))
    },
    async remember({ program_id, phone, customer_id, device, cookie }) {
      const secret = newSecretText()
      const [remembered_uuid, created_at] = [newUuid(), clock.now()]
      const expires_at = after(created_at, remembered_for_ms)
      const browser = { program_id, remembered_uuid, phone, customer_id, device, expires_at, created_at }
      const { is_current, others } = await db.transaction(async (tx) => {
        const customer = await tx.one(lockCustomer(program_id, phone))
        const is_current = customer?.customer_id === customer_id && !customer.blocked
        const here = await tx.run(findRemembered(program_id, hashesOf(cookie, program_id)))
        const same = here.filter((row) => row.customer_id === customer_id).map((row) => row.remembered_uuid)
        void tx.run(deleteRemembered(program_id, customer_id, same))
        if (is_current) void tx.run(insertRemembered({ ...browser, token_hash: hashSecret(secret) }))
        void tx.run(deleteUnused(program_id, customer_id, max_remembered))
        return { is_current, others: here.filter((row) => row.customer_id !== customer_id) }
      })
      const kept = tokensOf(cookie).filter((token) => isKept(token, program_id, others))
      return [...(is_current ? [programToken(program_id, secret)] : []), ...kept].slice(0, max_tokens).join('.')
    },
    async proved(program_id, phone) {
      await db.run(markPhoneProven(program_id, phone, clock.now()))
    },
    async list(program_id, customer_id) {
      return current(await db.run(listRemembered(program_id, customer_id)))
    },
    async end(program_id, customer_id, browsers) {
      await db.run(deleteRemembered(program_id, customer_id, browsers))
    },
    async forget(cookie, program_id) {
      const rows = await db.run(findRemembered(program_id, hashesOf(cookie, program_id)))
      for (const { customer_id, remembered_uuid } of rows)
        await db.run(deleteRemembered(program_id, customer_id, [remembered_uuid]))
      return tokensOf(cookie)
        .filter((token) => !token.startsWith(`${program_id}-`))
        .join('.')
    },
    async endAll({ program_id, phone }) {
      return (await db.run(deleteRememberedOf(program_id, phone))).length
    },
  }
}

function tokensOf(cookie = ''): string[] {
  return cookie.split('.', max_tokens).filter((token) => readProgramToken(token) !== null)
}

/** A token of another program, or of one of a program's browsers: those that have ended must not take the place of others. */
function isKept(token: string, program_id: number, browsers: readonly FoundRemembered[]): boolean {
  const [hash] = hashesOf(token, program_id)
  return hash === undefined || browsers.some(({ token_hash }) => token_hash.equals(hash))
}

/** The hashes of a program's tokens. Tokens of other programs are not looked up. */
function hashesOf(cookie: string | undefined, program_id: number): Buffer[] {
  return tokensOf(cookie).flatMap((token) => {
    const read = readProgramToken(token)
    return read?.program_id === program_id ? [hashSecret(read.secret)] : []
  })
}

/** Purges browsers that have expired and spendings that no limit counts; gives their number. */
export async function purgeRemembered(db: Database, now: Date, batch?: number): Promise<number> {
  const uncounted = before(now, spending_window_ms)
  const browsers = await purgeEverywhere(db, (program_id, count) => deleteExpired(program_id, now, count), batch)
  return (
    browsers + (await purgeEverywhere(db, (program_id, count) => deleteSpends(program_id, uncounted, count), batch))
  )
}
