import type { Environment } from '../../config/config.ts'
import { isUniqueViolation } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import { storedBytes } from '../../domain/abandoned.ts'
import { DomainError, refuseFields } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { hourly, retryAfterSeconds } from '../../domain/limit.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Merchant, MerchantKey } from '../../domain/merchant.ts'
import type { Phone } from '../../domain/phone.ts'
import { after } from '../../domain/spans.ts'
import type { Authenticate } from '../../http/api/auth.ts'
import { homeOf } from '../../lib/client-network.ts'
import type { Clock } from '../../lib/clock.ts'
import { hashSecret, newReferenceNumber, newUuid, programToken } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import type { Counted, Limits } from '../limits/service.ts'
import { findCheckoutRules } from '../merchants/queries.ts'
import { insertSession } from '../orders/session-queries.ts'
import { insertReplacingOrder, type NewReplacingOrder } from '../orders/write-queries.ts'
import { findActiveCustomer } from './queries.ts'
import { checkSignature, type GivenSignature, openCheckoutSecret, type SignedRequest } from './signing.ts'
import { findReturnMistake } from './view.ts'

/** A request to open a checkout. Each field is valid by itself. */
export interface CheckoutRequest extends GivenSignature {
  readonly merchant: MerchantKey
  readonly callback_url: string | undefined
  readonly signedFields: () => SignedRequest
}

/**
 * Checks a request against the merchant's rules: its `callback_url` and its signature. `signed`: the signature is right.
 * Refuses with `validation` on `callback_url`, `signature`, `signature_expires_at`, or on a signed field with a line break.
 */
export type CheckRequest = (request: CheckoutRequest) => Promise<{ readonly signed: boolean }>

export interface CheckRequestParts {
  readonly db: Database
  readonly secrets: SecretBox
  readonly environment: Environment
}

/** docs/spec/checkout.md#callback-url and docs/spec/checkout.md#signed */
export function createCheckRequest({ db, secrets, environment }: CheckRequestParts): CheckRequest {
  return async ({ merchant, callback_url, signedFields, ...given }) => {
    const rules = await db.one(findCheckoutRules(merchant))
    if (rules === undefined) throw new Error('a checkout without a merchant')
    const { return_hosts, signed_checkouts: required } = rules
    const place = { production: environment === 'production', return_hosts }
    const wrongReturn = callback_url === undefined ? null : findReturnMistake(callback_url, place)
    // By the machine's clock: a shop's server knows nothing of a sandbox clock that was moved.
    const checked = checkSignature(given, signedFields, {
      required,
      secret: given.signature === undefined ? null : openCheckoutSecret(secrets, merchant, rules),
      now_ms: Date.now(),
    })
    const mistakes = [
      ...(wrongReturn === null ? [] : [wrongReturn]),
      ...('mistakes' in checked ? checked.mistakes : []),
    ]
    if (mistakes.length > 0 || 'mistakes' in checked) return refuseFields(...mistakes)
    return checked
  }
}

/** A valid request to open a checkout, as the limit on checkouts sees it. */
export interface CountedRequest {
  readonly merchant: Merchant
  readonly client_address: string
  /** `x-api-key` as it was sent, if it was. */
  readonly private_key: unknown
  /** Only a signature that was checked and is right. */
  readonly signature?: string | undefined
}

/**
 * Counts a checkout for its merchant, by signature or else by client address. Requests with the merchant's private key are
 * not counted. Gives a function that takes the count back when no checkout was opened.
 * @throws DomainError `too_many_checkouts`
 */
export type LimitCheckouts = (request: CountedRequest) => Promise<() => Promise<void>>

export interface LimitParts {
  readonly limits: Limits
  readonly authenticate: Authenticate
  readonly checkouts_per_hour?: number | undefined
}

const default_per_hour = 600
/** Anyone who sees a signed body in a browser can send it again until it expires, with other products each time. */
const most_per_signature = 20

const nothing = async (): Promise<void> => undefined

/** The public key is on every shop's page, so anyone can open checkouts with it (docs/spec/checkout.md#public-limits). */
export function createLimitCheckouts({
  limits,
  authenticate,
  checkouts_per_hour = default_per_hour,
}: LimitParts): LimitCheckouts {
  const unsigned = hourly('checkouts', checkouts_per_hour)
  const signed = hourly('signed checkouts', most_per_signature)
  return async (request) => {
    if (await isKeyOf(request.merchant, request.private_key)) return nothing
    const admission = await limits.admit([countedOf(request)])
    if (admission.admitted) return () => limits.takeBack(admission.counts)
    const retry_after_s = retryAfterSeconds(admission.retry_at, new Date())
    throw new DomainError({ kind: 'too_many_checkouts', retry_after_s })
  }

  function countedOf({ merchant: { program_id, merchant_id }, client_address, signature }: CountedRequest): Counted {
    if (signature !== undefined) return { limit: signed, whom: [program_id, merchant_id, signature] }
    return { limit: unsigned, whom: [homeOf(client_address), program_id, merchant_id] }
  }

  async function isKeyOf({ program_id, merchant_id }: Merchant, key: unknown): Promise<boolean> {
    const owner = await authenticate('private', key)
    return owner?.program_id === program_id && owner.merchant_id === merchant_id
  }
}

/** A checkout to open, checked. */
export type NewCheckout = Omit<NewReplacingOrder, 'customer_id' | 'reference_number'> & {
  readonly phone: Phone | null
  readonly name: string | null
  readonly callback_url: string | null
  /** The language in which the pages begin, if the store asked for one. */
  readonly locale?: Locale | null
}

export interface OpenedCheckout {
  readonly checkout_url: string
  readonly order_uuid: Uuid
  readonly reference_number: string
  readonly expires_at: Date
}

/** Creates a replacing order and the session of its checkout (docs/spec/checkout.md#open). Never refuses. */
export type OpenCheckout = (
  checkout: NewCheckout,
  beforeCommit?: BeforeCommit<OpenedCheckout>,
) => Promise<OpenedCheckout>

export interface OpenParts {
  readonly db: Database
  readonly clock: Clock
  readonly checkout_ttl_s: number
  /** The beginning of links, without a trailing slash. */
  readonly public_url: string
}

export function createOpenCheckout({ db, clock, checkout_ttl_s, public_url }: OpenParts): OpenCheckout {
  return ({ phone, name, callback_url, locale = null, ...order }, beforeCommit) =>
    db.transaction(
      async (tx) => {
        const { program_id, merchant_id, order_uuid } = order
        const now = clock.now()
        const expires_at = after(now, checkout_ttl_s * 1000)
        const reference_number = newReferenceNumber()
        const token = programToken(program_id)
        const customer = phone === null ? undefined : await tx.one(findActiveCustomer(program_id, phone))
        const customer_id = customer?.customer_id ?? null
        void tx.run(insertReplacingOrder({ ...order, customer_id, reference_number }, now))
        tx.counts({ what: 'orders', kind: 'checkout', amount: 1 })
        const given = { phone, name, callback_url, locale }
        const session = { program_id, session_uuid: newUuid(), merchant_id, order_uuid, ...given }
        const { items, metadata, shipping_address, order_number } = order
        const stored_bytes = storedBytes([items, metadata, shipping_address, order_number, callback_url, name])
        void tx.run(insertSession({ ...session, token_hash: hashSecret(token), expires_at, stored_bytes }, now))
        const checkout_url = `${public_url}/checkout/${token}`
        const opened = { checkout_url, order_uuid, reference_number, expires_at }
        await beforeCommit?.(tx, opened)
        return opened
      },
      { retryOn: (error) => isUniqueViolation(error, 'orders_reference_number_key') },
    )
}
