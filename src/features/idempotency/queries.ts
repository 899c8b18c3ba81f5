import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'

export interface KeyPlace {
  readonly program_id: number
  readonly merchant_id: number
  readonly key_hash: Buffer
}

export interface Claim {
  readonly route: string
  readonly body_hash: Buffer
  readonly request_uuid: Uuid
  readonly owner: Uuid
  readonly leased_until: Date
  readonly created_at: Date
}

export interface KeyRow {
  readonly body_hash: Buffer
  readonly request_uuid: Uuid
  readonly owner: Uuid
  readonly leased_until: Date
  readonly status: number | null
  readonly answer: Buffer | null
  readonly created_at: Date
}

const place = ({ program_id, merchant_id, key_hash }: KeyPlace) => [program_id, merchant_id, key_hash]

const insertClaimText = prepared<{ owner: Uuid }>(
  'idempotency.claim',
  `insert into idempotency
     (program_id, merchant_id, key_hash, route, body_hash, request_uuid, owner, leased_until, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (program_id, merchant_id, key_hash) do nothing returning owner`,
)

/** Claims an unused key; gives nothing if it is used. */
export function insertClaim(at: KeyPlace, claim: Claim): Statement<{ owner: Uuid }> {
  const { route, body_hash, request_uuid, owner, leased_until, created_at } = claim
  return insertClaimText(...place(at), route, body_hash, request_uuid, owner, leased_until, created_at)
}

const findKeyText = prepared<KeyRow>(
  'idempotency.find',
  `select body_hash, request_uuid, owner, leased_until, status, answer, created_at from idempotency
   where program_id = $1 and merchant_id = $2 and key_hash = $3
     and (program_id, merchant_id, key_hash) >= ($1, $2, $3)`,
)

/** The row of a key. */
export function findKey(at: KeyPlace): Statement<KeyRow> {
  return findKeyText(...place(at))
}

const replaceClaimText = prepared<{ owner: Uuid }>(
  'idempotency.replace',
  `update idempotency set route = $5, body_hash = $6, request_uuid = $7, owner = $8, leased_until = $9, created_at = $10,
     status = null, answer = null
   where program_id = $1 and merchant_id = $2 and key_hash = $3
     and (program_id, merchant_id, key_hash) >= ($1, $2, $3) and owner = $4 returning owner`,
)

/** Claims a key whose former use has expired; gives nothing if another request was faster. */
export function replaceClaim(at: KeyPlace, former: Uuid, claim: Claim): Statement<{ owner: Uuid }> {
  const { route, body_hash, request_uuid, owner, leased_until, created_at } = claim
  return replaceClaimText(...place(at), former, route, body_hash, request_uuid, owner, leased_until, created_at)
}

const takeOverText = prepared<{ owner: Uuid }>(
  'idempotency.take_over',
  `update idempotency set owner = $5, leased_until = $6
   where program_id = $1 and merchant_id = $2 and key_hash = $3
     and (program_id, merchant_id, key_hash) >= ($1, $2, $3) and owner = $4 and answer is null returning owner`,
)

/** Takes over an unanswered request whose lease has expired; gives nothing if another request was faster. */
export function takeOver(
  at: KeyPlace,
  former: Uuid,
  { owner, leased_until }: { readonly owner: Uuid; readonly leased_until: Date },
): Statement<{ owner: Uuid }> {
  return takeOverText(...place(at), former, owner, leased_until)
}

const keepAnswerText = prepared<{ owner: Uuid }>(
  'idempotency.keep',
  `update idempotency set status = $5, answer = $6
   where program_id = $1 and merchant_id = $2 and key_hash = $3
     and (program_id, merchant_id, key_hash) >= ($1, $2, $3) and owner = $4 and answer is null returning owner`,
)

/** Stores the answer, if the request still belongs to this owner; gives nothing if it does not. */
export function keepAnswer(
  at: KeyPlace,
  owner: Uuid,
  answer: { readonly status: number; readonly sealed: Buffer },
): Statement<{ owner: Uuid }> {
  return keepAnswerText(...place(at), owner, answer.status, answer.sealed)
}

const endLeaseText = prepared<never>(
  'idempotency.release',
  `update idempotency set leased_until = $5
   where program_id = $1 and merchant_id = $2 and key_hash = $3
     and (program_id, merchant_id, key_hash) >= ($1, $2, $3) and owner = $4 and answer is null`,
)

/** Ends the lease of an owner at an instant. */
export function endLease(at: KeyPlace, owner: Uuid, instant: Date): Statement<never> {
  return endLeaseText(...place(at), owner, instant)
}

const dropClaimText = prepared<never>(
  'idempotency.drop',
  `delete from idempotency
   where program_id = $1 and merchant_id = $2 and key_hash = $3 and owner = $4 and answer is null
     and (program_id, merchant_id, key_hash) >= ($1, $2, $3)`,
)

/** Releases a key without an answer, as if it had never been used. */
export function dropClaim(at: KeyPlace, owner: Uuid): Statement<never> {
  return dropClaimText(...place(at), owner)
}

/** Deletes up to `count` keys of a program that were first used before `before`. */
export function deleteKeys(program_id: number, before: Date, count: number): Statement<{ key_hash: Buffer }> {
  return {
    text: `delete from idempotency where program_id = $1 and (merchant_id, key_hash) in (
        select merchant_id, key_hash from idempotency where program_id = $1 and created_at < $2
        order by created_at limit $3
      ) and created_at < $2 returning key_hash`,
    values: [program_id, before, count],
  }
}

/** A stored answer, sealed. */
export interface KeptAnswer extends KeyPlace {
  readonly answer: Buffer
}

/** A page of a program's answers, after a key. */
export function findAnswers(program_id: number, after: KeyPlace | undefined, size: number): Statement<KeptAnswer> {
  return {
    text: `select program_id, merchant_id, key_hash, answer from idempotency
      where program_id = $1 and answer is not null and (merchant_id, key_hash) > ($2, $3)
      order by merchant_id, key_hash limit $4`,
    values: [program_id, after?.merchant_id ?? 0, after?.key_hash ?? Buffer.alloc(0), size],
  }
}

/** Replaces an answer by another sealed text. */
export function replaceAnswer(at: KeyPlace, answer: Buffer): Statement<never> {
  return {
    text: 'update idempotency set answer = $4 where program_id = $1 and merchant_id = $2 and key_hash = $3',
    values: [...place(at), answer],
  }
}
