import { DomainError } from '../../domain/failures.ts'
import { type Limit, retryAfterSeconds } from '../../domain/limit.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { Limits } from './service.ts'

/**
 * Counts a test that a merchant's staff asks for.
 * @throws DomainError `too_many_tests`
 */
export async function admitTest(limits: Limits, limit: Limit, { program_id, merchant_id }: MerchantKey): Promise<void> {
  const admission = await limits.admit([{ limit, whom: [program_id, merchant_id] }])
  if (admission.admitted) return
  throw new DomainError({ kind: 'too_many_tests', retry_after_s: retryAfterSeconds(admission.retry_at, limits.now()) })
}
