import { isUniqueViolation } from '../../db/failure.ts'
import { post } from '../../db/ledger.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type FieldError, refuseFields } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { EMPTY_WALLET } from '../../domain/ledger.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'
import { max_name_characters, readName } from '../../domain/text.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import {
  findConsent,
  findCustomer,
  insertConsent,
  insertCustomers,
  lockCustomer,
  nameOnboarded,
} from '../customers/queries.ts'
import { termsVersionOf } from '../merchants/terms.ts'
import { activate } from './activation.ts'

export type CustomerOfPhone =
  | { readonly kind: 'unknown'; readonly customer_id: null; readonly name: null }
  | { readonly kind: 'invited' | 'active'; readonly customer_id: Uuid; readonly name: string | null }

/** Finds the customer of a phone. Show the result only to someone who has proven the phone. */
export type FindCustomerOf = (program_id: number, phone: Phone) => Promise<CustomerOfPhone>

export interface OnboardRequest {
  readonly program_id: number
  /** Proven. */
  readonly phone: Phone
  readonly name: string
  readonly locale: Locale
  /** The version that the customer saw and accepted. */
  readonly terms_version: string
  readonly source: 'checkout' | 'wallet'
}

export interface Onboarded {
  readonly customer_id: Uuid
  readonly orders_created: number
}

/**
 * Makes the owner of a proven phone an active customer with a wallet, a name and a consent, and turns pending earnings
 * into orders with their events. Doing it again changes nothing. Fails with `validation` of `name`, or of `terms` if
 * the version is not the current one. docs/spec/customers.md#onboarding
 */
export type Onboard = (request: OnboardRequest) => Promise<Onboarded>

/** Whether a customer has agreed to the terms: one whom an earning made active has not. */
export type HasConsented = (program_id: number, customer_id: Uuid) => Promise<boolean>

export interface OnboardingServices {
  readonly findCustomerOf: FindCustomerOf
  readonly hasConsented: HasConsented
  readonly onboard: Onboard
}

export function createOnboarding(parts: { readonly db: Database; readonly clock: Clock }): OnboardingServices {
  const { db } = parts
  return {
    findCustomerOf: createFindCustomerOf(db),
    hasConsented: async (program_id, customer_id) => (await db.one(findConsent(program_id, customer_id))) !== undefined,
    onboard: createOnboard(parts),
  }
}

function createFindCustomerOf(db: Database): FindCustomerOf {
  return async (program_id, phone) => {
    const found = await db.one(findCustomer(program_id, phone))
    if (found === undefined) return { kind: 'unknown', customer_id: null, name: null }
    return { kind: found.status, customer_id: found.customer_id, name: found.name }
  }
}

function createOnboard({ db, clock }: { readonly db: Database; readonly clock: Clock }): Onboard {
  return async (request) => {
    return db.transaction(
      async (tx) => {
        const { program_id, phone, locale, terms_version, source } = request
        const name = checked(request, await termsVersionOf(tx, program_id, clock.now()))
        // Lock the wallet first, as every activation does (docs/decisions/0005), and read the clock once it is locked.
        const known = await tx.one(lockCustomer(program_id, phone))
        const now = clock.now()
        const customer_id = known?.customer_id ?? newUuid()
        if (known === undefined) makeCustomer(tx, { program_id, customer_id, phone, name, now })
        else void tx.run(nameOnboarded(program_id, customer_id, name))
        const consent = { program_id, customer_id, terms_version, locale, source, created_at: now }
        void tx.run(insertConsent({ ...consent, consent_uuid: newUuid() }))
        const orders_created = known === undefined ? 0 : await activate(tx, program_id, known, now)
        return { customer_id, orders_created }
      },
      // A first earning or another tab created the same customer, or a reference number is taken.
      { repeatable: true, retryOn: (error) => isUniqueViolation(error) },
    )
  }
}

function checked({ name: typed, terms_version }: OnboardRequest, current: string): string {
  const name = readName(typed)
  const errors: FieldError[] = []
  if (name === null)
    errors.push(
      typed.trim() === ''
        ? { field: 'name', rule: 'required' }
        : { field: 'name', rule: 'max_string', limit: max_name_characters },
    )
  if (terms_version !== current) errors.push({ field: 'terms', rule: 'required' })
  if (name === null || errors.length > 0) return refuseFields(...errors)
  return name
}

interface Fresh {
  readonly program_id: number
  readonly customer_id: Uuid
  readonly phone: Phone
  readonly name: string
  readonly now: Date
}

function makeCustomer(tx: Transaction, { program_id, customer_id, phone, name, now }: Fresh): void {
  void tx.run(insertCustomers(program_id, now, [{ customer_id, phone, name, status: 'active' }]))
  const wallet = { ...EMPTY_WALLET, account_id: customer_id }
  post(tx, { program_id, now, transfers: [], entries: [], wallets: [], newWallets: [wallet] })
}
