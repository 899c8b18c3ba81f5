import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import { after, minute_ms } from '../../domain/spans.ts'
import { CliError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { type CustomerView, listCustomers } from '../customers/list.ts'
import { eraseIdentity, lockCustomerById } from '../customers/queries.ts'
import { eraseAnswers } from '../idempotency/erase.ts'
import {
  closeAttempts,
  findLeasedDeliveries,
  type LeasedDelivery,
  lockDeliveries,
} from '../webhooks/under-way-queries.ts'
import {
  checkoutsOf,
  eraseAllOrders,
  eraseAnswersOfReceivers,
  eraseCheckouts,
  eraseEntries,
  erasePerson,
  every_checkout,
  findPerson,
  looseOrders,
  partsOf,
  withoutCustomer,
} from './person.ts'
import { answersOfReceivers } from './personal-data.ts'
import {
  eraseFrom,
  findUnderWay,
  type Identity,
  type Known,
  lockOrders,
  mayErase,
  type Person,
  releaseLocks,
  savepoint,
} from './queries.ts'
import { endRequest, insertRequest, keepOrders, lockWaitingRequest, postponeRequest } from './request-queries.ts'

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
      const orders = await eraseNow(tx, parts, { program_id, customer_id, phone })
      // By a request another process finds what is left to erase if this one dies. One that waits is kept.
      const asker = { asked_by: parts.by.name, asked_uuid: parts.by.staff_uuid ?? null, reason: null }
      await tx.run(insertRequest({ program_id, request_uuid: newUuid(), customer_id, ...asker }, new Date()))
      await tx.run(keepOrders({ program_id, customer_id }, orders))
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
 * @returns the erased orders that nothing may lead to any more: the caller keeps them with the request
 * @throws OrderUnderWay, or CustomerGone: the caller must not commit then
 */
export async function eraseNow(tx: Transaction, parts: EraseParts, known: Known): Promise<readonly Uuid[]> {
  const { program_id, customer_id, phone } = known
  const erased = new Set<Uuid>()
  let person = await findPerson(tx, known, every_checkout)
  for (let round = 0; round < most_rounds; round += 1) {
    if (!(await eraseFresh(tx, person, erased))) break
    person = await findPerson(tx, known, every_checkout)
  }
  eraseGivenUp(tx, person)
  const versions = await eraseEntries(tx, person, new Map())
  await eraseAnswers({ tx, secrets: parts.secrets }, program_id, erased)
  const kept = await looseOrders(tx, program_id, [...erased])
  const before_lock = erased.size
  const among = await checkoutsOf(tx, known)
  if ((await tx.one(lockCustomerById(program_id, customer_id)))?.phone !== phone) throw new CustomerGone()
  // Erase the orders made since. `eraseLate` erases their answers: nobody should wait until all answers are read.
  const { given_up } = person
  person = await findPerson(tx, known, among)
  if (person.given_up.length > given_up.length) {
    // Another number was merged meanwhile, and any checkout may name it.
    person = await findPerson(tx, known, every_checkout)
    eraseGivenUp(tx, person)
  }
  await eraseFresh(tx, person, erased)
  await eraseEntries(tx, person, versions)
  erasePerson(tx, person, among)
  for (const statement of eraseIdentity(program_id, customer_id, new Date())) void tx.run(statement)
  const change = { action: 'customers.erase', object: `customer:${customer_id}`, before: null } as const
  audit(tx, parts.by, [{ program_id, ...change, after: { orders: person.orders.length } }])
  return [...kept, ...(await looseOrders(tx, program_id, [...erased].slice(before_lock)))]
}

/** Takes the numbers that merges have given up out of all checkouts. */
function eraseGivenUp(tx: Transaction, { program_id, given_up }: Person): void {
  for (const { phone, until } of given_up) eraseCheckouts(tx, program_id, phone, { ...every_checkout, until })
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
/** Gives this process the time to end a request itself before another takes it for abandoned. */
const grace_ms = minute_ms

/**
 * Erases what was written after an erasure was decided, and ends the request. Workers that had a delivery before the erasure
 * still write down what its receiver answers, which may be what it got: their leases end within seconds. Until then the request
 * stays due, so that another process erases the answer if this one dies.
 */
export async function eraseRest(parts: EraseParts, identity: Identity): Promise<void> {
  const { owner, waitUntil = waitForInstant } = parts
  const { person, under_way } = await owner.transaction((tx) => eraseLate(tx, parts, identity))
  const last = under_way.at(-1)
  if (last === undefined) return
  await waitUntil(last.leased_until)
  const deliveries = under_way.map(({ delivery_id }) => delivery_id)
  await owner.transaction(async (tx) => {
    await tx.run(eraseFrom(answersOfReceivers, { ...person, deliveries, labels: [] }))
    await tx.run(closeAttempts(person.program_id, under_way))
    await tx.run(endRequest(identity, { state: 'done', by: parts.by.name }, new Date()))
  })
}

function waitForInstant(at: Date): Promise<void> {
  return sleep(at.getTime() - Date.now())
}

/**
 * Waits for requests that waited for the orders while they were erased and are writing now, and for workers that are just taking
 * a delivery: they may have read it before, and nobody sees their leases yet. Keeps nobody else waiting.
 */
async function awaitWriters(tx: Transaction, { program_id, orders }: Person): Promise<void> {
  void tx.run(savepoint)
  for (const part of partsOf(orders)) {
    void tx.run(lockOrders(program_id, part))
    void tx.run(lockDeliveries(program_id, part))
    await tx.run(releaseLocks)
  }
}

/** The deliveries about a person's orders that workers have now, the one that is kept longest last. Closes those they had. */
async function findUnderWayDeliveries(tx: Transaction, { program_id, orders }: Person): Promise<LeasedDelivery[]> {
  const now_ms = Date.now()
  const found: LeasedDelivery[] = []
  for (const part of partsOf(orders)) found.push(...(await tx.run(findLeasedDeliveries(program_id, part))))
  const isKept = ({ leased_until }: LeasedDelivery) =>
    leased_until.getTime() > now_ms && leased_until.getTime() <= now_ms + longest_lease_ms
  await tx.run(
    closeAttempts(
      program_id,
      found.filter((delivery) => !isKept(delivery)),
    ),
  )
  return found.filter(isKept).sort((a, b) => a.leased_until.getTime() - b.leased_until.getTime())
}

interface Rest {
  readonly person: Person
  readonly under_way: readonly LeasedDelivery[]
}

/**
 * Erases what a request wrote late, which had found the customer before the erasure was committed. Then it ends the request, or
 * postpones it behind the deliveries that are under way.
 */
async function eraseLate(tx: Transaction, parts: EraseParts, identity: Identity): Promise<Rest> {
  const { program_id, customer_id } = identity
  const request = await tx.one(lockWaitingRequest(program_id, customer_id))
  const kept = request?.orders ?? []
  const found = await findPerson(tx, identity, every_checkout)
  const touched = withOrders(found, kept)
  await awaitWriters(tx, touched)
  const under_way = await findUnderWayDeliveries(tx, touched)
  // An order that has got a customer since is somebody else's. Only what receivers answered before is about this person.
  const mine = new Set(await withoutCustomer(tx, program_id, kept))
  const person = withOrders(found, [...mine])
  await eraseAllOrders(tx, person)
  await eraseAnswersOfReceivers(tx, { ...person, orders: kept.filter((order_uuid) => !mine.has(order_uuid)) })
  await eraseEntries(tx, person, new Map())
  erasePerson(tx, person, every_checkout)
  await eraseAnswers({ tx, secrets: parts.secrets }, program_id, new Set(person.orders))
  const last = under_way.at(-1)
  if (last === undefined) void tx.run(endRequest(identity, { state: 'done', by: parts.by.name }, new Date()))
  else if (request !== undefined) {
    const due_at = after(last.leased_until, grace_ms)
    void tx.run(postponeRequest({ program_id, ...request }, { obstacle: null, order_uuid: null }, due_at))
    const found_late = await looseOrders(tx, program_id, found.orders)
    if (found_late.length > 0) void tx.run(keepOrders(identity, [...new Set([...kept, ...found_late])]))
  }
  return { person, under_way }
}

function withOrders(person: Person, more: readonly Uuid[]): Person {
  return { ...person, orders: [...new Set([...person.orders, ...more])].sort() }
}
