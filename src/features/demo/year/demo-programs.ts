import { audit } from '../../../db/audit.ts'
import type { Database } from '../../../db/pool.ts'
import type { Transaction } from '../../../db/transaction.ts'
import type { Actor, AuditAction } from '../../../domain/audit.ts'
import { first_uuid, type Uuid } from '../../../domain/ids.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { shippingStatuses } from '../../../domain/order.ts'
import { parsePointsPerSar, parseSarPerPoint } from '../../../domain/points.ts'
import { CliError } from '../../../lib/errors.ts'
import { listChanges } from '../../audit/list.ts'
import { writeBrand } from '../../merchants/brand.ts'
import { findOldestLooks, updateDemoPlace } from '../../merchants/brand-queries.ts'
import { loadMerchant } from '../../merchants/merchant.ts'
import { lockProgram } from '../../merchants/program-queries.ts'
import { changeProgram } from '../../merchants/program-settings.ts'
import { ensureProgram, listPrograms } from '../../merchants/programs.ts'
import { addMerchants, listMerchants, setMerchant } from '../../merchants/service.ts'
import { first_year_place } from '../stores.ts'
import { orderKey, type RunContext, type SeededOrder } from './run-step.ts'
import { type YearShop, yearPrograms } from './shops.ts'
import type { YearOptions } from './steps.ts'
import { findWaiting, findWrittenOrders, type WaitingEarning, type WrittenOrder } from './year-queries.ts'

/** The programs of a sample year, as the database has them. */
export interface DemoPrograms {
  /** In the order of `yearPrograms`. */
  readonly program_ids: readonly number[]
  /** What it is made from: those of the first run, whatever a later one asks for. */
  readonly options: YearOptions
  /** All of it has been written. */
  readonly complete: boolean
}

export interface DemoCreation {
  readonly now: Date
  readonly by: Actor
}

/** The place of a shop, which stays with it and shows its program, whatever the two are named later. */
const placeOf = (program: number, shop: number): number => first_year_place * (program + 1) + shop

/** The first merchants of a program: its shops are among them. */
const shopsOf = (db: Database, program_id: number) => db.run(findOldestLooks(program_id, first_year_place))

/** Finds the programs that an earlier run created; null if there is none. Those of earlier versions go by their names. */
export async function findDemoPrograms(db: Database): Promise<DemoPrograms | null> {
  const programs = await listPrograms(db)
  const marked = new Map<number, number>()
  for (const { program_id } of programs)
    for (const { demo_place } of await shopsOf(db, program_id))
      if (demo_place !== null) marked.set(Math.floor(demo_place / first_year_place) - 1, program_id)
  const program_ids = yearPrograms.flatMap(
    ({ name }, place) => marked.get(place) ?? programs.find((one) => one.name === name)?.program_id ?? [],
  )
  const [first] = program_ids
  if (first === undefined) return null
  const changes = await listChanges(db, { of: `program:${first}`, size: most_changes })
  const options = readOptions(changes.find(({ action }) => action === begun)?.after ?? null)
  if (options === null || program_ids.length < yearPrograms.length) throw new CliError(nameTaken(program_ids, programs))
  return { program_ids, options, complete: changes.some(({ action }) => action === completed) }
}

/** Far more than anybody makes to the settings of a sandbox's program. */
const most_changes = 10_000
const begun: AuditAction = 'demo.begin'
const completed: AuditAction = 'demo.complete'

function nameTaken(ids: readonly number[], programs: readonly { program_id: number; name: string }[]): string {
  const name = programs.find(({ program_id }) => program_id === ids[0])?.name ?? ''
  return `There is a program named ${name} already that nuqta demo did not make: use another data directory.`
}

function readOptions(after: object | null): YearOptions | null {
  const fields = new Map<string, unknown>(Object.entries(after ?? {}))
  const [seed, orders, months, until_ms] = ['seed', 'orders', 'months', 'until_ms'].map((name) => fields.get(name))
  if (typeof seed !== 'number' || typeof orders !== 'number') return null
  if (typeof months !== 'number' || typeof until_ms !== 'number') return null
  return { seed, orders, months, until_ms, invites: fields.get('invites') === true }
}

/** Makes the programs with their shops and records what the year is made from, in one transaction. */
export async function createDemoPrograms(
  db: Database,
  options: YearOptions,
  { now, by }: DemoCreation,
): Promise<DemoPrograms> {
  const program_ids = await db.transaction(async (tx) => {
    const ids: number[] = []
    for (const place of yearPrograms.keys()) ids.push(await addProgram(tx, place, now))
    for (const program_id of ids.slice(0, 1))
      audit(tx, by, [{ program_id, action: begun, object: `program:${program_id}`, before: null, after: options }])
    return ids
  })
  return { program_ids, options, complete: false }
}

async function addProgram(tx: Transaction, place: number, now: Date): Promise<number> {
  const { name, shops } = needed(yearPrograms[place] ?? null)
  const { program, made } = await ensureProgram(tx, { name, environment: 'sandbox', now })
  if (!made) throw new CliError(`Another process has made the program ${name} meanwhile: run nuqta demo again.`)
  const { program_id } = program
  const standing = { environment: 'sandbox', verified: true, published: true } as const
  for (const [n, shop] of shops.entries()) {
    const [merchant] = await addMerchants(tx, { program_id, now, name: shop.name, ...standing })
    if (merchant === undefined) throw new Error('a shop of the year was not created')
    writeBrand(tx, merchant, { name_ar: shop.name_ar, colour: shop.colour }, now)
    void tx.run(updateDemoPlace(merchant, placeOf(place, n)))
  }
  return program_id
}

/** Gives programs and shops their settings, and loads the shops. */
export async function openShops(db: Database, { program_ids }: DemoPrograms, now: Date): Promise<RunContext['shops']> {
  const all = await listMerchants(db)
  const shops: Merchant[][] = []
  for (const [place, program] of yearPrograms.entries()) {
    const program_id = program_ids[place] ?? 0
    const { activation, locale, fees } = program
    const micro_sar_per_point = needed(parseSarPerPoint(program.sar_per_point))
    await changeProgram(db, program_id, {
      changes: { activation, locale, ...fees },
      rate: { micro_sar_per_point },
      now,
    })
    const known = await shopsOf(db, program_id)
    const merchants: Merchant[] = []
    for (const [n, shop] of program.shops.entries()) {
      const marked_shop = known.find(({ demo_place }) => demo_place === placeOf(place, n))
      const { merchant_id } = needed(marked_shop ?? known.find(({ name }) => name === shop.name) ?? null)
      const row = needed(all.find((one) => one.program_id === program_id && one.merchant_id === merchant_id) ?? null)
      await setMerchant(db, row, { environment: 'sandbox', now, changes: settingsOf(shop) })
      merchants.push(needed(await loadMerchant(db, program_id, row.merchant_id)))
    }
    shops.push(merchants)
  }
  return shops
}

function settingsOf({ points_per_sar, pays }: YearShop) {
  return {
    points_per_sar_e4: needed(parsePointsPerSar(points_per_sar)),
    payment_provider: pays === 'merchant' ? pays : 'sandbox',
    payment_flow: pays === 'two_step' ? pays : 'sale',
  } as const
}

function needed<T>(found: T | null): T {
  if (found === null) throw new Error('a part of the year is missing')
  return found
}

const page_size = 5_000

/** Runs work that one process at a time does for these programs. The others wait. */
export function withProgramLock<T>(owner: Database, { program_ids }: DemoPrograms, work: () => Promise<T>): Promise<T> {
  return owner.transaction(async (tx) => {
    await tx.one(lockProgram(program_ids[0] ?? 0))
    return work()
  })
}

/** The orders and waiting earnings that earlier runs have written, by `orderKey`. */
export async function readSeededOrders(db: Database, { program_ids }: DemoPrograms): Promise<RunContext['orders']> {
  const orders = new Map<string, SeededOrder>()
  for (const program_id of program_ids) {
    await readWaiting(db, program_id, orders)
    await readOrders(db, program_id, orders)
  }
  return orders
}

async function readWaiting(db: Database, program_id: number, orders: RunContext['orders']): Promise<void> {
  for (let after: Uuid | undefined = first_uuid; after !== undefined; ) {
    const page: readonly WaitingEarning[] = await db.run(findWaiting(program_id, after, page_size))
    for (const { merchant_id, order_number } of page)
      orders.set(orderKey(merchant_id, order_number), { order_uuid: null, refunded: false, shipped: 0 })
    after = page.at(-1)?.pending_uuid
  }
}

async function readOrders(db: Database, program_id: number, orders: RunContext['orders']): Promise<void> {
  for (let after: Uuid | undefined = first_uuid; after !== undefined; ) {
    const page: readonly WrittenOrder[] = await db.run(findWrittenOrders(program_id, after, page_size))
    for (const { merchant_id, order_number, order_uuid, refunded_halalas, shipping_status } of page) {
      const shipped = shippingStatuses.indexOf(shipping_status)
      orders.set(orderKey(merchant_id, order_number), { order_uuid, refunded: refunded_halalas > 0, shipped })
    }
    after = page.at(-1)?.order_uuid
  }
}

/** Records that all of a year has been written. */
export async function recordCompletion(db: Database, { program_ids: [first] }: DemoPrograms, by: Actor): Promise<void> {
  if (first === undefined) return
  await db.transaction(async (tx) => {
    audit(tx, by, [{ program_id: first, action: completed, object: `program:${first}`, before: null, after: null }])
  })
}
