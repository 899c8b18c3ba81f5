import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '../../../domain/failures.ts'
import { parseUuid, type Uuid } from '../../../domain/ids.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { asHalalas } from '../../../domain/money.ts'
import { shippingStatuses } from '../../../domain/order.ts'
import { terms } from '../../../domain/terms.ts'
import type { OnboardingServices } from '../../earning/onboarding.ts'
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

/** Runs one step at a time, with its clock at the time of the step. */
export interface YearWorker {
  readonly clock: PastClock
  readonly services: YearServices
}

/** An order that an earlier step, or an earlier run, has made. */
export interface SeededOrder {
  /** Null while the earning waits for its customer. */
  readonly order_uuid: Uuid | null
  readonly refunded: boolean
  /** The place of its shipping status among `shippingStatuses`. */
  readonly shipped: number
}

/** What all workers share. */
export interface RunContext {
  /** The shops of both programs, as the steps number them. */
  readonly shops: readonly (readonly Merchant[])[]
  /** By `orderKey`. */
  readonly orders: Map<string, SeededOrder>
}

/** The key of a shop's order. */
export function orderKey(merchant_id: number, order_number: string): string {
  return `${merchant_id} ${order_number}`
}

/** Runs a step, unless an earlier run has. */
export async function runStep(context: RunContext, { clock, services }: YearWorker, step: YearStep): Promise<void> {
  clock.moveTo(new Date(step.at_ms))
  if (step.does === 'join') return join(context, services, step)
  const merchant = context.shops[step.who.program]?.[step.shop]
  if (merchant === undefined) throw new Error('a shop of the year is missing')
  const key = orderKey(merchant.merchant_id, step.number)
  const order = context.orders.get(key)
  const made = await runOrderStep(services, { merchant, step, order })
  if (made !== undefined) context.orders.set(key, made)
}

async function join({ shops }: RunContext, { onboard }: YearServices, { who: { program, phone, name } }: Join) {
  const program_id = shops[program]?.[0]?.program_id ?? 0
  await onboard({ program_id, phone, name, locale: 'ar', terms_version: terms.version, source: 'wallet' })
}

interface OrderStepRun<Step extends OrderStep> {
  readonly merchant: Merchant
  readonly step: Step
  readonly order: SeededOrder | undefined
}

/** Gives the order after the step; undefined where nothing has changed. */
async function runOrderStep(
  services: YearServices,
  { merchant, step, order }: OrderStepRun<OrderStep>,
): Promise<SeededOrder | undefined> {
  switch (step.does) {
    case 'buy':
      return order === undefined ? fresh(await earn(services, merchant, step)) : undefined
    case 'rate':
      return order === undefined ? fresh(await rate(services, merchant, step)) : undefined
    case 'check out':
      return order === undefined ? fresh(await checkOut(services, merchant, step)) : undefined
    case 'move':
      return move(services, { merchant, step, order })
    case 'refund':
      return refund(services, { merchant, step, order })
    case 'ship':
      return ship(services, { merchant, step, order })
  }
}

function fresh(order_uuid: Uuid | null): SeededOrder {
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

async function move(
  { moveOrder }: YearServices,
  { merchant, step, order }: OrderStepRun<MoveStep>,
): Promise<undefined> {
  const order_uuid = order?.order_uuid
  if (!order_uuid) return
  const { action, reason } = step
  if (action === 'cancel') await unlessRefused(moveOrder(merchant, order_uuid, { action, reason }))
  else if (action === 'complete') await unlessRefused(moveOrder(merchant, order_uuid, { action, payment_method: '9' }))
  else await unlessRefused(moveOrder(merchant, order_uuid, { action }))
}

async function refund(
  { refundOrder }: YearServices,
  { merchant, step, order }: OrderStepRun<Refund>,
): Promise<SeededOrder | undefined> {
  if (!order?.order_uuid || order.refunded) return undefined
  const amount_halalas = step.amount_halalas === null ? null : asHalalas(step.amount_halalas)
  await unlessRefused(refundOrder(merchant, order.order_uuid, { amount_halalas, reason: step.reason }))
  return { ...order, refunded: true }
}

async function ship(
  { updateShipping }: YearServices,
  { merchant, step, order }: OrderStepRun<Ship>,
): Promise<SeededOrder | undefined> {
  const shipped = shippingStatuses.indexOf(step.status)
  if (!order?.order_uuid || order.refunded || order.shipped >= shipped) return undefined
  const label = step.label === undefined ? {} : { name_ar: step.label.ar, name_en: step.label.en }
  await unlessRefused(updateShipping(merchant, order.order_uuid, { status: step.status, ...label }))
  return { ...order, shipped }
}

/** Somebody may have used the shop meanwhile, and a worker may have released points held in the past: then nothing follows. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
  }
}
