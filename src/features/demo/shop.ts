import type { Database } from '../../db/pool.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { hourly, type Limit } from '../../domain/limit.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { toSar } from '../../domain/money.ts'
import { asPoints, type Points, type PointsPerSarE4 } from '../../domain/points.ts'
import { day_ms } from '../../domain/spans.ts'
import { homeOf } from '../../lib/client-network.ts'
import { newSecretText } from '../../lib/ids.ts'
import type { Limits } from '../limits/service.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import type { Order } from '../orders/order.ts'
import type { ReadOrder } from '../orders/service.ts'
import type { DemoProduct } from './products.ts'
import type { ShopApi } from './route.ts'
import type { DemoStore, ReadDemoStores } from './stores.ts'

/** The server of the demo shop: a sandbox's first shop, which calls the API like any other. docs/spec/operation.md#demo-shop */

export interface DemoSale {
  readonly product: DemoProduct
  /** A local number. */
  readonly phone: string
  readonly locale: Locale
  readonly client_address: string
}

/** `refused`: the API refuses, or the limit on demo sales does (`too_many`). */
export type DemoRefusal = { readonly kind: 'refused' } | { readonly kind: 'too_many' }
export type DemoEarned =
  | { readonly kind: 'earned'; readonly order_uuid: string | null; readonly points: Points }
  | DemoRefusal
export type DemoOpened = { readonly kind: 'opened'; readonly checkout_url: string } | DemoRefusal

export interface DemoShop {
  /** The shop and what it awards; null when the sandbox has no such shop. */
  read(): Promise<{ readonly store: DemoStore; readonly points_per_sar_e4: PointsPerSarE4 } | null>
  /** Sells at the till: awards points. */
  sell(sale: DemoSale): Promise<DemoEarned>
  /** Opens a checkout, which leads back to the shop. */
  checkOut(sale: DemoSale): Promise<DemoOpened>
  /** An order of the shop; null when it has none with that uuid. */
  readOrder(order_uuid: Uuid): Promise<Order | null>
}

export interface DemoShopParts {
  readonly db: Database
  readonly api: ShopApi
  readonly limits: Limits
  readonly readDemoStores: ReadDemoStores
  readonly readOrder: ReadOrder
  /** Without a trailing slash. */
  readonly public_url: string
}

const byAddress = hourly('demo sales', 60)
const byEverybody: Limit = { name: 'all demo sales', rules: [{ most: 2_000, within_ms: day_ms }] }

/** Serves the demo shop. Both ways to sell are limited together: each stores rows. */
export function createDemoShop(parts: DemoShopParts): DemoShop {
  const { api, public_url, readOrder } = parts
  const find = createFindShop(parts)
  return {
    async read() {
      const shop = await find()
      return shop === null ? null : { store: shop.store, points_per_sar_e4: shop.merchant.points_per_sar_e4 }
    },
    async sell(sale) {
      const { locale, client_address } = sale
      const merchant = await admit(parts.limits, await find(), client_address)
      if ('kind' in merchant) return merchant
      return orRefusal(async () =>
        earnedOf(await api('earn', { merchant, locale, client_address, body: bodyOf(sale) })),
      )
    },
    async checkOut(sale) {
      const { locale, client_address } = sale
      const merchant = await admit(parts.limits, await find(), client_address)
      if ('kind' in merchant) return merchant
      const body = { ...bodyOf(sale), callback_url: `${public_url}/demo/done` }
      return orRefusal(async () => {
        const { checkout_url } = await api('checkout', { merchant, locale, client_address, body })
        return { kind: 'opened', checkout_url: String(checkout_url) } as const
      })
    },
    async readOrder(order_uuid) {
      const shop = await find()
      return shop === null ? null : readOrder(shop.merchant, order_uuid).catch(noSuchOrder)
    },
  }
}

interface FoundShop {
  readonly store: DemoStore
  readonly merchant: Merchant
}

function createFindShop({ db, readDemoStores }: DemoShopParts) {
  return async (): Promise<FoundShop | null> => {
    const [store] = await readDemoStores()
    const merchant = store === undefined ? null : await loadMerchant(db, store.program_id, store.merchant_id)
    return store === undefined || merchant === null ? null : { store, merchant }
  }
}

/** Counts a sale and gives the merchant, or the refusal. */
async function admit(limits: Limits, shop: FoundShop | null, client_address: string): Promise<Merchant | DemoRefusal> {
  if (shop === null) return { kind: 'refused' }
  const { admitted } = await limits.admit([
    { limit: byAddress, whom: [homeOf(client_address)] },
    { limit: byEverybody, whom: [shop.merchant.program_id] },
  ])
  return admitted ? shop.merchant : { kind: 'too_many' }
}

/** Another sale may hold the merchant's lock, and an operator may have switched the flow off. */
async function orRefusal<Done>(work: () => Promise<Done>): Promise<Done | DemoRefusal> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DomainError) return { kind: 'refused' }
    throw error
  }
}

function noSuchOrder(error: unknown): null {
  if (error instanceof DomainError && error.failure.kind === 'order_not_found') return null
  throw error
}

function bodyOf({ product: { name, price_halalas }, phone, locale }: DemoSale): Readonly<Record<string, unknown>> {
  const total_price = toSar(price_halalas)
  return {
    phone_number: phone,
    total_price,
    products: [{ product_name: name[locale], product_price: total_price, quantity: 1 }],
    order_number: `demo-${newSecretText().slice(0, 10)}`,
  }
}

/** The points of an earning that waits stand in `pending_earning_order`. */
function earnedOf(data: Readonly<Record<string, unknown>>): DemoEarned {
  const { uuid, total_points, pending_earning_order: pending } = data
  if (typeof uuid === 'string') return { kind: 'earned', order_uuid: uuid, points: asPoints(Number(total_points)) }
  const waiting =
    typeof pending === 'object' && pending !== null && 'total_points' in pending ? pending.total_points : 0
  return { kind: 'earned', order_uuid: null, points: asPoints(Number(waiting)) }
}
