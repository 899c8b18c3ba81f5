import type { Database } from '../../db/pool.ts'
import { purgeEverywhere } from '../../db/programs.ts'
import type { Uuid } from '../../domain/ids.ts'
import { availablePoints } from '../../domain/ledger.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'
import { after, day_ms, hour_ms, minute_ms } from '../../domain/spans.ts'
import { hashSecret, newSecretText, newUuid } from '../../lib/ids.ts'
import {
  type CardKey,
  deleteCard,
  deleteCardsOf,
  deleteEndedCards,
  deleteSurplusCards,
  findCard,
  insertCard,
  proveCard,
  spendOffer,
  takeCard,
} from './card-queries.ts'

/** Time for a few codes. */
const asked_ms = hour_ms
const open_ms = 30 * day_ms
/** From the right code until the frame has its session. */
const offer_ms = 2 * minute_ms
/** Sessions of one customer in a program; one more ends the oldest. */
const most_cards = 20

/** Where a card is shown. A session of one merchant opens nothing at another. */
export interface CardPlace {
  readonly program_id: number
  readonly merchant_id: number
}

/** A session that shows a balance. */
export interface Card {
  /** The subject of its codes (`OtpRequest.subject_uuid`). */
  readonly card_uuid: Uuid
  readonly phone: Phone
  /** `asked`: the code is still to come. */
  readonly stage: 'asked' | 'open'
  /** Null before the code, without an active customer of the phone, and while the wallet is blocked. */
  readonly available: Points | null
  /** The code was right, and an operator has blocked the wallet. */
  readonly blocked: boolean
  /** Whether the window may offer a session to the frame that opened it. */
  readonly offers: boolean
}

/** Sessions that read a balance and nothing else, by the machine's clock. Only hashes of the tokens are stored. */
export interface Cards {
  /** Begins a session for a phone that is not proven yet. */
  begin(of: CardPlace & { readonly phone: Phone }): Promise<{ readonly token: string; readonly card_uuid: Uuid }>
  /** Opens a session after a right code and changes its token. Null if there is none to open. */
  prove(token: string, place: CardPlace): Promise<{ readonly token: string } | null>
  /** Gives the session of a token; null without one. Runs the same statement in both cases. */
  read(token: string | undefined, place: CardPlace): Promise<Card | null>
  /** Makes the one-time text with which a frame takes a session of its own: once, soon after the code. */
  offer(token: string, place: CardPlace, challenge: Buffer): Promise<string | null>
  /** Opens the session that was offered to the frame with this verifier. Null for anybody else, and the second time. */
  take(offered: string, verifier: string, place: CardPlace): Promise<{ readonly token: string } | null>
  /** Ends the session of a token. */
  end(token: string, place: CardPlace): Promise<void>
  /** Ends every session of a phone; gives their number. */
  endAll(of: { readonly program_id: number; readonly phone: Phone }): Promise<number>
}

export interface CardServices {
  readonly cards: Cards
}

/** How long a browser may keep the cookie of an open session, in seconds. */
export const card_age_s = open_ms / 1_000

export function createCards(db: Database, { now = () => new Date() }: { readonly now?: () => Date } = {}): Cards {
  return {
    async begin({ phone, ...place }) {
      const token = newSecretText()
      const [card_uuid, created_at] = [newUuid(), now()]
      const times = { created_at, expires_at: after(created_at, asked_ms) }
      await db.run(insertCard({ ...keyOf(token, place), ...times, card_uuid, phone, customer_id: null }, null))
      return { token, card_uuid }
    },
    async prove(token, place) {
      const next = newSecretText()
      const at = now()
      const opening = { next_hash: hashSecret(next), now: at, expires_at: after(at, open_ms) }
      const proven = proveCard(keyOf(token, place), { ...opening, offers_until: after(at, offer_ms) })
      return (await openBounded(db, place, proven)) ? { token: next } : null
    },
    async read(token, place) {
      const at = now()
      const row = await db.one(findCard(keyOf(token ?? '', place), at))
      if (row === undefined) return null
      const { card_uuid, phone, stage, posted, held, blocked, offers_until } = row
      const available = posted === null || held === null ? null : availablePoints({ posted, held })
      return { card_uuid, phone, stage, available, blocked, offers: offers_until !== null && offers_until > at }
    },
    async offer(token, place, challenge) {
      const offered = newSecretText()
      const [card_uuid, at] = [newUuid(), now()]
      const times = { created_at: at, expires_at: after(at, offer_ms) }
      const made = await db.transaction(async (tx) => {
        const spent = await tx.one(spendOffer(keyOf(token, place), at))
        if (spent === undefined) return false
        void tx.run(insertCard({ ...keyOf(offered, place), ...times, ...spent, card_uuid }, challenge))
        return true
      })
      return made ? offered : null
    },
    async take(offered, verifier, place) {
      const next = newSecretText()
      const at = now()
      const opening = { next_hash: hashSecret(next), now: at, expires_at: after(at, open_ms) }
      const taken = takeCard(keyOf(offered, place), { ...opening, challenge: hashSecret(verifier) })
      return (await openBounded(db, place, taken)) ? { token: next } : null
    },
    async end(token, place) {
      await db.run(deleteCard(keyOf(token, place)))
    },
    async endAll({ program_id, phone }) {
      return (await db.run(deleteCardsOf(program_id, phone))).length
    },
  }
}

/** Opens a session, and ends the oldest of a customer who has too many. */
function openBounded(db: Database, { program_id }: CardPlace, opening: ReturnType<typeof proveCard>): Promise<boolean> {
  return db.transaction(async (tx) => {
    const opened = await tx.one(opening)
    if (opened === undefined) return false
    void tx.run(deleteSurplusCards({ program_id, phone: opened.phone }, most_cards))
    return true
  })
}

/** Purges the sessions that have expired at `now` by the machine's clock; gives their number. */
export function purgeCards(db: Database, now: Date, batch?: number): Promise<number> {
  return purgeEverywhere(db, (program_id, count) => deleteEndedCards(program_id, now, count), batch)
}

function keyOf(token: string, { program_id, merchant_id }: CardPlace): CardKey {
  return { program_id, merchant_id, token_hash: hashSecret(token) }
}
