import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, preparedRows, type Runnable, rowsOfLists, type Statement } from '../../db/statement.ts'
import { closeErased } from '../../db/wallet-state.ts'
import type { NewCustomer } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'

export interface WalletOfPhone {
  readonly phone: Phone
  readonly status: 'invited' | 'active'
  readonly posted: number
  readonly held: number
}

/** A customer's wallet by phone. */
export function findWallet(program_id: number, phone: Phone): CompiledQuery<WalletOfPhone> {
  return builder
    .selectFrom('customer as c')
    .innerJoin('account as a', (join) =>
      join.onRef('a.program_id', '=', 'c.program_id').onRef('a.account_id', '=', 'c.customer_id'),
    )
    .select(['c.phone', 'c.status', 'a.posted', 'a.held'])
    .where('c.program_id', '=', program_id)
    .where('c.phone', '=', phone)
    .$castTo<WalletOfPhone>()
    .compile()
}

export interface FreshCustomer {
  readonly customer_id: Uuid
  readonly phone: string
  readonly status: 'invited' | 'active'
}

/** Creates customers without names. The ledger creates their wallets. */
export function insertFreshCustomers(
  program_id: number,
  now: Date,
  customers: readonly FreshCustomer[],
): Statement<never> {
  return {
    text: `insert into customer (program_id, customer_id, phone, status, created_at, activated_at)
      select $1::bigint, c.customer_id, c.phone, c.status, $2, case when c.status = 'active' then $2::timestamptz end
      from unnest($3::uuid[], $4::text[], $5::text[]) as c(customer_id, phone, status)`,
    values: [
      program_id,
      now,
      customers.map(({ customer_id }) => customer_id),
      customers.map(({ phone }) => phone),
      customers.map(({ status }) => status),
    ],
  }
}

/** A customer whose wallet is locked. */
export interface LockedCustomer {
  readonly customer_id: Uuid
  readonly account_id: Uuid
  readonly phone: Phone
  readonly status: 'invited' | 'active'
  readonly posted: Points
  readonly held: Points
  readonly version: number
  /** Its points cannot be used until an operator lifts the block. */
  readonly blocked: boolean
}

const lockedColumns = `c.customer_id, a.account_id, c.phone, c.status, a.posted, a.held, a.version, a.blocked_at is not null as blocked`

// PostgreSQL checks conditions on the wallet again after waiting for its lock: a merge or an erasure may have closed it.
/** Locks the wallet of a phone. This blocks every earning and activation of the customer. */
export function lockCustomer(program_id: number, phone: Phone): Statement<LockedCustomer> {
  return {
    text: `select ${lockedColumns}
      from customer c join account a on a.program_id = c.program_id and a.account_id = c.customer_id
      where c.program_id = $1 and c.phone = $2 and a.merged_into is null and a.erased_at is null for no key update of a`,
    values: [program_id, phone],
  }
}

/** Locks a customer who is not erased, with the wallet. The name and the state are those after the wait, too. */
export function lockCustomerById(program_id: number, customer_id: Uuid): Statement<LockedCustomer> {
  return {
    text: `select ${lockedColumns}
      from customer c join account a on a.program_id = c.program_id and a.account_id = c.customer_id
      where c.program_id = $1 and c.customer_id = $2 and c.phone is not null and a.merged_into is null for no key update of a, c`,
    values: [program_id, customer_id],
  }
}

/** Locks customers with their wallets in the order of their ids, without those who are erased or merged. */
export function lockCustomersById(program_id: number, customer_ids: readonly Uuid[]): Statement<LockedCustomer> {
  return {
    text: `select ${lockedColumns}
      from ${rowsOfLists('$2::uuid[]', 'k(customer_id)')}
      join customer c on c.program_id = $1 and c.customer_id = k.customer_id
      join account a on a.program_id = $1 and a.account_id = k.customer_id
      where c.phone is not null and a.merged_into is null
      order by a.account_id for no key update of a, c`,
    values: [program_id, customer_ids],
  }
}

/** Activates an invited customer. */
export function activateInvited(program_id: number, customer_id: Uuid, now: Date): CompiledQuery<unknown> {
  return builder
    .updateTable('customer')
    .set({ status: 'active', activated_at: now })
    .where('program_id', '=', program_id)
    .where('customer_id', '=', customer_id)
    .where('status', '=', 'invited')
    .compile()
}

const insertCustomersText = preparedRows<never>(
  'earning.new_customers',
  (rows) => `insert into customer (program_id, customer_id, phone, name, status, created_at, activated_at)
   select $1::bigint, c.customer_id, c.phone, c.name, c.status, $2, case when c.status = 'active' then $2::timestamptz end
   from ${rows('$3::uuid[], $4::text[], $5::text[], $6::text[]', 'c(customer_id, phone, name, status)')}
   order by c.phone`,
)

/** Creates customers. If another transaction creates the same phone, this is a unique violation: try again. */
export function insertCustomers(program_id: number, now: Date, customers: readonly NewCustomer[]): Statement<never> {
  return insertCustomersText(
    program_id,
    now,
    customers.map(({ customer_id }) => customer_id),
    customers.map(({ phone }) => phone),
    customers.map(({ name }) => name),
    customers.map(({ status }) => status),
  )
}

const nameCustomersText = prepared<never>(
  'earning.names',
  `insert into customer as c (program_id, customer_id, phone, name, status, created_at, activated_at)
   select $1::bigint, n.customer_id, c.phone, n.name, c.status, c.created_at, c.activated_at
   from ${rowsOfLists('$2::uuid[], $3::text[]', 'n(customer_id, name)')}
   cross join lateral (
     select c.* from customer c
     where c.program_id = $1 and c.customer_id = n.customer_id and (c.program_id, c.customer_id) >= ($1, n.customer_id)
     limit 1
   ) c
   on conflict (program_id, customer_id) do update set name = excluded.name where c.name is null`,
)

/** Names customers that have no name. */
export function nameCustomers(
  program_id: number,
  names: readonly { readonly customer_id: Uuid; readonly name: string }[],
): Statement<never> {
  return nameCustomersText(
    program_id,
    names.map(({ customer_id }) => customer_id),
    names.map(({ name }) => name),
  )
}

/** The name of a customer. */
export function findName(program_id: number, customer_id: Uuid): CompiledQuery<{ readonly name: string | null }> {
  return builder
    .selectFrom('customer')
    .select('name')
    .where('program_id', '=', program_id)
    .where('customer_id', '=', customer_id)
    .compile()
}

export interface CustomerOfPhone {
  readonly customer_id: Uuid
  readonly status: 'invited' | 'active'
  readonly name: string | null
}

/** The customer of a phone in a program. */
export function findCustomer(program_id: number, phone: Phone): CompiledQuery<CustomerOfPhone> {
  return builder
    .selectFrom('customer')
    .select(['customer_id', 'status', 'name'])
    .where('program_id', '=', program_id)
    .where('phone', '=', phone)
    .$castTo<CustomerOfPhone>()
    .compile()
}

/** Names a customer at onboarding. An active customer keeps the name they have. */
export function nameOnboarded(program_id: number, customer_id: Uuid, name: string): Statement<never> {
  return {
    text: `update customer set name = $3
      where program_id = $1 and customer_id = $2 and (status = 'invited' or name is null or not exists (
        select from consent k where k.program_id = $1 and k.customer_id = $2
      ))`,
    values: [program_id, customer_id, name],
  }
}

export interface Consent {
  readonly program_id: number
  readonly consent_uuid: Uuid
  readonly customer_id: Uuid
  readonly terms_version: string
  readonly locale: Locale
  readonly source: 'checkout' | 'wallet'
  readonly created_at: Date
}

/** Records a consent. Only the first to a version is kept. */
export function insertConsent(consent: Consent): CompiledQuery<unknown> {
  return builder
    .insertInto('consent')
    .values(consent)
    .onConflict((conflict) => conflict.columns(['program_id', 'customer_id', 'terms_version']).doNothing())
    .compile()
}

const consentText = prepared<{ readonly terms_version: string }>(
  'customers.consent',
  `select terms_version from consent
  where program_id = $1 and customer_id = $2 and (program_id, customer_id) >= ($1, $2) limit 1`,
)

/** One row if a customer has agreed to any version of the terms. */
export function findConsent(program_id: number, customer_id: Uuid): Statement<{ readonly terms_version: string }> {
  return consentText(program_id, customer_id)
}

/** Two statements: take the phone and the name of a customer away, for good, and close the wallet. */
export function eraseIdentity(program_id: number, customer_id: Uuid, now: Date): readonly Runnable<unknown>[] {
  const customer = builder
    .updateTable('customer')
    .set({ phone: null, name: null, erased_at: now })
    .where('program_id', '=', program_id)
    .where('customer_id', '=', customer_id)
  return [customer.compile(), closeErased({ program_id, account_id: customer_id }, now)]
}

/** A customer with the wallet, for operators. */
export interface CustomerRow {
  readonly program_id: number
  readonly customer_id: Uuid
  /** Null once the customer is erased. */
  readonly phone: Phone | null
  readonly name: string | null
  readonly status: 'invited' | 'active'
  readonly posted: Points
  readonly held: Points
  readonly created_at: Date
  readonly activated_at: Date | null
  readonly erased_at: Date | null
  readonly merged_into: Uuid | null
}

/** Which customers to find. Undefined fields match all. */
export interface CustomerFilter {
  readonly phone?: Phone | undefined
  readonly customer_id?: Uuid | undefined
}

/** A page of a program's customers: those before an id, the newest first. */
export function findCustomers(
  program_id: number,
  { phone, customer_id }: CustomerFilter,
  page: { readonly before?: Uuid | undefined; readonly size: number },
): CompiledQuery<CustomerRow> {
  let query = builder
    .selectFrom('customer as c')
    .innerJoin('account as a', (join) =>
      join.onRef('a.program_id', '=', 'c.program_id').onRef('a.account_id', '=', 'c.customer_id'),
    )
    .select(['c.program_id', 'c.customer_id', 'c.phone', 'c.name', 'c.status', 'a.posted', 'a.held'])
    .select(['c.created_at', 'c.activated_at', 'c.erased_at', 'a.merged_into'])
    .where('c.program_id', '=', program_id)
  if (phone !== undefined) query = query.where('c.phone', '=', phone)
  if (customer_id !== undefined) query = query.where('c.customer_id', '=', customer_id)
  if (page.before !== undefined) query = query.where('c.customer_id', '<', page.before)
  return query.orderBy('c.customer_id', 'desc').limit(page.size).$castTo<CustomerRow>().compile()
}
