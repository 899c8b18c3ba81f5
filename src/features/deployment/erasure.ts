import { setTimeout as sleep } from 'node:timers/promises'
import { audit, eraseReasons } from '../../db/audit.ts'
import { findEvents, replacePayloads } from '../../db/outbox.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { findMergedInto } from '../../db/wallet-state.ts'
import type { Actor } from '../../domain/audit.ts'
import { customLabels, withoutPersonalData } from '../../domain/erasure.ts'
import { first_uuid, type Uuid, uuidV7Floor } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import { day_ms, minute_ms } from '../../domain/spans.ts'
import { CliError } from '../../lib/errors.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { type CustomerView, listCustomers } from '../customers/list.ts'
import { eraseIdentity, lockCustomerById } from '../customers/queries.ts'
import { eraseAnswers } from '../idempotency/erase.ts'
import {
  type Among,
  eraseProvenSessions,
  eraseSessions,
  findSessionsNaming,
  purgeSentPhone,
} from '../orders/session-queries.ts'
import {
  customersOf,
  eraseFrom,
  eraseOfEntries,
  findLabels,
  findLastVersion,
  findLeasedDeliveries,
  findOrdersOf,
  findOrdersOfMerged,
  findUnderWay,
  found_by_order,
  type Identity,
  type Known,
  type LeasedDelivery,
  lockOrders,
  mayErase,
  type Person,
} from './erasure-queries.ts'
import { endRequest, lockWaitingRequest } from './erasure-request-queries.ts'
import { answersOfReceivers, type FoundAtOnce, type PersonalData, personalData } from './personal-data.ts'

export interface EraseParts {
  /** Connects as the owner of the tables: the service cannot change events and transfers. */
  readonly owner: Database
  readonly secrets: SecretBox
  readonly by: Actor
  /** Waits for an instant; tests pass another. */
  readonly waitUntil?: (at: Date) => Promise<void>
}

interface Erasing {
  readonly program_id: number
  readonly phone: Phone
  /** The phone as it was typed, for messages. */
  readonly typed: string
}

/** A customer whose order holds points, or waits in a confirmed checkout, is not erased yet. */
export class OrderUnderWay extends CliError {
  readonly order_uuid: Uuid

  constructor(order_uuid: Uuid) {
    super(`The order ${order_uuid} is under way: cancel or complete it first, or wait until it expires.`)
    this.order_uuid = order_uuid
  }
}

/** The most webhooks of a merchant: the last byte of a delivery's id is the slot of its webhook. */
const slots = Array.from({ length: 21 }, (_, slot) => slot.toString(16).padStart(2, '0'))

/**
 * Makes a customer unreadable, in one transaction: phone, name and everything that a store or the customer wrote are
 * gone, the wallet and every number stay. The phone is free again. docs/spec/customers.md#erasure
 * @throws CliError if there is no such customer, an order is under way, or the owner's rights are missing
 */
export async function eraseCustomer(parts: EraseParts, { program_id, phone, typed }: Erasing): Promise<CustomerView> {
  const { owner } = parts
  await requireRights(owner)
  const missing = new CliError(`No customer of this program has the phone ${typed}.`)
  const [known] = await listCustomers(owner, [{ program_id }], { phone, size: 1 })
  if (known === undefined) throw missing
  const { customer_id } = known
  try {
    await owner.transaction(async (tx) => {
      // Whoever erases locks the request first, as the worker does.
      await tx.one(lockWaitingRequest(program_id, customer_id))
      await eraseNow(tx, parts, { program_id, customer_id, phone })
    })
  } catch (error) {
    throw error instanceof CustomerGone ? missing : error
  }
  await eraseRest(parts, { program_id, customer_id, phone })
  const [view] = await listCustomers(owner, [{ program_id }], { customer_id, size: 1 })
  if (view === undefined) throw new Error('an erased customer has disappeared')
  return view
}

/** @throws CliError if this connection has not the rights of the owner */
export async function requireRights(owner: Database): Promise<void> {
  if ((await owner.one(mayErase()))?.may !== true)
    throw new CliError(
      'Set NUQTA_MIGRATION_URL: only the owner of the tables can erase what is in events and transfers.',
    )
}

/** The phone is no longer this customer's: another request has erased or merged them meanwhile. */
export class CustomerGone extends Error {}

/**
 * Erases a customer who is known by the phone. What takes long is done before the wallet is locked: earnings of the customer
 * wait for it, and those of others with them.
 * @throws OrderUnderWay, or CustomerGone: the caller must not commit then
 */
export async function eraseNow(tx: Transaction, parts: EraseParts, known: Known): Promise<void> {
  const { program_id, customer_id, phone } = known
  const erased = new Set<Uuid>()
  let person = await traces(tx, known, every_checkout)
  for (let round = 0; round < most_rounds; round += 1) {
    if (!(await eraseFresh(tx, person, erased))) break
    person = await traces(tx, known, every_checkout)
  }
  const versions = await eraseEntries(tx, person, new Map())
  await eraseAnswers({ tx, secrets: parts.secrets }, program_id, erased)
  const among = await checkoutsOf(tx, known)
  if ((await tx.one(lockCustomerById(program_id, customer_id)))?.phone !== phone) throw new CustomerGone()
  // Erase the orders made since. `eraseLate` erases their answers: nobody should wait until all answers are read.
  person = await traces(tx, known, among)
  await eraseFresh(tx, person, erased)
  await eraseEntries(tx, person, versions)
  erasePerson(tx, person, among)
  for (const statement of eraseIdentity(program_id, customer_id, new Date())) void tx.run(statement)
  const change = { action: 'customers.erase', object: `customer:${customer_id}`, before: null } as const
  audit(tx, parts.by, [{ program_id, ...change, after: { orders: person.orders.length } }])
}

/** While a round erases, the customer may buy again. */
const most_rounds = 10

/**
 * Locks a person's orders that are not `erased` yet, erases what belongs to them, and adds them; gives whether there were any.
 * @throws OrderUnderWay before anything is erased
 */
async function eraseFresh(tx: Transaction, person: Person, erased: Set<Uuid>): Promise<boolean> {
  const { program_id } = person
  const fresh = person.orders.filter((order_uuid) => !erased.has(order_uuid))
  // Orders are locked before wallets, as everywhere.
  for (const part of partsOf(fresh)) {
    await tx.run(lockOrders(program_id, part))
    const busy = await tx.one(findUnderWay(program_id, part))
    if (busy !== undefined) throw new OrderUnderWay(busy.order_uuid)
  }
  await eraseAllOrders(tx, { ...person, orders: fresh })
  for (const order_uuid of fresh) erased.add(order_uuid)
  return fresh.length > 0
}

/** A worker keeps a delivery for less. A later end comes from a clock that was set back. */
const longest_lease_ms = 6 * minute_ms

/**
 * Erases what was written after an erasure was decided, and ends the operator's request. Workers that had a delivery before the
 * erasure still write down what its receiver answers, which may be what it got: their leases end within seconds.
 */
export async function eraseRest(parts: EraseParts, identity: Identity): Promise<void> {
  const { owner, waitUntil = waitForInstant } = parts
  const { person, under_way } = await owner.transaction((tx) => eraseLate(tx, parts, identity))
  const last = under_way.at(-1)
  if (last === undefined) return
  await waitUntil(last.leased_until)
  const deliveries = under_way.map(({ delivery_id }) => delivery_id)
  await owner.run(eraseFrom(answersOfReceivers, { ...person, deliveries, labels: [] }))
}

function waitForInstant(at: Date): Promise<void> {
  return sleep(at.getTime() - Date.now())
}

/** The deliveries about a person's orders that workers have now, the one that is kept longest last. */
async function findUnderWayDeliveries(tx: Transaction, { program_id, orders }: Person): Promise<LeasedDelivery[]> {
  const now = new Date()
  const until = new Date(now.getTime() + longest_lease_ms)
  const found: LeasedDelivery[] = []
  for (const part of partsOf(orders))
    found.push(...(await tx.run(findLeasedDeliveries(program_id, part, { now, until }))))
  return found.sort((a, b) => a.leased_until.getTime() - b.leased_until.getTime())
}

/**
 * Erases what a request wrote late, which had found the customer before the erasure was committed. Then it ends the
 * operator's request.
 */
async function eraseLate(
  tx: Transaction,
  parts: EraseParts,
  identity: Identity,
): Promise<{ readonly person: Person; readonly under_way: readonly LeasedDelivery[] }> {
  await tx.one(lockWaitingRequest(identity.program_id, identity.customer_id))
  const person = await traces(tx, identity, every_checkout)
  const under_way = await findUnderWayDeliveries(tx, person)
  await eraseAllOrders(tx, person)
  await eraseEntries(tx, person, new Map())
  erasePerson(tx, person, every_checkout)
  await eraseAnswers({ tx, secrets: parts.secrets }, identity.program_id, new Set(person.orders))
  void tx.run(endRequest(identity, { state: 'done', by: parts.by.name }, new Date()))
  return { person, under_way }
}

const every_checkout: Among = { from: first_uuid, before: [] }
/** Nobody proves a phone in a checkout that was opened longer ago: it is open for seven days at most (`NUQTA_CHECKOUT_TTL_S`). */
const longest_open_ms = 8 * day_ms

/** The checkouts that name a phone, or may come to name it. The others need not be read again. */
async function checkoutsOf(tx: Transaction, { program_id, phone }: Known): Promise<Among> {
  const from = uuidV7Floor(Date.now() - longest_open_ms)
  const found = await tx.run(findSessionsNaming(program_id, phone))
  return { from, before: found.map(({ session_uuid }) => session_uuid).filter((session_uuid) => session_uuid < from) }
}

/** Finds the orders of a customer. */
async function traces(tx: Transaction, { program_id, customer_id, phone }: Identity, among: Among): Promise<Person> {
  const found = await tx.run(findMergedInto({ program_id, account_id: customer_id }))
  const merged = found.map(({ account_id }) => account_id)
  const orders = uuidsOf(await tx.run(findOrdersOf({ program_id, customer_id, phone, merged }, among)))
  const orders_of_merged = uuidsOf(await tx.run(findOrdersOfMerged(program_id, merged)))
  return { program_id, customer_id, phone, merged, orders_of_merged, orders }
}

function uuidsOf(rows: readonly { readonly order_uuid: Uuid }[]): Uuid[] {
  return rows.map(({ order_uuid }) => order_uuid)
}

/** The most orders in one statement: its time has a limit, and it holds all their events in memory. */
const orders_at_a_time = 500

function* partsOf(orders: readonly Uuid[]): Generator<readonly Uuid[]> {
  for (let from = 0; from < orders.length; from += orders_at_a_time) yield orders.slice(from, from + orders_at_a_time)
}

async function eraseAllOrders(tx: Transaction, person: Person): Promise<void> {
  for (const part of partsOf(person.orders)) await eraseOrders(tx, { ...person, orders: part })
}

function isFoundAtOnce(data: PersonalData): data is PersonalData & { readonly found_by: FoundAtOnce } {
  return data.found_by !== 'account'
}

/** Entries in one statement. */
const entries_at_a_time = 10_000

/** Erases what is found by the entries of a person's wallets above these versions; gives the last version of each. */
async function eraseEntries(
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
function erasePerson(tx: Transaction, person: Person, among: Among): void {
  const { program_id, phone, orders_of_merged } = person
  for (const part of partsOf(orders_of_merged)) void tx.run(eraseSessions(program_id, part, 'all'))
  const whole = { ...person, deliveries: [], labels: [] }
  for (const data of personalData.filter(isFoundAtOnce))
    if (data.erases !== 'own' && !found_by_order.has(data.found_by)) void tx.run(eraseFrom(data, whole))
  if (phone !== null) {
    void tx.run(eraseProvenSessions(program_id, phone, among))
    void tx.run(purgeSentPhone(program_id, phone, among))
  }
  for (const customer_id of customersOf(person)) void tx.run(eraseReasons(program_id, `customer:${customer_id}`))
}

/** Erases what belongs to a part of a person's orders. */
async function eraseOrders(tx: Transaction, part: Person): Promise<void> {
  const { program_id, orders } = part
  const [events, found] = await Promise.all([
    tx.run(findEvents(program_id, orders)),
    tx.run(findLabels(program_id, orders)),
  ])
  const deliveries = events.flatMap(({ event_id }) => slots.map((slot) => `${event_id.slice(0, 34)}${slot}` as Uuid))
  const labels = [...found.map(({ label }) => label), ...events.flatMap(({ payload }) => customLabels(payload))]
  const whole = { ...part, deliveries, labels }
  for (const data of personalData.filter(isFoundAtOnce))
    if (data.erases !== 'own' && found_by_order.has(data.found_by)) void tx.run(eraseFrom(data, whole))
  void tx.run(eraseSessions(program_id, orders, 'unproven'))
  const payloads = events.map(({ event_id, payload }) => ({ event_id, payload: withoutPersonalData(payload) }))
  await tx.run(replacePayloads(program_id, payloads))
}
