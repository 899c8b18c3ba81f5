import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import { type Among, isAmong } from '../orders/session-queries.ts'
import type { FoundAtOnce, FoundBy, PersonalData } from './personal-data.ts'

/** A customer before the erasure, or after it. */
export interface Identity {
  readonly program_id: number
  readonly customer_id: Uuid
  /** Null once it is erased: then only the uuid finds anything. */
  readonly phone: Phone | null
}

/** A customer before the erasure. */
export interface Known extends Identity {
  readonly phone: Phone
}

/** A number that a merge has given up. Checkouts from `until` on that name it are of somebody else. */
export interface GivenUp {
  readonly phone: Phone
  readonly until: Uuid
}

/** What is known of a person in a program. */
export interface Person extends Identity {
  /** Those whose numbers were merged into this one. */
  readonly merged: readonly Uuid[]
  /** The numbers of these. */
  readonly given_up: readonly GivenUp[]
  /** The orders of these. */
  readonly orders_of_merged: readonly Uuid[]
  /** Orders and pending earnings, in the order of their uuids. */
  readonly orders: readonly Uuid[]
}

/** A person with only a part of the orders, and what belongs to these. */
export interface PersonPart extends Person {
  readonly deliveries: readonly Uuid[]
  /** Custom labels of the orders, now and before. */
  readonly labels: readonly string[]
}

/** The condition that finds a person's rows, and its value. */
const conditions: Readonly<Record<FoundAtOnce, readonly [condition: string, value: (person: PersonPart) => unknown]>> =
  {
    phone: ['phone = $2', ({ phone }) => phone],
    customer_id: ['customer_id = any($2::uuid[])', customersOf],
    order_uuid: ['order_uuid = any($2::uuid[])', ({ orders }) => orders],
    pending_uuid: ['pending_uuid = any($2::uuid[])', ({ orders }) => orders],
    delivery_id: ['delivery_id = any($2::uuid[])', ({ deliveries }) => deliveries],
    label: ['text = any($2::text[])', ({ labels }) => labels],
  }

/** The customer with those who were merged into them. */
export function customersOf({ customer_id, merged }: Pick<Person, 'customer_id' | 'merged'>): readonly Uuid[] {
  return [customer_id, ...merged]
}

/** The keys that find the rows of orders. The other keys find all rows of a person at once. */
export const found_by_order: ReadonlySet<FoundBy> = new Set(['order_uuid', 'pending_uuid', 'delivery_id', 'label'])

/** Deletes a person's rows of a table, or sets their personal columns to null. */
export function eraseFrom(
  data: PersonalData & { readonly found_by: FoundAtOnce },
  person: PersonPart,
): Statement<never> {
  const [condition, value] = conditions[data.found_by]
  return { text: erasing(data, condition), values: [person.program_id, value(person)] }
}

function erasing({ table, columns, erases, keeps }: PersonalData, condition: string): string {
  const where = `where program_id = $1 and ${condition}`
  const cleared = columns.map((column) => `${column} = null`).join(', ')
  const isWritten = keeps === undefined ? 'is not null' : `<> '${keeps}'`
  const kept = columns.map((column) => `${column} ${isWritten}`).join(' or ')
  return erases === 'rows' ? `delete from ${table} ${where}` : `update ${table} set ${cleared} ${where} and (${kept})`
}

/** Entries of a wallet: those above one version, up to another. */
export interface EntryRange {
  readonly program_id: number
  readonly account_id: Uuid
  readonly after: number
  readonly until: number
}

/** The same for rows that entries of a wallet lead to. The array keeps the planner from reading the whole table. */
export function eraseOfEntries(
  data: PersonalData,
  { program_id, account_id, after, until }: EntryRange,
): Statement<never> {
  const transfers = `select e.transfer_id from entry e where e.program_id = $1 and e.account_id = $2
    and e.account_version > $3 and e.account_version <= $4`
  return {
    text: erasing(data, `transfer_id = any(array(${transfers}))`),
    values: [program_id, account_id, after, until],
  }
}

/** The version of the last entry of a wallet; nothing if it has none. */
export function findLastVersion(program_id: number, account_id: Uuid): Statement<{ readonly version: number }> {
  return {
    text: `select account_version as version from entry
      where program_id = $1 and account_id = $2 and account_version is not null order by account_version desc limit 1`,
    values: [program_id, account_id],
  }
}

/** The orders and pending earnings of a customer. */
export function findOrdersOf({
  program_id,
  customer_id,
  merged,
}: Omit<Identity, 'phone'> & Pick<Person, 'merged'>): Statement<{ order_uuid: Uuid }> {
  return {
    text: `select o.order_uuid from orders o where o.program_id = $1 and o.customer_id = any($2::uuid[])
      union
      select p.pending_uuid from pending_earning p where p.program_id = $1 and p.customer_id = any($2::uuid[]) and p.order_uuid is null`,
    values: [program_id, customersOf({ customer_id, merged })],
  }
}

/** Orders without a customer whose checkout names a phone. */
export function findOrdersNaming(
  program_id: number,
  phone: Phone,
  { from, before, until }: Among,
): Statement<{ order_uuid: Uuid }> {
  return {
    text: `select o.order_uuid from checkout_session s
      join orders o on o.program_id = $1 and o.order_uuid = s.order_uuid and o.customer_id is null
      where s.program_id = $1 and (s.phone = $2 or s.proven_phone = $2) and ${isAmong('$3', '$4', '$5')}`,
    values: [program_id, phone, from, before, until],
  }
}

/** The orders of customers who were merged into another. */
export function findOrdersOfMerged(program_id: number, merged: readonly Uuid[]): Statement<{ order_uuid: Uuid }> {
  return {
    text: 'select o.order_uuid from orders o where o.program_id = $1 and o.customer_id = any($2::uuid[]) order by o.order_uuid',
    values: [program_id, merged],
  }
}

/** Those of some orders that have no customer, or may get another one: a confirmation replaces the one of the store. */
export function findLoose(program_id: number, orders: readonly Uuid[]): Statement<{ order_uuid: Uuid }> {
  return {
    text: `select order_uuid from orders
      where program_id = $1 and order_uuid = any($2::uuid[]) and (customer_id is null or order_status = 'new')`,
    values: [program_id, orders],
  }
}

/** Those of some orders that have no customer. */
export function findWithoutCustomer(program_id: number, orders: readonly Uuid[]): Statement<{ order_uuid: Uuid }> {
  return {
    text: 'select order_uuid from orders where program_id = $1 and order_uuid = any($2::uuid[]) and customer_id is null',
    values: [program_id, orders],
  }
}

/** Locks orders until the transaction ends, in the order of their uuids. */
export function lockOrders(program_id: number, orders: readonly Uuid[]): Statement<{ order_uuid: Uuid }> {
  return {
    text: `select order_uuid from orders where program_id = $1 and order_uuid = any($2::uuid[])
      order by order_uuid for no key update`,
    values: [program_id, orders],
  }
}

/**
 * An order that keeps a customer from erasure: it holds points, or its checkout was confirmed with a code and is still open. A
 * checkout that was continued without a code, or that has expired at a merchant who collects, does not count.
 */
export function findUnderWay(program_id: number, orders: readonly Uuid[]): Statement<{ order_uuid: Uuid }> {
  return {
    text: `select h.order_uuid from hold h
      where h.program_id = $1 and h.order_uuid = any($2::uuid[]) and h.state = 'open'
      union
      select s.order_uuid from checkout_session s
      where s.program_id = $1 and s.order_uuid = any($2::uuid[]) and s.state = 'open' and s.confirmed_at is not null
        and s.continued_at is null and s.release_at is not null
      order by order_uuid limit 1`,
    values: [program_id, orders],
  }
}

/** A point within a transaction, and the way back to it, which gives back the locks taken since. */
export const savepoint = { text: 'savepoint locks', values: [] } as const satisfies Statement<never>
export const releaseLocks = { text: 'rollback to savepoint locks', values: [] } as const satisfies Statement<never>

/** The custom labels of orders. */
export function findLabels(program_id: number, orders: readonly Uuid[]): Statement<{ label: string }> {
  return {
    text: `select unnest(array[label_ar, label_en]) as label from orders
      where program_id = $1 and order_uuid = any($2::uuid[]) and label_ar is not null`,
    values: [program_id, orders],
  }
}

/** Whether this connection may change tables that the service only adds to. */
export function mayErase(): Statement<{ may: boolean }> {
  return { text: `select has_table_privilege('transfer', 'update') as may`, values: [] }
}
