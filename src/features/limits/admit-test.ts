import { DomainError } from '../../domain/failures.ts'
import type { Limit } from '../../domain/limit.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { Limits } from './service.ts'

/**
 * Counts a test that a merchant's staff asks for.
 * @throws DomainError `too_many_tests`
 */
export async function admitTest(limits: Limits, limit: Limit, { program_id, merchant_id }: MerchantKey): Promise<void> {
  const admission = await limits.admit([{ limit, whom: [program_id, merchant_id] }])
  if (admission.admitted) return
  const wait_ms = admission.retry_at.getTime() - limits.now().getTime()
  throw new DomainError({ kind: 'too_many_tests', retry_after_s: Math.max(1, Math.ceil(wait_ms / 1_000)) })
}
