import { DomainError } from '../../domain/failures.ts'
import type { Limit } from '../../domain/limit.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Authenticate } from '../../http/api/auth.ts'
import { homeOf } from '../../net/client-network.ts'
import type { Counted, Limits } from '../limits/service.ts'

/** Somebody who is about to open a checkout of a merchant, and has sent all that it takes. */
export interface Opening {
  readonly merchant: Merchant
  readonly client_address: string
  /** `x-api-key` as it was sent, if it was. */
  readonly private_key: unknown
  /** A signature of the merchant's that was found to be right. */
  readonly signature?: string | undefined
}

/**
 * Counts a checkout that a stranger opens: by its signature where it has one, else by the address, and by the merchant either
 * way. What comes with the merchant's private key is not counted. Gives what takes the count back when nothing came of it.
 * @throws Refused `too_many_checkouts`
 */
export type AdmitOpening = (opening: Opening) => Promise<() => Promise<void>>

export interface AdmissionParts {
  readonly limits: Limits
  readonly authenticate: Authenticate
  readonly checkouts_per_hour?: number | undefined
}

const default_per_hour = 600
/** A signed body is seen in a browser, may be sent again until it expires, and with other products each time. */
const most_per_signature = 20
const hour_ms = 3_600_000

const nothing = async (): Promise<void> => undefined

/** The public key stands in every shop's page, so that whoever opens a checkout by it alone is anybody. */
export function createAdmitOpening({
  limits,
  authenticate,
  checkouts_per_hour = default_per_hour,
}: AdmissionParts): AdmitOpening {
  const unsigned: Limit = { name: 'checkouts', rules: [{ most: checkouts_per_hour, within_ms: hour_ms }] }
  const signed: Limit = { name: 'signed checkouts', rules: [{ most: most_per_signature, within_ms: hour_ms }] }
  return async (opening) => {
    if (await isKeyOf(opening.merchant, opening.private_key)) return nothing
    const admission = await limits.admit([countedOf(opening)])
    if (admission.admitted) return () => limits.takeBack(admission.counts)
    const wait_ms = admission.retry_at.getTime() - Date.now()
    throw new DomainError({ kind: 'too_many_checkouts', retry_after_s: Math.max(1, Math.ceil(wait_ms / 1000)) })
  }

  function countedOf({ merchant: { program_id, merchant_id }, client_address, signature }: Opening): Counted {
    if (signature !== undefined) return { limit: signed, whom: [program_id, merchant_id, signature] }
    return { limit: unsigned, whom: [homeOf(client_address), program_id, merchant_id] }
  }

  async function isKeyOf({ program_id, merchant_id }: Merchant, key: unknown): Promise<boolean> {
    const owner = await authenticate('private', key)
    return owner?.program_id === program_id && owner.merchant_id === merchant_id
  }
}
