import { createHash } from 'node:crypto'
import type { Database } from '../../db/pool.ts'
import { purge, purgeEverywhere } from '../../db/programs.ts'
import type { Transaction } from '../../db/transaction.ts'
import { deployment_program_id } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { after, before, day_ms } from '../../domain/spans.ts'
import type { KeyedRequest, StoredAnswer } from '../../http/api/idempotency.ts'
import { type Clock, latestEnd } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { hashJson } from './canonical.ts'
import {
  type Claim,
  deleteKeys,
  dropClaim,
  endLease,
  findKey,
  insertClaim,
  type KeyPlace,
  type KeyRow,
  keepAnswer,
  replaceClaim,
  takeOver,
} from './queries.ts'

/** How long answers are kept, by the business clock. docs/spec/api.md#idempotency-key */
const retention_ms = day_ms
/** How long a key waits for a request that may have died, by the machine's clock. Any write still checks the owner. */
const default_lease_ms = 10_000
/** A lost round means that another process made progress. */
const max_rounds = 8

export interface OnceParts {
  readonly db: Database
  readonly clock: Clock
  readonly secrets: SecretBox
  readonly lease_ms?: number
  /** Called if an answer could not be stored. The answer is sent all the same. */
  readonly onError?: (error: unknown) => void
}

/** The hashes that a request with the same body can have: the first is stored. */
type BodyHashes = readonly [Buffer, ...Buffer[]]

/**
 * Begins a request that carries an Idempotency-Key. docs/spec/api.md#idempotency-key,
 * docs/decisions/0008-idempotency.md
 */
export function createBeginOnce(parts: OnceParts) {
  return async ({ owner, route, path, key, body, has_secrets = false }: Omit<KeyedRequest, 'keeps'>) => {
    const { program_id, merchant_id } = owner
    const at: KeyPlace = { program_id, merchant_id, key_hash: sha256(`${path}\n${key}`) }
    const plain = body === undefined ? sha256('') : hashJson(body)
    // An older version has stored the plain hash. It counts for as long as its key.
    const known: BodyHashes = has_secrets
      ? [...parts.secrets.derivations(['idempotency body', plain.toString('hex')]), plain]
      : [plain]
    for (let round = 0; round < max_rounds; round += 1) {
      const begun = await tryToBegin(parts, at, { route, known })
      if (begun !== null) return begun
    }
    return { kind: 'in_flight' } as const
  }
}

/** One round; null if another process changed the row between two statements. */
async function tryToBegin(
  parts: OnceParts,
  at: KeyPlace,
  { route, known }: Pick<Claim, 'route'> & { readonly known: BodyHashes },
) {
  const { db, clock, lease_ms = default_lease_ms } = parts
  const leased_until = after(new Date(), lease_ms)
  const claim = {
    route,
    body_hash: known[0],
    leased_until,
    created_at: clock.now(),
    request_uuid: newUuid(),
    owner: newUuid(),
  }
  if ((await db.one(insertClaim(at, claim))) !== undefined) return started(parts, at, claim)
  const row = await db.one(findKey(at))
  if (row === undefined) return null
  const standing = standingOf(row, clock, lease_ms)
  if (standing === 'expired') {
    const replaced = await db.one(replaceClaim(at, row.owner, claim))
    return replaced === undefined ? null : started(parts, at, claim)
  }
  if (!known.some((hash) => row.body_hash.equals(hash))) return { kind: 'other_body' } as const
  if (standing === 'answered') return answered(parts, at, row)
  if (standing === 'in_flight') return { kind: 'in_flight' } as const
  const taken = { owner: claim.owner, request_uuid: row.request_uuid, leased_until }
  return (await db.one(takeOver(at, row.owner, taken))) === undefined ? null : started(parts, at, taken)
}

/** `orphaned`: the owner died, or released the key after a 429 or a 5xx. */
function standingOf(row: KeyRow, clock: Clock, lease_ms: number): 'in_flight' | 'expired' | 'answered' | 'orphaned' {
  const now_ms = Date.now()
  const { answer, leased_until } = row
  const is_leased = leased_until.getTime() > now_ms && leased_until <= latestEnd(now_ms, lease_ms)
  if (answer === null && is_leased) return 'in_flight'
  if (clock.now().getTime() - row.created_at.getTime() >= retention_ms) return 'expired'
  return row.answer === null ? 'orphaned' : 'answered'
}

function answered({ secrets }: OnceParts, at: KeyPlace, { status, answer }: KeyRow) {
  if (status === null || answer === null) throw new Error('a key has no answer')
  return { kind: 'answered', answer: { status, text: secrets.open(answer, answerBelongsTo(at)) } } as const
}

/**
 * The context of a sealed answer. Answers are sealed because they may contain a webhook's secret or a checkout's link.
 */
export function answerBelongsTo({ program_id, merchant_id, key_hash }: KeyPlace) {
  return ['idempotency', program_id, merchant_id, key_hash.toString('hex')]
}

function started(
  { db, secrets, onError = () => undefined }: OnceParts,
  at: KeyPlace,
  { owner, request_uuid }: { readonly owner: Uuid; readonly request_uuid: Uuid },
) {
  const statement = ({ status, text }: StoredAnswer) =>
    keepAnswer(at, owner, { status, sealed: secrets.seal(text, answerBelongsTo(at)) })
  const execution = {
    uuid: request_uuid,
    async keep(tx: Transaction, answer: StoredAnswer) {
      const kept = await tx.one(statement(answer))
      if (kept === undefined) throw new DomainError({ kind: 'request_in_flight' })
    },
    settle: (answer: StoredAnswer) => db.run(statement(answer)).then(() => undefined, onError),
    drop: () => db.run(dropClaim(at, owner)).then(() => undefined, onError),
    // In the past by any clock: the server of the next request may have another.
    release: () => db.run(endLease(at, owner, new Date(0))).then(() => undefined, onError),
  }
  return { kind: 'started', execution } as const
}

/** Purges the keys that are older than 24 hours at `now` by the business clock; gives their number. */
export async function purgeKeys(db: Database, now: Date, batch?: number): Promise<number> {
  const kept_from = before(now, retention_ms)
  const deletion = (program_id: number, count: number) => deleteKeys(program_id, kept_from, count)
  const ofDeployment = await purge(db, (count) => deletion(deployment_program_id, count), batch)
  return ofDeployment + (await purgeEverywhere(db, deletion, batch))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
