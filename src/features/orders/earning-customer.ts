import { post } from '../../db/ledger.ts'
import type { Transaction } from '../../db/transaction.ts'
import { EMPTY_WALLET } from '../../domain/ledger.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Phone } from '../../domain/phone.ts'
import { NO_POINTS } from '../../domain/points.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { insertInvitations } from '../customers/invitation-queries.ts'
import {
  insertConsent,
  insertCustomers,
  type LockedCustomer,
  lockCustomer,
  nameCustomers,
} from '../customers/queries.ts'
import type { LockedOrder } from './order.ts'
import { type LockedWallet, updateOrder } from './queries.ts'
import { withWaiting } from './service.ts'
import { findSessionOf, type SessionRow } from './session-queries.ts'

/**
 * Gives a locked order that is about to be paid, with the customer whom its money part earns for. In a checkout without
 * points that is the customer of the number that the store sent, created if need be; without a number there is none
 * (docs/spec/checkout.md#without-points).
 * It waits for the wallet: read the clock afterwards.
 * @throws a unique violation of `customer_phone_key` when another transaction creates the customer at this moment: retry
 */
export async function withEarningCustomer(
  tx: Transaction,
  merchant: Merchant,
  order: LockedOrder,
  clock: Clock,
): Promise<LockedOrder> {
  if (order.type !== 2 || order.wallet !== null) return order
  const { program_id, order_uuid } = order
  const session = await tx.one(findSessionOf(program_id, order_uuid))
  if (session === undefined || session.continued_at === null || session.phone === null) return order
  const known = await tx.one(lockCustomer(program_id, session.phone))
  const now = clock.now()
  if (known !== undefined && session.name !== null)
    void tx.run(nameCustomers(program_id, [{ customer_id: known.customer_id, name: session.name }]))
  const wallet =
    known === undefined
      ? createCustomer(tx, { merchant, session, phone: session.phone, now })
      : await withWaiting(tx, program_id, walletOf(known))
  void tx.run(updateOrder(order, { customer_id: wallet.account_id }, now))
  return { ...order, customer_id: wallet.account_id, wallet }
}

function walletOf({ account_id, posted, held, version, blocked, status }: LockedCustomer): LockedWallet {
  return { account_id, posted, held, version, blocked, erased: false, invited: status === 'invited' }
}

interface NewCustomer {
  readonly merchant: Merchant
  readonly session: SessionRow
  readonly phone: Phone
  readonly now: Date
}

/** Creates the customer with the name and the consent that were given in the checkout. */
function createCustomer(tx: Transaction, { merchant, session, phone, now }: NewCustomer) {
  const { program_id, joined_name, joined_terms, joined_locale } = session
  const customer_id = newUuid()
  const status = merchant.program.activation === 'automatic' ? 'active' : 'invited'
  void tx.run(insertCustomers(program_id, now, [{ customer_id, phone, name: joined_name ?? session.name, status }]))
  const empty = { ...EMPTY_WALLET, account_id: customer_id }
  post(tx, { program_id, now, transfers: [], entries: [], wallets: [], newWallets: [empty] })
  if (joined_terms !== null && joined_locale !== null) {
    const consent = { program_id, consent_uuid: newUuid(), customer_id, created_at: now }
    const given = { terms_version: joined_terms, locale: joined_locale, source: 'checkout' } as const
    void tx.run(insertConsent({ ...consent, ...given }))
  }
  if (status === 'invited') {
    const invitation = { sms_uuid: newUuid(), customer_id, merchant_id: merchant.merchant_id }
    void tx.run(insertInvitations(program_id, [invitation], new Date()))
  }
  return { ...empty, waiting: NO_POINTS, blocked: false, erased: false }
}
