import { readEmail } from '../../domain/email.ts'
import { signInLimits } from '../../domain/sign-in.ts'
import { homeOf } from '../../lib/client-network.ts'
import { admit } from './attempts.ts'
import { insertLink } from './link-queries.ts'
import { makeLink } from './links.ts'
import { resetMail } from './mails.ts'
import type { StaffParts } from './parts.ts'
import { findStaffByEmail } from './queries.ts'
import type { Visitor } from './sessions.ts'

/** Work that goes on after the answer, so that its time says nothing. */
export interface Background {
  /** Begins a piece of work; drops it when too many wait. */
  add(work: () => Promise<void>): void
  /** Resolves when all of it has ended. */
  idle(): Promise<void>
}

const max_pending = 50

/** `onDropped` is called for a piece of work that is not begun. */
export function createBackground(onError: (error: unknown) => void, onDropped: () => void): Background {
  const pending = new Set<Promise<void>>()
  return {
    add(work) {
      if (pending.size >= max_pending) return onDropped()
      const running: Promise<void> = work()
        .catch(onError)
        .finally(() => pending.delete(running))
      pending.add(running)
    },
    async idle() {
      await Promise.all(pending)
    },
  }
}

/**
 * Mails a link to choose a new password. The answer is the same, and as fast, whether anybody has the address.
 * @throws DomainError `too_many_sign_ins` by the visitor's address alone: a limit of the account would say that there is one
 */
export async function forgotPassword(
  parts: StaffParts,
  background: Background,
  { email: typed, visitor }: { readonly email: string; readonly visitor: Visitor },
): Promise<void> {
  await admit(parts.limits, [{ limit: signInLimits.resets_address, whom: [homeOf(visitor.address)] }])
  const email = readEmail(typed)
  const { mail } = parts
  if (email === null || mail === undefined) return
  background.add(async () => {
    const { db, limits, public_url, now, onUnsent } = parts
    const person = await db.one(findStaffByEmail(email))
    if (person === undefined || person.disabled) return
    const counted = [
      { limit: signInLimits.resets, whom: [email] },
      { limit: signInLimits.mails, whom: [] },
    ]
    if (!(await limits.admit(counted)).admitted) return
    const to = { purpose: 'reset', email, mailed: true, to: person.staff_uuid } as const
    const { row, url } = makeLink(public_url, to, now())
    await db.run(insertLink(row))
    const outcome = await mail.send(resetMail(email, person.locale, url))
    if (outcome.kind === 'refused') onUnsent?.(outcome.reason)
  })
}
