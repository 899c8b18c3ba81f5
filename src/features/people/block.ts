import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import { clearBlock, writeBlock } from '../../db/wallet-state.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { lockCustomerById } from '../customers/queries.ts'
import { endSessions } from './sessions.ts'

/** Operators keep a customer from using points, and lift that. docs/spec/customers.md#block */

/** The longest reason, in characters. Operators alone read it. */
export const max_block_reason = 500

export interface CustomerKey {
  readonly program_id: number
  readonly customer_id: Uuid
}

/** Whether the wallet is blocked after a change, and how many sign-ins that ended. */
export interface Blocked {
  readonly customer_id: Uuid
  readonly blocked: boolean
  readonly sessions_ended: number
}

interface Changing {
  readonly by: Actor
  readonly keep?: BeforeCommit<Blocked> | undefined
}

/**
 * Blocks a wallet and ends its sign-ins, in one transaction. A wallet that is blocked already keeps its reason.
 * @throws DomainError `not_found` for a customer who is unknown, erased or merged
 */
export function blockCustomer(
  db: Database,
  { program_id, customer_id }: CustomerKey,
  { reason, by, keep }: Changing & { readonly reason: string },
): Promise<Blocked> {
  return db.transaction(async (tx) => {
    const customer = await tx.one(lockCustomerById(program_id, customer_id))
    if (customer === undefined) throw new DomainError({ kind: 'not_found' })
    const sessions_ended = await endSessions(tx, program_id, customer.phone)
    if (!customer.blocked) {
      void tx.run(writeBlock({ program_id, account_id: customer_id }, { reason, by: by.name, now: new Date() }))
      const [before, after] = [{ blocked: false }, { blocked: true, reason, sessions_ended }]
      audit(tx, by, [{ program_id, action: 'customers.block', object: `customer:${customer_id}`, before, after }])
    }
    const blocked = { customer_id, blocked: true, sessions_ended }
    await keep?.(tx, blocked)
    return blocked
  })
}

/**
 * Lifts the block of a wallet. The customer signs in again.
 * @throws DomainError `not_found`
 */
export function unblockCustomer(
  db: Database,
  { program_id, customer_id }: CustomerKey,
  { by, keep }: Changing,
): Promise<Blocked> {
  return db.transaction(async (tx) => {
    const customer = await tx.one(lockCustomerById(program_id, customer_id))
    if (customer === undefined) throw new DomainError({ kind: 'not_found' })
    if (customer.blocked) {
      void tx.run(clearBlock({ program_id, account_id: customer_id }))
      const [before, after] = [{ blocked: true }, { blocked: false }]
      audit(tx, by, [{ program_id, action: 'customers.unblock', object: `customer:${customer_id}`, before, after }])
    }
    const lifted = { customer_id, blocked: false, sessions_ended: 0 }
    await keep?.(tx, lifted)
    return lifted
  })
}
