import { audit, eraseReasons } from '../../db/audit.ts'
import { findEvents, replacePayloads } from '../../db/outbox.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { findMergedInto } from '../../db/wallet-state.ts'
import type { Actor } from '../../domain/audit.ts'
import { withoutPersonalData } from '../../domain/erasure.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import { CliError } from '../../lib/errors.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { type CustomerView, listCustomers } from '../customers/list.ts'
import { eraseIdentity, lockCustomer } from '../customers/queries.ts'
import { eraseAnswers } from '../idempotency/erase.ts'
import { eraseSessions, purgeSentPhone } from '../orders/session-queries.ts'
import {
  customersOf,
  eraseFrom,
  findLabels,
  findOrdersOf,
  findOrdersOfMerged,
  findUnderWay,
  type Identity,
  lockOrders,
  mayErase,
  type Person,
} from './erasure-queries.ts'
import { personalData } from './personal-data.ts'

export interface EraseParts {
  /** Connects as the owner of the tables: the service cannot change events and transfers. */
  readonly owner: Database
  readonly secrets: SecretBox
  readonly by: Actor
}

interface Erasing {
  readonly program_id: number
  readonly phone: Phone
  /** The phone as it was typed, for messages. */
  readonly typed: string
}

/** The most webhooks of a merchant: the last byte of a delivery's id is the slot of its webhook. */
const slots = Array.from({ length: 21 }, (_, slot) => slot.toString(16).padStart(2, '0'))

/**
 * Makes a customer unreadable, in one transaction: phone, name and everything that a store or the customer wrote are
 * gone, the wallet and every number stay. The phone is free again. docs/spec/customers.md#erasure
 * @throws CliError if there is no such customer, an order is under way, or the owner's rights are missing
 */
export async function eraseCustomer(parts: EraseParts, asked: Erasing): Promise<CustomerView> {
  const { owner } = parts
  const rights = await owner.one(mayErase())
  if (rights?.may !== true)
    throw new CliError(
      'Set NUQTA_MIGRATION_URL: only the owner of the tables can erase what is in events and transfers.',
    )
  const person = await owner.transaction((tx) => erase(tx, parts, asked))
  // A request that had found the customer before the first commit wrote its order after it.
  await owner.transaction(async (tx) => eraseTraces(tx, parts, await traces(tx, person)))
  const { program_id, customer_id } = person
  const [view] = await listCustomers(owner, [{ program_id }], { customer_id, size: 1 })
  if (view === undefined) throw new Error('an erased customer has disappeared')
  return view
}

async function erase(tx: Transaction, parts: EraseParts, { program_id, phone, typed }: Erasing): Promise<Person> {
  const missing = new CliError(`No customer of this program has the phone ${typed}.`)
  const [known] = await listCustomers(tx, [{ program_id }], { phone, size: 1 })
  if (known === undefined) throw missing
  const { customer_id } = known
  // Orders are locked before wallets, as everywhere.
  await tx.run(lockOrders(program_id, (await traces(tx, { program_id, customer_id, phone })).orders))
  if ((await tx.one(lockCustomer(program_id, phone))) === undefined) throw missing
  const person = await traces(tx, { program_id, customer_id, phone })
  const busy = await tx.one(findUnderWay(program_id, person.orders))
  if (busy !== undefined)
    throw new CliError(
      `The order ${busy.order_uuid} is under way: cancel or complete it first, or wait until it expires.`,
    )
  await eraseTraces(tx, parts, person)
  void tx.run(eraseIdentity(program_id, customer_id, new Date()))
  const change = { action: 'customers.erase', object: `customer:${customer_id}`, before: null } as const
  audit(tx, parts.by, [{ program_id, ...change, after: { orders: person.orders.length } }])
  return person
}

/** Finds what is stored about a customer. */
async function traces(tx: Transaction, { program_id, customer_id, phone }: Identity): Promise<Person> {
  const found = await tx.run(findMergedInto({ program_id, account_id: customer_id }))
  const merged = found.map(({ account_id }) => account_id)
  const orders = uuidsOf(await tx.run(findOrdersOf({ program_id, customer_id, phone, merged })))
  const orders_of_merged = uuidsOf(await tx.run(findOrdersOfMerged(program_id, merged)))
  const events = await tx.run(findEvents(program_id, orders))
  const deliveries = events.flatMap(({ event_id }) => slots.map((slot) => `${event_id.slice(0, 34)}${slot}` as Uuid))
  const labels = (await tx.run(findLabels(program_id, orders))).map(({ label }) => label)
  return { program_id, customer_id, phone, merged, orders_of_merged, orders, deliveries, labels }
}

function uuidsOf(rows: readonly { readonly order_uuid: Uuid }[]): Uuid[] {
  return rows.map(({ order_uuid }) => order_uuid)
}

async function eraseTraces(tx: Transaction, { secrets }: EraseParts, person: Person): Promise<void> {
  const { program_id, phone, orders, orders_of_merged } = person
  for (const data of personalData.filter(({ erases }) => erases !== 'own')) void tx.run(eraseFrom(data, person))
  void tx.run(eraseSessions(program_id, phone, { orders, wholly: orders_of_merged }))
  void tx.run(purgeSentPhone(program_id, phone))
  for (const customer_id of customersOf(person)) void tx.run(eraseReasons(program_id, `customer:${customer_id}`))
  const events = await tx.run(findEvents(program_id, orders))
  const payloads = events.map(({ event_id, payload }) => ({ event_id, payload: withoutPersonalData(payload) }))
  void tx.run(replacePayloads(program_id, payloads))
  await eraseAnswers({ tx, secrets }, program_id, new Set(orders))
}
