import { day_ms, hour_ms } from '../../../domain/spans.ts'
import type { Random } from '../../../lib/random.ts'
import type { Customer } from './people.ts'
import type { YearProgram, YearShop } from './shops.ts'
import type { Buy, CheckOut, Line, YearOptions, YearStep } from './steps.ts'

/** What happens with one order, from its first step to its last. */

/** The steps of one program while they are planned. */
export interface ProgramPlan {
  readonly random: Random
  readonly options: YearOptions
  readonly steps: YearStep[]
  /** The last order number of each shop and kind. */
  readonly numbers: Map<string, number>
  /** Orders that were made besides those drawn. */
  extra: number
}

interface PlannedOrder {
  readonly at_ms: number
  readonly customer: Customer
  readonly shop: number
  readonly of: YearProgram
}

const ratings = 0.06
const refunds = 0.045
const spenders = 0.006
/** Checkouts that nobody confirmed are deleted 30 days after their end. */
const abandoned_ms = 28 * day_ms

/** Adds an order of a customer with all that follows from it. */
export function addOrder(plan: ProgramPlan, planned: PlannedOrder): void {
  const { random } = plan
  const shop = shopOf(planned)
  const joined = planned.customer.joins_ms <= planned.at_ms
  const known = joined && planned.customer.orders > 2
  if (known && random.chance(ratings)) addRating(plan, planned, shop)
  else if (known && random.chance(shop.online)) addCheckout(plan, planned, shop, 0.8)
  else if (known && random.chance(spenders)) addSpender(plan, planned, shop)
  else addPurchase(plan, planned, shop, joined)
}

function shopOf({ of, shop }: PlannedOrder): YearShop {
  return of.shops[shop] ?? of.shops[0]
}

function addPurchase(plan: ProgramPlan, planned: PlannedOrder, shop: YearShop, joined: boolean): void {
  const { random } = plan
  const bought = { does: 'buy', ...startOf(plan, planned, shop, 'order'), ...basketOf(random, shop) } as const
  plan.steps.push(bought)
  // An earning that waits is no order yet: it cannot be refunded.
  if (joined && random.chance(refunds)) addRefund(plan, bought, random.between(0.2, 20) * day_ms)
}

function addRating(plan: ProgramPlan, planned: PlannedOrder, shop: YearShop): void {
  const { random } = plan
  const rating = random.pick([5, 5, 5, 5, 4, 4, 4, 3, 2, 1])
  const comment = random.chance(0.6) ? random.pick(rating > 3 ? praise : blame) : null
  const product = random.chance(0.8) ? random.pick(shop.goods)[0] : null
  plan.steps.push({ does: 'rate', ...startOf(plan, planned, shop, 'review'), product, rating, comment })
}

const praise = ['طعم متوازن ورائحة رائعة', 'جودة ممتازة', 'Fast and friendly', 'توصيل سريع', 'As described'] as const
const blame = ['تأخر التوصيل', 'العبوة وصلت مفتوحة', 'Smaller than it looks'] as const

/** A customer who buys, spends all points, and then returns what earned them: the wallet is below 0 for a while. */
function addSpender(plan: ProgramPlan, planned: PlannedOrder, shop: YearShop): void {
  const { random } = plan
  const basket = basketOf(random, shop)
  const bought = { does: 'buy', ...startOf(plan, planned, shop, 'order'), ...scaled(basket, 6) } as const
  plan.steps.push(bought)
  const later_ms = planned.at_ms + Math.floor(random.between(0.5, 2) * day_ms)
  if (later_ms < plan.options.until_ms) {
    addCheckout(plan, { ...planned, at_ms: later_ms }, shop, 1)
    plan.extra += 1
  }
  addRefund(plan, bought, random.between(3, 6) * day_ms, true)
}

function scaled({ lines, total_halalas }: Basket, by: number): Basket {
  return {
    lines: lines.map((line) => ({ ...line, quantity: line.quantity * by })),
    total_halalas: total_halalas * by,
  }
}

function addCheckout(plan: ProgramPlan, planned: PlannedOrder, shop: YearShop, uses: number): void {
  const { random, options } = plan
  const recentlyOpened = planned.at_ms > options.until_ms - abandoned_ms
  const leaves = recentlyOpened && uses < 1 && random.chance(0.2)
  const ends: CheckOut['ends'] = leaves ? random.pick(['left', 'left', 'declined']) : 'paid'
  const chosen = random.pick([uses, uses, uses, uses / 2, 0])
  const basket = basketOf(random, shop)
  const start = startOf(plan, planned, shop, 'web')
  const opened = { does: 'check out', ...start, ...basket, uses: uses === 1 ? 1 : chosen, ends } as const
  plan.steps.push(opened)
  if (ends !== 'paid') return
  const { kept, paid_ms } = addMoves(plan, opened, shop)
  if (!kept) return
  if (shop.prefix !== 'NW') addShipping(plan, opened, paid_ms)
  if (random.chance(refunds)) addRefund(plan, opened, paid_ms - opened.at_ms + random.between(1, 12) * day_ms)
}

/** What the shop does until the money is taken, or gives up. */
function addMoves(
  plan: ProgramPlan,
  opened: CheckOut,
  { pays }: YearShop,
): { readonly kept: boolean; readonly paid_ms: number } {
  const { random, steps } = plan
  const { at_ms, who, shop, number } = opened
  const order = { does: 'move', who, shop, number } as const
  const soon_ms = at_ms + Math.floor(random.between(0.1, 3) * hour_ms)
  const later_ms = at_ms + Math.floor(random.between(8, 40) * hour_ms)
  if (pays === 'sale') return { kept: true, paid_ms: at_ms }
  if (random.chance(0.1)) {
    steps.push({ ...order, at_ms: soon_ms, action: 'cancel', reason: random.pick(reasonsToCancel) })
    return { kept: false, paid_ms: soon_ms }
  }
  if (pays === 'merchant' && random.chance(0.6)) {
    steps.push({ ...order, at_ms: soon_ms, action: 'complete' })
    return { kept: true, paid_ms: soon_ms }
  }
  if (pays === 'merchant') steps.push({ ...order, at_ms: soon_ms, action: 'authorize' })
  steps.push({ ...order, at_ms: later_ms, action: 'capture' })
  return { kept: true, paid_ms: later_ms }
}

const reasonsToCancel = ['نفدت الكمية', 'طلب العميل الإلغاء', 'The customer changed the address'] as const

function addShipping({ random, steps }: ProgramPlan, { who, shop, number }: CheckOut, from_ms: number): void {
  const order = { does: 'ship', who, shop, number } as const
  const at = (days: number): number => from_ms + Math.floor(days * day_ms)
  steps.push({ ...order, at_ms: at(random.between(0.2, 0.8)), status: 'ready_shipping' })
  const label = random.chance(0.15) ? { label: { ar: 'مع المندوب', en: 'With the courier' } } : {}
  steps.push({ ...order, at_ms: at(random.between(1, 1.8)), status: 'delivery_is_in_progress', ...label })
  steps.push({ ...order, at_ms: at(random.between(2, 4)), status: 'delivered' })
}

function addRefund({ random, steps }: ProgramPlan, order: Buy | CheckOut, after_ms: number, whole = false): void {
  const { at_ms, who, shop, number, total_halalas } = order
  const part = whole || random.chance(0.6) ? null : Math.max(1, Math.round(total_halalas * random.between(0.2, 0.7)))
  const reason = random.pick(part === null ? reasonsForAll : reasonsForPart)
  steps.push({
    ...{ does: 'refund', at_ms: at_ms + Math.floor(after_ms), who, shop, number },
    ...{ amount_halalas: part, reason },
  })
}

const reasonsForAll = ['أعاد العميل الطلب', 'المنتج تالف', 'Wrong size', 'Arrived too late'] as const
const reasonsForPart = ['قطعة ناقصة', 'أُعيد صنف واحد', 'Price difference', 'One item was damaged'] as const

type Kind = 'order' | 'review' | 'web'
const kinds: Readonly<Record<Kind, string>> = { order: '', review: 'R-', web: 'W-' }

/** The fields with which an order begins. A shop counts its orders. */
function startOf(
  plan: ProgramPlan,
  planned: PlannedOrder,
  shop: YearShop,
  kind: Kind,
): Pick<Buy, 'at_ms' | 'who' | 'shop' | 'number'> {
  const prefix = `${shop.prefix}-${kinds[kind]}`
  const next = (plan.numbers.get(prefix) ?? 10_000) + 1
  plan.numbers.set(prefix, next)
  return { at_ms: planned.at_ms, who: planned.customer.who, shop: planned.shop, number: `${prefix}${next}` }
}

interface Basket {
  readonly lines: readonly Line[]
  readonly total_halalas: number
}

function basketOf(random: Random, { goods, basket: [most_lines, most_pieces] }: YearShop): Basket {
  const wanted = random.whole(1, most_lines)
  const names = new Map<string, Line>()
  for (let line = 0; line < wanted; line++) {
    const [product_name, product_price] = random.pick(goods)
    const quantity = random.whole(1, most_pieces)
    names.set(product_name, { product_name, product_price, quantity })
  }
  const lines = [...names.values()]
  const total_halalas = lines.reduce((sum, line) => sum + Math.round(line.product_price * 100) * line.quantity, 0)
  return { lines, total_halalas }
}
