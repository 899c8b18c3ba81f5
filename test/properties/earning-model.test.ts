import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { EarningSource } from '../../src/domain/earning.ts'
import type { Phone } from '../../src/domain/phone.ts'
import type { PointsPerSarE4 } from '../../src/domain/points.ts'
import { createEarn } from '../../src/features/earning/service.ts'
import { createAuthenticate } from '../../src/features/merchants/authenticate.ts'
import { createProgram, setProgram } from '../../src/features/merchants/programs.ts'
import { createMerchants, findMerchant, setMerchant } from '../../src/features/merchants/service.ts'
import { testDatabase } from '../support/database.ts'
import { countRows, earningOf, refusalOf, TestClock, walletOf } from '../support/earnings.ts'

// Guarantee: any earnings, sequential or concurrent, end as in a model of some sixty lines without a database: the same
// responses, balances and number of orders.
// The seed is in the test's name; NUQTA_TEST_SEED runs it again.

const seed = Number(process.env['NUQTA_TEST_SEED'] ?? Date.now() % 2 ** 31)
const long = process.env['NUQTA_TEST_LONG'] === '1'
const lock_window_s = 10
const shops = 4

interface Request {
  readonly shop: number
  readonly phone: number
  readonly number: number
  readonly source: EarningSource
  readonly total: number
  readonly name: string | null
}

type Command =
  | { readonly kind: 'earn'; readonly requests: readonly Request[] }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'activation'; readonly activation: 'automatic' | 'required' }
  | { readonly kind: 'rate'; readonly shop: number; readonly rate: number }

const request: fc.Arbitrary<Request> = fc.record({
  shop: fc.nat(shops - 1),
  phone: fc.nat(4),
  number: fc.nat(5),
  source: fc.constantFrom('purchase', 'purchase', 'product_rating', 'store_rating'),
  total: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 10 ** 9 })),
  name: fc.constantFrom(null, null, 'Sara', 'Nora'),
})

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('earn'), requests: fc.array(request, { minLength: 1, maxLength: 1 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('earn'), requests: fc.array(request, { minLength: 2, maxLength: 6 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait'), seconds: fc.constantFrom(0.001, 1, 9.999, 10, 3_600) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('activation'), activation: fc.constantFrom('automatic', 'required') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rate'),
      shop: fc.nat(shops - 1),
      rate: fc.constantFrom(0, 1, 12_345, 100_000),
    }),
  },
)

/** The expected outcome of an earning. */
type Answer = readonly [kind: string, points_or_retry?: number | null, names_order?: boolean]

/** The rules of docs/spec/earning.md#earn and docs/spec/customers.md#activation, on maps. */
class Model {
  now_ms = 0
  activation: 'automatic' | 'required' = 'automatic'
  readonly rates = Array.from({ length: shops }, () => 100_000)
  readonly customers = new Map<number, { active: boolean; name: string | null; points: number; entries: number }>()
  readonly accepted = new Map<string, { at_ms: number; order: boolean }>()

  earn(requests: readonly Request[]): Answer[] {
    const busy = new Set<number>()
    return requests.map((request): Answer => {
      if (busy.has(request.shop)) return ['earning_in_progress']
      busy.add(request.shop)
      return this.#one(request)
    })
  }

  #one({ shop, phone, number, source, total, name }: Request): Answer {
    const key = `${shop} ${source} ${number}`
    const before = this.accepted.get(key)
    if (before !== undefined) {
      const age_s = (this.now_ms - before.at_ms) / 1000
      if (source !== 'purchase' || age_s >= lock_window_s) return ['validation', null, before.order]
      return ['order_number_repeated', Math.ceil(lock_window_s - age_s), before.order]
    }
    const customer = this.customers.get(phone) ?? {
      active: this.activation === 'automatic',
      name: null,
      points: 0,
      entries: 0,
    }
    this.customers.set(phone, customer)
    customer.name ??= name
    this.accepted.set(key, { at_ms: this.now_ms, order: customer.active })
    const points = {
      purchase: Math.floor((total * (this.rates[shop] ?? 0)) / 1_000_000),
      product_rating: 50,
      store_rating: 100,
    }[source]
    if (customer.active && points > 0) {
      customer.points += points
      customer.entries += 1
    }
    return [customer.active ? 'order' : 'pending', points]
  }
}

const database = testDatabase({ leaves: ['due messages'] })
let programs = 0

/** The service under test: authenticates every request, and has a manual clock. */
async function startService() {
  programs += 1
  const name = `Model ${programs}`
  const place = { environment: 'sandbox', now: new Date() } as const
  const { program_id } = await createProgram(database.db, { ...place, name })
  const made = await createMerchants(database.db, {
    ...place,
    program_id,
    name,
    count: shops,
    verified: true,
    published: true,
  })
  const clock = new TestClock('2026-02-01T09:00:00Z')
  const earn = createEarn({ db: database.db, clock, lock_window_s })
  const authenticate = createAuthenticate(database.db)

  async function answer(request: Request, key: string | undefined): Promise<() => Promise<Answer>> {
    const merchant = await authenticate('private', key)
    if (merchant === null) throw new Error('the key is not known')
    const { source, total, name } = request
    const earning = earningOf(merchant, {
      source,
      total,
      name,
      phone: `56000000${request.phone}` as Phone,
      order_number: `N${request.number}`,
    })
    return async () => {
      const earned = earn(earning)
      const accepted = await earned.catch(() => null)
      if (accepted?.kind === 'order') return ['order', accepted.order.total_points]
      if (accepted?.kind === 'pending') return ['pending', accepted.earning.points]
      const failure = await refusalOf(earned)
      if (failure.kind === 'order_number_repeated')
        return [failure.kind, failure.retry_after_s, 'order_uuid' in failure]
      return failure.kind === 'validation' ? [failure.kind, null, 'order_uuid' in failure] : [failure.kind]
    }
  }

  async function run(command: Command): Promise<Answer[]> {
    if (command.kind === 'earn') {
      const ready = await Promise.all(command.requests.map((each) => answer(each, made[each.shop]?.private_key)))
      return Promise.all(ready.map((send) => send()))
    }
    if (command.kind === 'wait') clock.advance(command.seconds)
    if (command.kind === 'activation')
      await setProgram(database.db, name, { changes: { activation: command.activation }, now: new Date() })
    if (command.kind === 'rate') {
      const row = await findMerchant(database.db, String(made[command.shop]?.merchant_id))
      await setMerchant(database.db, row, { ...place, changes: { points_per_sar_e4: command.rate as PointsPerSarE4 } })
    }
    return []
  }

  return { program_id, run }
}

function runModel(model: Model, command: Command): Answer[] {
  if (command.kind === 'earn') return model.earn(command.requests)
  if (command.kind === 'wait') model.now_ms += command.seconds * 1000
  if (command.kind === 'activation') model.activation = command.activation
  if (command.kind === 'rate') model.rates[command.shop] = command.rate
  return []
}

async function compareState(program_id: number, model: Model): Promise<void> {
  for (const [phone, { active, name, points, entries }] of model.customers) {
    const wallet = await walletOf(database.owner, program_id, `56000000${phone}`)
    expect(wallet).toMatchObject({
      status: active ? 'active' : 'invited',
      name,
      posted: points,
      held: 0,
      version: entries,
    })
  }
  const accepted = [...model.accepted.values()]
  const orders = accepted.filter(({ order }) => order).length
  expect(await countRows(database.owner, program_id)).toMatchObject({
    orders,
    event: orders,
    pending_earning: accepted.length - orders,
    // Every program of a sandbox has three customers of its own.
    customer: model.customers.size + 3,
  })
}

it(`earnings end as in the model (seed ${seed})`, { timeout: 3_600_000 }, async () => {
  let commands = 0
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 40, maxLength: 60 }), async (sequence) => {
      const service = await startService()
      const model = new Model()
      for (const step of sequence) {
        commands += 1
        expect(await service.run(step), JSON.stringify(step)).toEqual(runModel(model, step))
      }
      await compareState(service.program_id, model)
    }),
    { seed, numRuns: long ? 2_000 : 40 },
  )
  expect(commands).toBeGreaterThanOrEqual(1_600)
})
