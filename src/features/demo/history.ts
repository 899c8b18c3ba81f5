import type { Database } from '../../db/pool.ts'
import { DomainError } from '../../domain/failures.ts'
import { parseUuid, type Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { NO_MONEY } from '../../domain/money.ts'
import { parsePhone } from '../../domain/phone.ts'
import { pointsNeeded } from '../../domain/points.ts'
import { after, before, hour_ms } from '../../domain/spans.ts'
import { terms } from '../../domain/terms.ts'
import type { Clock } from '../../lib/clock.ts'
import { newSecretText } from '../../lib/ids.ts'
import type { HostedCheckoutServices } from '../checkout/services.ts'
import type { OnboardingServices } from '../earning/onboarding.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import { listOrders } from '../orders/list.ts'
import { type HistoryStep, historySteps } from './history-steps.ts'
import type { ShopApi } from './route.ts'
import type { DemoStore } from './stores.ts'

/** A clock that stands still at an instant, for what happened then. */
export class PastClock implements Clock {
  #now: Date

  constructor(now: Date) {
    this.#now = now
  }

  now(): Date {
    return this.#now
  }

  moveTo(now: Date): void {
    this.#now = now
  }
}

export interface HistoryServices
  extends Pick<HostedCheckoutServices, 'proveSession' | 'readCheckout' | 'confirmCheckout'> {
  /** Calls endpoints for the demo shops. */
  readonly demoApi: ShopApi
  readonly onboard: OnboardingServices['onboard']
}

export interface HistoryParts {
  readonly db: Database
  /** Of the services; each step moves it. */
  readonly clock: PastClock
  readonly services: HistoryServices
}

interface HistoryContext extends HistoryParts {
  readonly program_id: number
  readonly merchants: readonly Merchant[]
}

/**
 * Writes what is missing of the month before `now`. Each step is written once, however often this runs, so a process that was
 * killed leaves a consistent part that the next one completes. Only one process at a time may run it.
 */
export async function writeHistory(parts: HistoryParts, stores: readonly DemoStore[], now: Date): Promise<void> {
  const { db, clock } = parts
  if (await isHistoryWritten(db, stores)) return
  const program_id = stores[0]?.program_id ?? 0
  const found = await Promise.all(stores.map((store) => loadMerchant(db, program_id, store.merchant_id)))
  const context = { ...parts, program_id, merchants: found.filter((merchant) => merchant !== null) }
  for (const step of historySteps) {
    clock.moveTo(before(now, step.hours_ago * hour_ms))
    await runStep(context, step)
  }
}

/** Whether a history is there up to its last step. After `--empty` there is no shop to have one. */
export async function isHistoryWritten(db: Database, stores: readonly DemoStore[]): Promise<boolean> {
  const last = historySteps.at(-1)
  if (last === undefined || last.does === 'join') return true
  const store = stores[last.store]
  return store === undefined || hasOrder(db, store, last.number)
}

async function hasOrder(
  db: Database,
  { program_id, merchant_id }: Pick<DemoStore, 'program_id' | 'merchant_id'>,
  order_number: string,
): Promise<boolean> {
  const filter = { program_id, merchant_id, order_number, status: 'approved' } as const
  return (await listOrders(db, filter, { size: 1, now: new Date() })).length > 0
}

async function runStep(context: HistoryContext, step: HistoryStep): Promise<void> {
  switch (step.does) {
    case 'join':
      return join(context, step)
    case 'buy':
      return buy(context, step)
    case 'rate':
      return rate(context, step)
    case 'redeem':
      return redeem(context, step)
  }
}

type Does<Name extends HistoryStep['does']> = Extract<HistoryStep, { readonly does: Name }>

function merchantOf({ merchants }: HistoryContext, { store }: { readonly store: number }): Merchant {
  const merchant = merchants[store]
  if (merchant === undefined) throw new Error('a shop of the history is missing')
  return merchant
}

async function join({ services, program_id }: HistoryContext, { phone: text, name }: Does<'join'>): Promise<void> {
  const phone = parsePhone(text)
  if (phone === null) throw new Error('a number of the history is none')
  await services.onboard({ program_id, phone, name, locale: 'ar', terms_version: terms.version, source: 'wallet' })
}

async function buy(context: HistoryContext, step: Does<'buy'>): Promise<void> {
  const { services, clock } = context
  const { number: order_number, phone: phone_number, product, price, quantity, refunded_after_h } = step
  const merchant = merchantOf(context, step)
  const products = [{ product_name: product, product_price: price, quantity }]
  const body = { order_number, phone_number, total_price: price * quantity, products }
  const order_uuid = await uuidOf(services.demoApi('earn', { merchant, body }))
  if (refunded_after_h === undefined || order_uuid === null) return
  clock.moveTo(after(clock.now(), refunded_after_h * hour_ms))
  const reason = 'Returned by the customer'
  await services
    .demoApi('refund', { merchant, params: { orderUuid: order_uuid }, body: { reason } })
    .catch(ignoreRefunded)
}

/** The uuid of an order, also when an earlier start has written it. Null while the order waits for its customer. */
async function uuidOf(answer: Promise<Readonly<Record<string, unknown>>>): Promise<Uuid | null> {
  try {
    return parseUuid(String((await answer)['uuid'] ?? ''))
  } catch (error) {
    const failure = error instanceof DomainError ? error.failure : null
    if (failure?.kind === 'order_number_repeated') return parseUuid(failure.order_uuid ?? '')
    const taken = failure?.kind === 'validation' && failure.errors.every(({ rule }) => rule === 'taken')
    if (!taken) throw error
    return parseUuid(failure.order_uuid ?? '')
  }
}

function ignoreRefunded(error: unknown): void {
  if (!(error instanceof DomainError) || error.failure.kind !== 'cannot_refund') throw error
}

async function rate(context: HistoryContext, step: Does<'rate'>): Promise<void> {
  const { number: review_reference, phone: phone_number, product: product_name, rating, comment } = step
  const body = { review_reference, phone_number, product_id: review_reference, product_name, rating, comment }
  await uuidOf(context.services.demoApi('rate', { merchant: merchantOf(context, step), body }))
}

/** A checkout in which points pay for everything. */
async function redeem(context: HistoryContext, step: Does<'redeem'>): Promise<void> {
  const { number: order_number, product, price: total_price } = step
  const phone = parsePhone(step.phone)
  const merchant = merchantOf(context, step)
  if (phone === null || (await hasOrder(context.db, merchant, order_number))) return
  const products = [{ product_name: product, product_price: total_price, quantity: 1 }]
  const body = { order_number, phone_number: phone, total_price, products }
  const { services } = context
  const { checkout_url } = await services.demoApi('checkout', { merchant, body })
  const token = new URL(String(checkout_url)).pathname.split('/').at(-1) ?? ''
  const browser = newSecretText()
  await services.proveSession(token, browser, phone)
  const view = await services.readCheckout(token, browser)
  if (view === null) throw new Error('a checkout of the history is missing')
  const points = pointsNeeded(view.total_halalas, view.micro_sar_per_point)
  const form = { view, token, browser, locale: 'en', client_address: '127.0.0.1' } as const
  // A worker may have expired the checkout meanwhile: it began in the past. The history then has no redemption.
  await services.confirmCheckout(form, { points, due_halalas: NO_MONEY })
}
