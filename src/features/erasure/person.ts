import { eraseReasons } from '../../db/audit.ts'
import { findEvents, replacePayloads } from '../../db/outbox.ts'
import type { Transaction } from '../../db/transaction.ts'
import { findMergedInto } from '../../db/wallet-state.ts'
import { customLabels, withoutPersonalData } from '../../domain/erasure.ts'
import { first_uuid, last_uuid, type Uuid, uuidV7Floor } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import { day_ms } from '../../domain/spans.ts'
import {
  type Among,
  eraseProvenSessions,
  eraseSessions,
  findSessionsNaming,
  purgeSentPhone,
} from '../orders/session-queries.ts'
import { answersOfReceivers, type FoundAtOnce, type PersonalData, personalData } from './personal-data.ts'
import {
  customersOf,
  eraseFrom,
  eraseOfEntries,
  findLabels,
  findLastVersion,
  findLoose,
  findOrdersNaming,
  findOrdersOf,
  findOrdersOfMerged,
  findWithoutCustomer,
  found_by_order,
  type Identity,
  type Known,
  type Person,
} from './queries.ts'

/** The most webhooks of a merchant: the last byte of a delivery's id is the slot of its webhook. */
const slots = Array.from({ length: 21 }, (_, slot) => slot.toString(16).padStart(2, '0'))

/** The checkouts of a program. */
export const every_checkout: Among = { from: first_uuid, before: [], until: last_uuid }
/** Nobody proves a phone in a checkout that was opened longer ago: it is open for seven days at most (`NUQTA_CHECKOUT_TTL_S`). */
const longest_open_ms = 8 * day_ms

/** The checkouts that name a phone, or may come to name it. The others need not be read again. */
export async function checkoutsOf(tx: Transaction, { program_id, phone }: Known): Promise<Among> {
  const from = uuidV7Floor(Date.now() - longest_open_ms)
  const found = await tx.run(findSessionsNaming(program_id, phone))
  const before = found.map(({ session_uuid }) => session_uuid).filter((session_uuid) => session_uuid < from)
  return { from, before, until: last_uuid }
}

/** Finds a person: the customers and orders that are theirs, by the numbers that they have and had. */
export async function findPerson(
  tx: Transaction,
  { program_id, customer_id, phone }: Identity,
  among: Among,
): Promise<Person> {
  const found = await tx.run(findMergedInto({ program_id, account_id: customer_id }))
  const merged = found.map(({ account_id }) => account_id)
  const given_up = found.flatMap(({ given_up_phone, merged_at }) =>
    given_up_phone === null ? [] : [{ phone: given_up_phone, until: uuidV7Floor(merged_at.getTime()) }],
  )
  const numbers = phone === null ? given_up : [{ phone, until: last_uuid }, ...given_up]
  const found_orders = await Promise.all([
    tx.run(findOrdersOf({ program_id, customer_id, merged })),
    ...numbers.map((one) => tx.run(findOrdersNaming(program_id, one.phone, { ...among, until: one.until }))),
  ])
  const orders = [...new Set(uuidsOf(found_orders.flat()))].sort()
  const orders_of_merged = uuidsOf(await tx.run(findOrdersOfMerged(program_id, merged)))
  return { program_id, customer_id, phone, merged, given_up, orders_of_merged, orders }
}

function uuidsOf(rows: readonly { readonly order_uuid: Uuid }[]): Uuid[] {
  return rows.map(({ order_uuid }) => order_uuid)
}

/** The most orders in one statement: its time has a limit, and it holds all their events in memory. */
const orders_at_a_time = 500

/** Divides orders into parts for one statement each. */
export function* partsOf(orders: readonly Uuid[]): Generator<readonly Uuid[]> {
  for (let from = 0; from < orders.length; from += orders_at_a_time) yield orders.slice(from, from + orders_at_a_time)
}

/** Those of some orders that nothing may lead to any more once the checkouts are erased. */
export function looseOrders(tx: Transaction, program_id: number, orders: readonly Uuid[]): Promise<Uuid[]> {
  return inParts(orders, (part) => tx.run(findLoose(program_id, part)))
}

/** Those of some orders that have no customer. */
export function withoutCustomer(tx: Transaction, program_id: number, orders: readonly Uuid[]): Promise<Uuid[]> {
  return inParts(orders, (part) => tx.run(findWithoutCustomer(program_id, part)))
}

async function inParts(
  orders: readonly Uuid[],
  find: (part: readonly Uuid[]) => Promise<readonly { readonly order_uuid: Uuid }[]>,
): Promise<Uuid[]> {
  const found: Uuid[] = []
  for (const part of partsOf(orders)) found.push(...uuidsOf(await find(part)))
  return found
}

/** Erases what belongs to the orders of a person. */
export async function eraseAllOrders(tx: Transaction, person: Person): Promise<void> {
  for (const part of partsOf(person.orders)) await eraseOrders(tx, { ...person, orders: part })
}

function isFoundAtOnce(data: PersonalData): data is PersonalData & { readonly found_by: FoundAtOnce } {
  return data.found_by !== 'account'
}

/** Entries in one statement. */
const entries_at_a_time = 10_000

/** Erases what is found by the entries of a person's wallets above these versions; gives the last version of each. */
export async function eraseEntries(
  tx: Transaction,
  person: Person,
  versions: ReadonlyMap<Uuid, number>,
): Promise<ReadonlyMap<Uuid, number>> {
  const { program_id } = person
  const read = new Map<Uuid, number>()
  for (const account_id of customersOf(person)) {
    let after = versions.get(account_id) ?? 0
    const last = (await tx.one(findLastVersion(program_id, account_id)))?.version ?? after
    for (; after < last; after += entries_at_a_time) {
      const range = { program_id, account_id, after, until: after + entries_at_a_time }
      for (const data of personalData) if (!isFoundAtOnce(data)) await tx.run(eraseOfEntries(data, range))
    }
    read.set(account_id, last)
  }
  return read
}

/** Erases what belongs to a person and to no single order. */
export function erasePerson(tx: Transaction, person: Person, among: Among): void {
  const { program_id, phone, orders_of_merged } = person
  for (const part of partsOf(orders_of_merged)) void tx.run(eraseSessions(program_id, part, 'all'))
  const whole = { ...person, deliveries: [], labels: [] }
  for (const data of personalData.filter(isFoundAtOnce))
    if (data.erases !== 'own' && !found_by_order.has(data.found_by)) void tx.run(eraseFrom(data, whole))
  if (phone !== null) eraseCheckouts(tx, program_id, phone, among)
  for (const customer_id of customersOf(person)) void tx.run(eraseReasons(program_id, `customer:${customer_id}`))
}

/** Takes a phone out of the checkouts that name it. */
export function eraseCheckouts(tx: Transaction, program_id: number, phone: Phone, among: Among): void {
  void tx.run(eraseProvenSessions(program_id, phone, among))
  void tx.run(purgeSentPhone(program_id, phone, among))
}

/** Erases what receivers answered about orders. */
export async function eraseAnswersOfReceivers(tx: Transaction, person: Person): Promise<void> {
  for (const orders of partsOf(person.orders)) {
    const deliveries = deliveriesOf(await tx.run(findEvents(person.program_id, orders)))
    await tx.run(eraseFrom(answersOfReceivers, { ...person, orders, deliveries, labels: [] }))
  }
}

/** All that may have been sent of events. */
function deliveriesOf(events: readonly { readonly event_id: Uuid }[]): Uuid[] {
  return events.flatMap(({ event_id }) => slots.map((slot) => `${event_id.slice(0, 34)}${slot}` as Uuid))
}

/** Erases what belongs to a part of a person's orders. */
async function eraseOrders(tx: Transaction, part: Person): Promise<void> {
  const { program_id, orders } = part
  const [events, found] = await Promise.all([
    tx.run(findEvents(program_id, orders)),
    tx.run(findLabels(program_id, orders)),
  ])
  const deliveries = deliveriesOf(events)
  const labels = [...found.map(({ label }) => label), ...events.flatMap(({ payload }) => customLabels(payload))]
  const whole = { ...part, deliveries, labels }
  for (const data of personalData.filter(isFoundAtOnce))
    if (data.erases !== 'own' && found_by_order.has(data.found_by)) void tx.run(eraseFrom(data, whole))
  void tx.run(eraseSessions(program_id, orders, 'unproven'))
  const payloads = events.map(({ event_id, payload }) => ({ event_id, payload: withoutPersonalData(payload) }))
  await tx.run(replacePayloads(program_id, payloads))
}
