import type { Environment } from '../../config/config.ts'
import type { Database } from '../../db/pool.ts'
import { DomainError } from '../../domain/failures.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { findCheckoutRules, type MerchantId } from '../merchants/queries.ts'
import { findReturnMistake } from './return-link.ts'
import { type GivenSignature, judgeSignature, openCheckoutSecret, type SignedRequest } from './signing.ts'

/** A checkout to be opened, whose fields are valid by themselves. */
export interface AdmissionAsked extends GivenSignature {
  readonly merchant: MerchantId
  readonly callback_url: string | undefined
  readonly signed: () => SignedRequest
}

/**
 * Checks a checkout against the rules of its merchant: where it leads back to, and its signature. `signed`: the merchant's
 * server has signed its fields, so it is not counted as a stranger's.
 * Refused: `validation` on `callback_url`, `signature`, `signature_expires_at`, or on a signed field with a line break.
 */
export type AdmitCheckout = (asked: AdmissionAsked) => Promise<{ readonly signed: boolean }>

export interface AdmissionParts {
  readonly db: Database
  readonly secrets: SecretBox
  readonly environment: Environment
}

export function createAdmitCheckout({ db, secrets, environment }: AdmissionParts): AdmitCheckout {
  return async ({ merchant, callback_url, signed: request, ...given }) => {
    const rules = await db.one(findCheckoutRules(merchant))
    if (rules === undefined) throw new Error('a checkout without a merchant')
    const { return_hosts, signed_checkouts: required } = rules
    const place = { production: environment === 'production', return_hosts }
    const wrongReturn = callback_url === undefined ? null : findReturnMistake(callback_url, place)
    // The machine's clock: the shop's server sets the expiry by its own, not by a sandbox clock that was moved.
    const judged = judgeSignature(given, request, {
      required,
      secret: given.signature === undefined ? null : openCheckoutSecret(secrets, merchant, rules),
      now_ms: Date.now(),
    })
    const mistakes = [...(wrongReturn === null ? [] : [wrongReturn]), ...('mistakes' in judged ? judged.mistakes : [])]
    if (mistakes.length > 0 || 'mistakes' in judged) throw new DomainError({ kind: 'validation', errors: mistakes })
    return judged
  }
}
