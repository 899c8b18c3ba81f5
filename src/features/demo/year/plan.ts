import { day_ms, hour_ms } from '../../../domain/spans.ts'
import { Random } from '../../../lib/random.ts'
import { busyDays, seasonsAt } from './calendar.ts'
import { addOrder, type ProgramPlan } from './order-steps.ts'
import { type Customer, personAt } from './people.ts'
import { type YearProgram, type YearShop, yearPrograms } from './shops.ts'
import type { YearOptions, YearStep } from './steps.ts'

const month_ms = 30.44 * day_ms

/** Makes all steps of a year, in the order of their times. */
export function planYear(options: YearOptions): readonly YearStep[] {
  const [coalition, brand] = yearPrograms
  const of_brand = Math.round(options.orders * brand.share)
  const steps = [
    ...planProgram(options, { place: 0, of: coalition, orders: options.orders - of_brand }),
    ...planProgram(options, { place: 1, of: brand, orders: of_brand }),
  ]
  return steps.filter(({ at_ms }) => at_ms < options.until_ms).sort((one, other) => one.at_ms - other.at_ms)
}

interface Part {
  readonly place: 0 | 1
  readonly of: YearProgram
  readonly orders: number
}

function planProgram(options: YearOptions, part: Part): readonly YearStep[] {
  const random = new Random(`${options.seed} ${part.place}`)
  const customers = new Customers(part, options, random)
  const plan: ProgramPlan = { random, options, steps: [], numbers: new Map(), extra: 0 }
  for (const at_ms of timesOf(options, part.orders, random)) {
    // An order that brought another one along has used this time already.
    if (plan.extra > 0) {
      plan.extra -= 1
      continue
    }
    const shop = shopAt(part.of, at_ms, random)
    const customer = customers.at(at_ms, plan)
    addOrder(plan, { at_ms, customer, shop, of: part.of })
  }
  return plan.steps
}

/** When a year begins. */
export function yearStart({ months, until_ms }: YearOptions): number {
  return until_ms - months * month_ms
}

/** The times of orders, the earliest first. */
function timesOf(options: YearOptions, orders: number, random: Random): readonly number[] {
  const { until_ms } = options
  const from_ms = yearStart(options)
  const days = busyDays(from_ms, until_ms)
  const upTo: number[] = []
  for (const { weight } of days) upTo.push((upTo.at(-1) ?? 0) + weight * random.between(0.85, 1.15))
  const times: number[] = []
  while (times.length < orders) {
    const drawn = random.next() * (upTo.at(-1) ?? 0)
    const day = days[upTo.findIndex((sum) => drawn < sum)]
    if (day === undefined) continue
    const hour = random.place(day.hours)
    const at_ms = Math.floor(day.from_ms + hour * hour_ms + random.next() * hour_ms)
    if (at_ms >= from_ms && at_ms < until_ms - hour_ms) times.push(at_ms)
  }
  return times.sort((one, other) => one - other)
}

/** The place of the shop in which an order is made. */
function shopAt({ shops }: YearProgram, at_ms: number, random: Random): number {
  const seasons = seasonsAt(at_ms)
  const busy = (shop: YearShop): number => seasons.reduce((product, one) => product * (shop.busy[one] ?? 1), 1)
  return random.place(shops.map((shop) => shop.weight * busy(shop)))
}

/** Orders within this many of a program are recent: their customers come again. */
const recent = 2_500
/** So that no customer buys more than people do. */
const most_a_day = 0.55
/** Of the customers who buy before they have joined. Each is invited by a message. */
const most_invited = 120

/**
 * Who buys: somebody new, or the customer of a recent order. So those who came often come again, some come a few times, and
 * many once.
 */
class Customers {
  readonly #all: Customer[] = []
  readonly #recent: Customer[] = []
  readonly #part: Part
  readonly #options: YearOptions
  readonly #random: Random
  #invited = 0

  constructor(part: Part, options: YearOptions, random: Random) {
    this.#part = part
    this.#options = options
    this.#random = random
  }

  at(at_ms: number, plan: ProgramPlan): Customer {
    const customer = this.#again(at_ms) ?? this.#make(at_ms, plan)
    customer.orders += 1
    this.#recent.push(customer)
    if (this.#recent.length > recent) this.#recent.shift()
    return customer
  }

  #again(at_ms: number): Customer | undefined {
    if (this.#recent.length === 0 || this.#random.chance(this.#part.of.newcomers)) return undefined
    const days = this.#options.months * 30 - (this.#options.until_ms - at_ms) / day_ms
    for (let tries = 0; tries < 4; tries++) {
      const found = this.#recent[this.#random.whole(0, this.#recent.length - 1)]
      if (found !== undefined && found.orders < 6 + days * most_a_day) return found
    }
    return undefined
  }

  #make(at_ms: number, plan: ProgramPlan): Customer {
    const who = personAt(this.#part.place, this.#all.length, this.#random)
    const customer: Customer = { who, orders: 0, joins_ms: this.#joinTime(at_ms) }
    this.#all.push(customer)
    if (Number.isFinite(customer.joins_ms) && customer.joins_ms !== at_ms)
      plan.steps.push({ does: 'join', at_ms: customer.joins_ms, who })
    return customer
  }

  /** Where activation is required, most join before they buy, some after, and a few never. */
  #joinTime(at_ms: number): number {
    if (this.#part.of.activation === 'automatic') return at_ms
    const late = this.#random.chance(0.2) && this.#options.invites && this.#invited < most_invited
    if (!late) return at_ms - Math.floor(this.#random.between(0.1, 30) * hour_ms)
    this.#invited += 1
    if (this.#random.chance(0.2)) return Number.POSITIVE_INFINITY
    return at_ms + Math.floor(this.#random.between(2, 240) * hour_ms)
  }
}
