import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { retryAfterSeconds } from '../../domain/limit.ts'
import { signInLimits } from '../../domain/sign-in.ts'
import { homeOf, siteOf } from '../../lib/client-network.ts'
import type { Counted, Limits } from '../limits/service.ts'

/**
 * Runs something that a stranger may try a few times only. It counts first, so that tries at the same time all count, and takes
 * the count back when the try was right or could not be made.
 * @throws DomainError `too_many_sign_ins`
 */
export async function attempt<T>(limits: Limits, counted: readonly Counted[], work: () => Promise<T>): Promise<T> {
  const admission = await admit(limits, counted)
  try {
    const result = await work()
    await limits.takeBack(admission)
    return result
  } catch (error) {
    if (!isWrongTry(error)) await limits.takeBack(admission)
    throw error
  }
}

/**
 * Runs a sign-in of an account from an address, which counts when it was right.
 * @throws DomainError `too_many_sign_ins`
 */
export function signingIn<T>(
  limits: Limits,
  { staff_uuid, address }: { readonly staff_uuid: Uuid; readonly address: string },
  work: () => Promise<T>,
): Promise<T> {
  return counting(limits, { limit: signInLimits.sign_ins, whom: [staff_uuid, homeOf(address)] }, work)
}

/**
 * Compares a password, which counts unless it could not be compared.
 * @throws DomainError `too_many_sign_ins`
 */
export function comparing<T>(limits: Limits, whom: Counted['whom'], work: () => Promise<T>): Promise<T> {
  return counting(limits, { limit: signInLimits.compared, whom }, work)
}

/** Counts something, and takes the count back when it fails. */
async function counting<T>(limits: Limits, counted: Counted, work: () => Promise<T>): Promise<T> {
  const counts = await admit(limits, [counted])
  try {
    return await work()
  } catch (error) {
    await limits.takeBack(counts)
    throw error
  }
}

/** The limits of what strangers try from an address. */
export function triesFrom(address: string): Counted[] {
  const site = siteOf(address)
  return [
    { limit: signInLimits.address, whom: [homeOf(address)] },
    ...(site === null ? [] : [{ limit: signInLimits.site, whom: [site] }]),
  ]
}

/**
 * Counts one of each.
 * @throws DomainError `too_many_sign_ins`
 */
export async function admit(limits: Limits, counted: readonly Counted[]) {
  const admission = await limits.admit(counted)
  if (admission.admitted) return admission.counts
  const retry_after_s = retryAfterSeconds(admission.retry_at, limits.now())
  throw new DomainError({ kind: 'too_many_sign_ins', retry_after_s })
}

const wrong = ['sign_in_refused', 'second_factor_refused', 'confirm_password', 'passkey_refused']

function isWrongTry(error: unknown): boolean {
  return error instanceof DomainError && wrong.includes(error.failure.kind)
}
