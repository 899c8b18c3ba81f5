import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '../../../domain/failures.ts'
import { parseUuid, type Uuid } from '../../../domain/ids.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { asHalalas } from '../../../domain/money.ts'
import { shippingStatuses } from '../../../domain/order.ts'
import { terms } from '../../../domain/terms.ts'
import type { OnboardingServices } from '../../onboarding/service.ts'
import type { MoveOrder } from '../../orders/move.ts'
import type { RefundOrder } from '../../orders/refund.ts'
import type { UpdateShipping } from '../../orders/shipping.ts'
import type { PastClock } from '../history.ts'
import type { ShopApi } from '../route.ts'
import { type CheckoutUses, checkOut } from './check-out.ts'
import type { Buy, Join, MoveStep, OrderStep, Rate, Refund, Ship, YearStep } from './steps.ts'

/** What the steps call: what the API's endpoints and the pages call. */
export interface YearServices extends CheckoutUses {
  readonly demoApi: ShopApi
  readonly onboard: OnboardingServices['onboard']
  readonly moveOrder: MoveOrder
  readonly refundOrder: RefundOrder
  readonly updateShipping: UpdateShipping
}

/** Takes one step at a time, with its clock at the time of the step. */
export interface YearWorker {
  readonly clock: PastClock
  readonly services: YearServices
}

/** What is known of an order that an earlier step, or an earlier run, has made. */
export interface Known {
  /** Null while the earning waits for its customer. */
  readonly order_uuid: Uuid | null
  readonly refunded: boolean
  /** The place of its shipping status among `shippingStatuses`. */
  readonly shipped: number
}

/** What all workers share. */
export interface Scene {
  /** The shops of both programs, as the steps number them. */
  readonly shops: readonly (readonly Merchant[])[]
  /** By `keyOf`. */
  readonly known: Map<string, Known>
}

/** The key of a shop's order. */
export function keyOf(merchant_id: number, order_number: string): string {
  return `${merchant_id} ${order_number}`
}

/** Takes a step, unless an earlier run has taken it. */
export async function perform(scene: Scene, { clock, services }: YearWorker, step: YearStep): Promise<void> {
  clock.moveTo(new Date(step.at_ms))
  if (step.does === 'join') return join(scene, services, step)
  const merchant = scene.shops[step.who.program]?.[step.shop]
  if (merchant === undefined) throw new Error('a shop of the year is missing')
  const key = keyOf(merchant.merchant_id, step.number)
  const known = scene.known.get(key)
  const made = await take(services, { merchant, step, known })
  if (made !== undefined) scene.known.set(key, made)
}

async function join({ shops }: Scene, { onboard }: YearServices, { who: { program, phone, name } }: Join) {
  const program_id = shops[program]?.[0]?.program_id ?? 0
  await onboard({ program_id, phone, name, locale: 'ar', terms_version: terms.version, source: 'wallet' })
}

interface Taken<Step extends OrderStep> {
  readonly merchant: Merchant
  readonly step: Step
  readonly known: Known | undefined
}

/** Gives what is known of the order then; undefined where nothing has changed. */
async function take(services: YearServices, { merchant, step, known }: Taken<OrderStep>): Promise<Known | undefined> {
  switch (step.does) {
    case 'buy':
      return known === undefined ? fresh(await earn(services, merchant, step)) : undefined
    case 'rate':
      return known === undefined ? fresh(await rate(services, merchant, step)) : undefined
    case 'check out':
      return known === undefined ? fresh(await checkOut(services, merchant, step)) : undefined
    case 'move':
      return move(services, { merchant, step, known })
    case 'refund':
      return refund(services, { merchant, step, known })
    case 'ship':
      return ship(services, { merchant, step, known })
  }
}

function fresh(order_uuid: Uuid | null): Known {
  return { order_uuid, refunded: false, shipped: 0 }
}

function earn({ demoApi }: YearServices, merchant: Merchant, step: Buy): Promise<Uuid | null> {
  const { number: order_number, who, lines, total_halalas } = step
  const body = {
    ...{ order_number, phone_number: who.phone, name: who.name, total_price: total_halalas / 100, products: lines },
    // 15 % are in the price.
    tax_amount: Math.round((total_halalas * 15) / 115) / 100,
    metadata: { channel: 'till' },
  }
  return earned(() => demoApi('earn', { merchant, body }))
}

function rate({ demoApi }: YearServices, merchant: Merchant, step: Rate): Promise<Uuid | null> {
  const { number: review_reference, who, product, rating, comment } = step
  const body = {
    ...{ review_reference, phone_number: who.phone, rating },
    ...(comment === null ? {} : { comment }),
  }
  if (product === null) return earned(() => demoApi('rate store', { merchant, body }))
  const named = { ...body, product_id: product, product_name: product }
  return earned(() => demoApi('rate', { merchant, body: named }))
}

const busy_pause_ms = 50
const most_tries = 100

/** Earns, again while another process earns for the same shop. Gives the order's uuid, null while it waits. */
async function earned(call: () => ReturnType<ShopApi>): Promise<Uuid | null> {
  for (let tries = 1; ; tries++) {
    try {
      return parseUuid(String((await call())['uuid'] ?? ''))
    } catch (error) {
      const is_busy = error instanceof DomainError && error.failure.kind === 'earning_in_progress'
      if (!is_busy || tries === most_tries) throw error
      await sleep(busy_pause_ms)
    }
  }
}

async function move({ moveOrder }: YearServices, { merchant, step, known }: Taken<MoveStep>): Promise<undefined> {
  const order_uuid = known?.order_uuid
  if (!order_uuid) return
  const { action, reason } = step
  if (action === 'cancel') await unlessRefused(moveOrder(merchant, order_uuid, { action, reason }))
  else if (action === 'complete') await unlessRefused(moveOrder(merchant, order_uuid, { action, payment_method: '9' }))
  else await unlessRefused(moveOrder(merchant, order_uuid, { action }))
}

async function refund(
  { refundOrder }: YearServices,
  { merchant, step, known }: Taken<Refund>,
): Promise<Known | undefined> {
  if (!known?.order_uuid || known.refunded) return undefined
  const amount_halalas = step.amount_halalas === null ? null : asHalalas(step.amount_halalas)
  await unlessRefused(refundOrder(merchant, known.order_uuid, { amount_halalas, reason: step.reason }))
  return { ...known, refunded: true }
}

async function ship(
  { updateShipping }: YearServices,
  { merchant, step, known }: Taken<Ship>,
): Promise<Known | undefined> {
  const shipped = shippingStatuses.indexOf(step.status)
  if (!known?.order_uuid || known.refunded || known.shipped >= shipped) return undefined
  const label = step.label === undefined ? {} : { name_ar: step.label.ar, name_en: step.label.en }
  await unlessRefused(updateShipping(merchant, known.order_uuid, { status: step.status, ...label }))
  return { ...known, shipped }
}

/** Somebody may have used the shop meanwhile, and a worker may have released points held in the past: then nothing follows. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
  }
}
