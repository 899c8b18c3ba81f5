import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'

/** The key of a session: the hash of its token, and the merchant in whose shop it is shown. */
export interface CardKey {
  readonly program_id: number
  readonly merchant_id: number
  readonly token_hash: Buffer
}

interface NewCard extends CardKey {
  readonly card_uuid: Uuid
  readonly phone: Phone
  readonly customer_id: Uuid | null
  readonly created_at: Date
  readonly expires_at: Date
}

/** Creates a session whose phone is not proven, or, with a `challenge`, one that waits for the frame that asked for it. */
export function insertCard(card: NewCard, challenge: Buffer | null): Statement<never> {
  const { program_id, merchant_id, token_hash, card_uuid, phone, customer_id, created_at, expires_at } = card
  return {
    text: `insert into card_session
        (program_id, card_uuid, merchant_id, token_hash, phone, customer_id, stage, challenge, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $9, case when $6::bytea is null then 'asked' else 'offered' end, $6, $7, $8)`,
    values: [program_id, card_uuid, merchant_id, token_hash, phone, challenge, created_at, expires_at, customer_id],
  }
}

export interface CardRow {
  readonly card_uuid: Uuid
  readonly phone: Phone
  readonly stage: 'asked' | 'open'
  readonly offers_until: Date | null
  readonly expires_at: Date
  /** Of the active customer of the phone; null when there is none, and while the wallet is blocked. */
  readonly posted: Points | null
  readonly held: Points | null
  /** The code was right, and an operator has blocked the wallet. */
  readonly blocked: boolean
}

/** The session of a token that has not expired, with the wallet of its customer once the phone is proven. */
export function findCard({ program_id, merchant_id, token_hash }: CardKey, now: Date): Statement<CardRow> {
  return {
    text: `select s.card_uuid, s.phone, s.stage, s.offers_until, s.expires_at, a.blocked_at is not null as blocked,
        case when a.blocked_at is null and c.status = 'active' then a.posted end as posted,
        case when a.blocked_at is null and c.status = 'active' then a.held end as held
      from card_session s
      left join customer c on c.program_id = s.program_id and c.phone = s.phone and s.stage = 'open'
        and (s.customer_id is null or s.customer_id = c.customer_id)
      left join account a on a.program_id = c.program_id and a.account_id = c.customer_id
      where s.program_id = $1 and s.merchant_id = $2 and s.token_hash = $3 and s.stage <> 'offered' and s.expires_at > $4`,
    values: [program_id, merchant_id, token_hash, now],
  }
}

interface Opening {
  readonly next_hash: Buffer
  readonly now: Date
  readonly expires_at: Date
}

/** Opens a session whose code was right, once, and changes its token. */
export function proveCard(
  { program_id, merchant_id, token_hash }: CardKey,
  { next_hash, now, expires_at, offers_until }: Opening & { readonly offers_until: Date },
): Statement<{ phone: Phone }> {
  return {
    text: `update card_session set stage = 'open', token_hash = $4, expires_at = $6, offers_until = $7, customer_id = (
          select c.customer_id from customer c
          where c.program_id = $1 and c.phone = card_session.phone and c.status = 'active'
        )
      where program_id = $1 and merchant_id = $2 and token_hash = $3 and stage = 'asked' and expires_at > $5
      returning phone`,
    values: [program_id, merchant_id, token_hash, next_hash, now, expires_at, offers_until],
  }
}

/** Opens a session that was offered, once, and changes its token: for the frame whose challenge it has. */
export function takeCard(
  { program_id, merchant_id, token_hash }: CardKey,
  { challenge, next_hash, now, expires_at }: Opening & { readonly challenge: Buffer },
): Statement<{ phone: Phone }> {
  return {
    text: `update card_session set stage = 'open', challenge = null, token_hash = $4, expires_at = $6
      where program_id = $1 and merchant_id = $2 and token_hash = $3 and stage = 'offered' and challenge = $7
        and expires_at > $5
      returning phone`,
    values: [program_id, merchant_id, token_hash, next_hash, now, expires_at, challenge],
  }
}

/** Takes from a session the right to offer another one; gives its phone if it had it. */
export function spendOffer(
  { program_id, merchant_id, token_hash }: CardKey,
  now: Date,
): Statement<Pick<NewCard, 'phone' | 'customer_id'>> {
  return {
    text: `update card_session set offers_until = null
      where program_id = $1 and merchant_id = $2 and token_hash = $3 and stage = 'open' and offers_until > $4
      returning phone, customer_id`,
    values: [program_id, merchant_id, token_hash, now],
  }
}

/** Deletes the oldest sessions of a phone whose code was right, beyond `most`. */
export function deleteSurplusCards(
  { program_id, phone }: { readonly program_id: number; readonly phone: Phone },
  most: number,
): Statement<never> {
  return {
    text: `delete from card_session where program_id = $1 and card_uuid in (
        select card_uuid from card_session where program_id = $1 and phone = $2 and stage <> 'asked'
        order by card_uuid desc offset $3
      )`,
    values: [program_id, phone, most],
  }
}

/** Ends the session of a token. */
export function deleteCard({ program_id, merchant_id, token_hash }: CardKey): Statement<never> {
  return {
    text: 'delete from card_session where program_id = $1 and merchant_id = $2 and token_hash = $3',
    values: [program_id, merchant_id, token_hash],
  }
}

/** Ends every session of a phone. */
export function deleteCardsOf(program_id: number, phone: Phone): Statement<{ card_uuid: Uuid }> {
  return {
    text: 'delete from card_session where program_id = $1 and phone = $2 returning card_uuid',
    values: [program_id, phone],
  }
}

/** Deletes up to `count` sessions of a program that expired before `before`. */
export function deleteEndedCards(program_id: number, before: Date, count: number): Statement<{ card_uuid: Uuid }> {
  return {
    text: `delete from card_session where program_id = $1 and card_uuid in (
        select card_uuid from card_session where program_id = $1 and expires_at < $2 order by expires_at limit $3
      ) and expires_at < $2 returning card_uuid`,
    values: [program_id, before, count],
  }
}
