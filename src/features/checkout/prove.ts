import type { Database } from '../../db/pool.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Clock } from '../../lib/clock.ts'
import { hashSecret } from '../../lib/ids.ts'
import { updateSession } from '../orders/session-queries.ts'
import { changeCheckout, sessionOf, stepOf } from './session.ts'

/**
 * Binds a session to the browser in which a phone has just been proven, in place of an earlier browser. `another phone`:
 * the checkout is confirmed with the points of another phone, which alone may be proven again. `over`: the checkout is.
 */
export type ProveSession = (
  token: string,
  browser: string,
  phone: Phone,
) => Promise<'proven' | 'another phone' | 'over'>

/** Decisions §6. To be called once the code of the phone was right. */
export function createProveSession({ db, clock }: { readonly db: Database; readonly clock: Clock }): ProveSession {
  return async (token, browser, phone) => {
    const known = await sessionOf(db, token)
    if (known === null) return 'over'
    return changeCheckout(
      db,
      known,
      async (tx, { session, order }) => {
        const now = clock.now()
        const step = stepOf(session, order, { browser, active: true }, now)
        if (['expired', 'cancelled', 'closed', 'finished'].includes(step)) return 'over'
        // Where somebody went on without points, nobody's are held: any phone may be proven.
        const holds = session.confirmed_at !== null && session.continued_at === null
        if (holds && session.proven_phone !== phone) return 'another phone'
        const proof = { browser_hash: hashSecret(browser), proven_phone: phone, proven_at: now }
        void tx.run(updateSession(session, proof, now))
        return 'proven'
      },
      { repeatable: true },
    )
  }
}
