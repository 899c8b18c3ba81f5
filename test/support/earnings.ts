import type { Database } from '../../src/db/pool.ts'
import { type Earning, type EarningSource, pointsFor } from '../../src/domain/earning.ts'
import { DomainError } from '../../src/domain/failures.ts'
import type { Merchant, Program } from '../../src/domain/merchant.ts'
import { asHalalas, NO_MONEY } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { createEarn, type Earn, type Earned } from '../../src/features/earning/service.ts'
import { createAuthenticate } from '../../src/features/merchants/authenticate.ts'
import { createProgram } from '../../src/features/merchants/programs.ts'
import { createMerchants } from '../../src/features/merchants/service.ts'
import type { Order } from '../../src/features/orders/order.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { newUuid } from '../../src/lib/ids.ts'

/** A clock that stands until it is moved. */
export class TestClock implements Clock {
  #now_ms: number

  constructor(now: string | Date) {
    this.#now_ms = new Date(now).getTime()
  }

  now(): Date {
    return new Date(this.#now_ms)
  }

  advance(by_s: number): void {
    this.#now_ms += by_s * 1000
  }
}

let programs = 0
let phones = 0

/** Merchants who may earn, with the keys they call with, in a new program. */
export async function earningShops(db: Database, count: number) {
  const now = new Date('2026-01-31T09:00:00Z')
  programs += 1
  const { program_id } = await createProgram(db, { name: `Shops ${programs}`, environment: 'sandbox', now })
  const place = { environment: 'sandbox', now, verified: true, published: true } as const
  const made = await createMerchants(db, { ...place, program_id, name: 'Shop', count })
  const authenticate = createAuthenticate(db)
  return Promise.all(
    made.map(async ({ private_key, public_key }) => {
      const merchant = await authenticate('private', private_key)
      if (merchant === null) throw new Error('a merchant was made that has no key')
      return { merchant, private_key, public_key }
    }),
  )
}

/** The same without keys. `changes` override the program's settings. */
export async function earningMerchants(
  db: Database,
  count: number,
  changes: Partial<Program> = {},
): Promise<Merchant[]> {
  const shops = await earningShops(db, count)
  return shops.map(({ merchant }) => inProgram(merchant, changes))
}

/** The same for one merchant. */
export async function oneMerchant(db: Database, changes: Partial<Program> = {}): Promise<Merchant> {
  const [merchant] = await earningMerchants(db, 1, changes)
  if (merchant === undefined) throw new Error('no merchant was made')
  return merchant
}

/** The merchant in a program with other settings. */
export function inProgram(merchant: Merchant, changes: Partial<Program>): Merchant {
  return { ...merchant, program: { ...merchant.program, ...changes } }
}

/** A phone that no other test of the file has. */
export function freshPhone(): Phone {
  phones += 1
  return `55${String(phones).padStart(7, '0')}` as Phone
}

type Changes = Partial<Omit<Earning, 'merchant' | 'total_halalas' | 'points'>> & { readonly total?: number }

/** An earning, by default of 100 SAR, with everything that its route adds. */
export function earningOf(merchant: Merchant, { total = 10_000, ...changes }: Changes = {}): Earning {
  const source: EarningSource = changes.source ?? 'purchase'
  const total_halalas = source === 'purchase' ? asHalalas(total) : NO_MONEY
  return {
    merchant,
    phone: freshPhone(),
    name: null,
    order_number: newUuid(),
    total_halalas,
    points: pointsFor(merchant, source, total_halalas),
    shipping_halalas: null,
    tax_halalas: null,
    discount_halalas: null,
    shipping_address: null,
    items: '[{"product_name":"Tea","product_price":10,"quantity":1}]',
    metadata: null,
    audit: null,
    order_uuid: newUuid(),
    transfer_id: newUuid(),
    event_id: newUuid(),
    customer_id: newUuid(),
    ...changes,
    source,
  }
}

/** Earns by a given clock, by default one that stands at noon of 1 February 2026. */
export function earnOn(
  db: Database,
  clock: Clock = new TestClock('2026-02-01T09:00:00.000Z'),
  lock_window_s = 10,
): Earn {
  return createEarn({ db, clock, lock_window_s })
}

/** The failure of a `DomainError`. Throws on success and on any other error. */
export async function refusalOf(promise: Promise<unknown>): Promise<DomainError['failure']> {
  const error: unknown = await promise.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof DomainError) return error.failure
  throw error
}

/** The order that an accepted earning became. */
export function orderOf(earned: Earned): Order {
  if (earned.kind !== 'order') throw new Error(`${earned.kind} instead of an order`)
  return earned.order
}

export interface WalletOf {
  readonly customer_id: string
  readonly status: string
  readonly name: string | null
  readonly posted: number
  readonly held: number
  readonly version: number
}

/** The customer and wallet behind a phone, as stored. */
export function walletOf(db: Database, program_id: number, phone: string): Promise<WalletOf | undefined> {
  return db.one<WalletOf>({
    text: `select c.customer_id, c.status, c.name, a.posted, a.held, a.version from customer c
      join account a on a.program_id = c.program_id and a.account_id = c.customer_id
      where c.program_id = $1 and c.phone = $2`,
    values: [program_id, phone],
  })
}

/** How many rows of a program each table of earnings has. */
export async function countRows(db: Database, program_id: number): Promise<Record<string, number>> {
  const tables = ['orders', 'pending_earning', 'customer', 'transfer', 'entry', 'event']
  const counts = tables.map((table) => `(select count(*) from ${table} where program_id = $1) as ${table}`)
  const row = await db.one<Record<string, number>>({ text: `select ${counts.join(', ')}`, values: [program_id] })
  return row ?? {}
}
