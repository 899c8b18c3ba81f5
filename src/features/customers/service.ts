import type { Database } from '../../db/pool.ts'
import { postToWallets } from '../../db/posting.ts'
import type { Transaction } from '../../db/transaction.ts'
import { availablePoints, EMPTY_WALLET } from '../../domain/ledger.ts'
import type { Program } from '../../domain/merchant.ts'
import { type Phone, parsePhone } from '../../domain/phone.ts'
import { asPoints } from '../../domain/points.ts'
import { rateAt } from '../../domain/rates.ts'
import { type SandboxIdentity, sandboxIdentities } from '../../domain/sandbox.ts'
import { terms } from '../../domain/terms.ts'
import { CliError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import { findWallet, insertConsent, insertFreshCustomers } from './queries.ts'

/** The output of `nuqta wallet show`. */
export interface WalletView {
  readonly phone: string
  readonly customer_status: 'invited' | 'active'
  readonly posted: number
  readonly held: number
  readonly available: number
}

/**
 * The wallet of a phone, in any accepted format.
 * @throws CliError if the text is no phone, or no customer of the program has it
 */
export async function showWallet(db: Database, program_id: number, phoneText: string): Promise<WalletView> {
  const phone = readPhone(phoneText)
  const wallet = await db.one(findWallet(program_id, phone))
  if (wallet === undefined) throw new CliError(`No customer of this program has the phone ${phoneText}.`)
  const { status, posted, held } = wallet
  const available = availablePoints({ posted: asPoints(posted), held: asPoints(held) })
  return { phone, customer_status: status, posted, held, available }
}

/**
 * Parses a phone in any accepted format.
 * @throws CliError if it is none
 */
export function readPhone(text: string): Phone {
  const phone = parsePhone(text)
  if (phone === null) throw new CliError(`${text} is not a Saudi mobile number like 0512345678.`)
  return phone
}

/** Adds the sandbox customers to a program that this transaction has created, or others that are new. Does not wait. */
export function addSandboxCustomers(
  tx: Transaction,
  program: Pick<Program, 'program_id' | 'account_id' | 'rates'>,
  now: Date,
  identities: readonly SandboxIdentity[] = sandboxIdentities,
): void {
  const customers = identities.map((identity) => ({ ...identity, customer_id: newUuid() }))
  void tx.run(insertFreshCustomers(program.program_id, now, customers))
  for (const { customer_id, status } of customers) {
    if (status === 'invited') continue
    const consent = { program_id: program.program_id, consent_uuid: newUuid(), customer_id, created_at: now }
    void tx.run(insertConsent({ ...consent, terms_version: terms.version, locale: 'ar', source: 'wallet' }))
  }
  postToWallets(tx, {
    program_id: program.program_id,
    now,
    wallets: [],
    newWallets: customers.map(({ customer_id }) => ({ ...EMPTY_WALLET, account_id: customer_id })),
    facts: customers.map(({ customer_id, points }) => ({
      fact: {
        kind: 'adjust',
        cause: newUuid(),
        points: asPoints(points),
        wallet: customer_id,
        program: program.account_id,
      },
      transfer_id: newUuid(),
      order_uuid: null,
      reason: 'Sandbox balance',
      value: rateAt(program.rates, now),
    })),
  })
}
