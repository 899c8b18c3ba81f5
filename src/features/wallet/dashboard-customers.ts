import type { Database } from '../../db/pool.ts'
import { DomainError } from '../../domain/failures.ts'
import { parseUuid, type Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { parsePhone } from '../../domain/phone.ts'
import type { Clock } from '../../lib/clock.ts'
import {
  type CustomerCursor,
  findCustomersNamed,
  findMerchantCustomers,
  findVisitsOf,
  type MerchantCustomer,
} from '../activity/queries.ts'
import { termsVersionOf } from '../merchants/terms.ts'
import {
  type CustomerAtMerchant,
  findByIds,
  findConsent,
  findIdOfPhone,
  findPending,
  type GivenConsent,
  isKnown,
  type PendingEarning,
} from './dashboard-queries.ts'
import { findMovements, type Movement } from './queries.ts'

/**
 * A merchant's staff see customers who dealt with the merchant, and only what happened there. In a program with one merchant
 * they see everything. docs/spec/dashboard-orders.md#customers
 */
export interface CustomerPages {
  /** Finds a customer by phone or id. For other words, finds recent customers whose names contain `q`. */
  readonly find: (merchant: MerchantKey, q: string) => Promise<readonly FoundCustomer[]>
  /** The customers with paid orders at the merchant, the last visitor first: one more than `limit` where there are more. */
  readonly list: (
    merchant: MerchantKey,
    page: { readonly before: CustomerCursor | null; readonly limit: number },
  ) => Promise<readonly ListedCustomer[]>
  /** @throws DomainError `not_found` */
  readonly read: (merchant: MerchantKey, customer_id: Uuid) => Promise<CustomerDetail>
  /** @throws DomainError `not_found` */
  readonly history: (
    merchant: MerchantKey,
    customer_id: Uuid,
    page: { readonly before: number | null; readonly limit: number },
  ) => Promise<HistoryPage>
  /** @throws DomainError `not_found` */
  readonly refuseUnknown: (merchant: MerchantKey, customer_id: Uuid) => Promise<void>
}

/** Without visits before the first paid order, of whoever a phone or an id finds. */
export interface FoundCustomer extends CustomerAtMerchant {
  readonly visits: MerchantCustomer | null
}

/** A customer with what the merchant's daily figures know: they are some seconds behind. */
export interface ListedCustomer extends CustomerAtMerchant {
  readonly visits: MerchantCustomer
}

export interface CustomerDetail {
  readonly customer: CustomerAtMerchant
  /** The customer into whom this one was merged; null for one with whom the merchant has not dealt. */
  readonly merged_into: Uuid | null
  readonly pending: readonly PendingEarning[]
  readonly consent: GivenConsent | null
  /** The version of the program's terms in force. */
  readonly terms_version: string
}

export interface HistoryPage {
  readonly movements: readonly Movement[]
  /** Null at the end. A page may be short and not the last: so many movements of other merchants were passed over. */
  readonly next: number | null
}

/** The most customers that a name finds. */
const most_named = 50
/** Two letters at least: one is in nearly every name. */
const isName = (q: string): boolean => /\p{L}.*\p{L}/u.test(q)

/** The most waiting earnings that are shown. */
const most_pending = 100
/** How many movements are read at once, and how often for one page. */
const read_at_once = 200
const reads_of_page = 5

export function createCustomerPages(db: Database, clock: Clock): CustomerPages {
  const readKnown = async (merchant: MerchantKey, customer_id: Uuid) => {
    const [customer] = await db.run(findByIds(merchant.program_id, [customer_id]))
    const known = customer === undefined ? undefined : await db.one(isKnown(merchant, customer_id))
    return customer !== undefined && known?.known === true ? customer : undefined
  }
  const read = async (merchant: MerchantKey, customer_id: Uuid) => {
    const customer = await readKnown(merchant, customer_id)
    if (customer === undefined) throw new DomainError({ kind: 'not_found' })
    return customer
  }
  const withWallets = async (
    { program_id }: MerchantKey,
    visits: readonly MerchantCustomer[],
  ): Promise<ListedCustomer[]> => {
    const ids = visits.map(({ customer_id }) => customer_id)
    const found = ids.length === 0 ? [] : await db.run(findByIds(program_id, ids))
    const customers = new Map(found.map((customer) => [customer.customer_id, customer]))
    return visits.flatMap((visit) => {
      const customer = customers.get(visit.customer_id)
      return customer === undefined ? [] : [{ ...customer, visits: visit }]
    })
  }
  const named = async (merchant: MerchantKey, name: string) =>
    withWallets(merchant, await db.run(findCustomersNamed(merchant, name, most_named)))
  return {
    async find(merchant, q) {
      const phone = parsePhone(q)
      const ofPhone = phone === null ? undefined : await db.one(findIdOfPhone(merchant.program_id, phone))
      const customer_id = ofPhone?.customer_id ?? parseUuid(q.trim())
      if (customer_id === null) return isName(q) ? named(merchant, q.trim()) : []
      const [customer, visits = null] = await Promise.all([
        readKnown(merchant, customer_id),
        db.one(findVisitsOf(merchant.program_id, merchant.merchant_id, customer_id)),
      ])
      return customer === undefined ? [] : [{ ...customer, visits }]
    },
    async list(merchant, { before, limit }) {
      return withWallets(merchant, await db.run(findMerchantCustomers(merchant, { before, limit: limit + 1 })))
    },
    async read(merchant, customer_id) {
      const customer = await read(merchant, customer_id)
      const { merged_into: into } = customer
      const [pending, consent, terms_version, survivor] = await Promise.all([
        db.run(findPending(merchant, customer_id, most_pending)),
        db.one(findConsent(merchant.program_id, customer_id)),
        termsVersionOf(db, merchant.program_id, clock.now()),
        into === null ? undefined : readKnown(merchant, into),
      ])
      const merged_into = survivor?.customer_id ?? null
      return { customer, merged_into, pending, consent: consent ?? null, terms_version }
    },
    async history(merchant, customer_id, page) {
      await read(merchant, customer_id)
      return readHistory(db, merchant, customer_id, page)
    },
    async refuseUnknown(merchant, customer_id) {
      await read(merchant, customer_id)
    },
  }
}

/** The movements of orders at this merchant, and adjustments, which belong to no merchant. */
async function readHistory(
  db: Database,
  { program_id, merchant_id }: MerchantKey,
  customer_id: Uuid,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<HistoryPage> {
  const movements: Movement[] = []
  let until = before === null ? Number.MAX_SAFE_INTEGER : before - 1
  for (let reads = 0; reads < reads_of_page; reads += 1) {
    const found = await db.run(findMovements({ program_id, customer_id }, { after: 0, until }, read_at_once))
    for (const movement of found) {
      until = movement.version - 1
      if (movement.merchant_id !== null && movement.merchant_id !== merchant_id) continue
      movements.push(movement)
      if (movements.length === limit) return { movements, next: movement.version }
    }
    if (found.length < read_at_once) return { movements, next: null }
  }
  return { movements, next: until + 1 }
}
