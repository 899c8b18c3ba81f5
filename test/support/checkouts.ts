import type { Database } from '../../src/db/pool.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Locale } from '../../src/domain/locale.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { asPoints } from '../../src/domain/points.ts'
import type { CheckoutForm, CheckoutView } from '../../src/features/checkout/view.ts'
import type { PaymentOutcome } from '../../src/features/payments/begin.ts'
import { newSecretText, newUuid } from '../../src/lib/ids.ts'
import type { PaymentProviderName } from '../../src/providers/payment/port.ts'
import type { Services } from '../../src/routes.ts'
import type { Shop } from './app.ts'
import { freshPhone } from './earnings.ts'
import { customerWith } from './orders.ts'

/** A checkout of the tests: its link's token, its order, and the browser and phone of its customer. */
export interface TestCheckout {
  readonly token: string
  readonly order_uuid: Uuid
  readonly browser: string
  readonly phone: Phone
}

export interface OpenedWith {
  readonly total?: number
  readonly phone?: Phone
  readonly given?: Phone | null
  readonly callback_url?: string | null
}

/** A checkout of 100 SAR that a shop has just opened, by default without a phone. */
export async function openedCheckout(services: Services, shop: Shop, options: OpenedWith = {}): Promise<TestCheckout> {
  const { total = 10_000, phone = freshPhone(), given = null, callback_url = null } = options
  const order_uuid = newUuid()
  const { program_id, merchant_id } = shop.merchant
  const { checkout_url } = await services.openCheckout({
    program_id,
    merchant_id,
    order_uuid,
    order_number: `web-${order_uuid.slice(-6)}`,
    total_halalas: asHalalas(total),
    shipping_halalas: null,
    tax_halalas: null,
    discount_halalas: null,
    shipping_address: null,
    items: null,
    metadata: null,
    phone: given,
    name: null,
    callback_url,
  })
  const token = checkout_url.split('/').at(-1) ?? ''
  return { token, order_uuid, browser: newSecretText(), phone }
}

/** The same with a proven phone: by default that of a new active customer with `points`. */
export async function provenCheckout(
  db: Database,
  services: Services,
  shop: Shop,
  { points = 1_000, ...options }: OpenedWith & { readonly points?: number } = {},
): Promise<TestCheckout> {
  const phone = options.phone ?? (await customerWith(db, shop.merchant, { points }))
  const checkout = await openedCheckout(services, shop, { ...options, phone })
  await services.proveSession(checkout.token, checkout.browser, phone)
  return checkout
}

/** The link of a checkout, in a browser. */
export type OpenLink = Pick<TestCheckout, 'token' | 'browser'>

/** The checkout's page in its customer's browser. */
export async function viewOf(services: Services, { token, browser }: OpenLink): Promise<CheckoutView> {
  const view = await services.readCheckout(token, browser)
  if (view === null) throw new Error('this link leads nowhere')
  return view
}

/** Submits a form from the current page. */
export async function formOf(
  services: Services,
  { token, browser }: OpenLink,
  { client_address = '203.0.113.7', locale = 'en' as Locale } = {},
): Promise<CheckoutForm> {
  return { view: await viewOf(services, { token, browser }), token, browser, locale, client_address }
}

/** Sends the form that goes on with the payment. */
export async function resume(
  services: Services,
  link: OpenLink,
  options: Parameters<typeof formOf>[2] = {},
): Promise<PaymentOutcome> {
  return services.resumePayment(await formOf(services, link, options))
}

/** Sends the form that takes the confirmation back. */
export async function change(services: Services, link: OpenLink): ReturnType<Services['changeChoice']> {
  return services.changeChoice(await formOf(services, link))
}

/** Confirms points at the demo rate, two points a halala, as the page shows them. */
export async function confirm(
  services: Services,
  link: OpenLink,
  { points = 0, total = 10_000 }: { readonly points?: number; readonly total?: number } = {},
): Promise<PaymentOutcome> {
  const choice = { points: asPoints(points), due_halalas: asHalalas(total - Math.floor(points / 2)) }
  return services.confirmCheckout(await formOf(services, link), choice)
}

/** Asks the provider about a payment, and applies the answer to the order. */
export function settle(
  services: Pick<Services, 'settlePayment'>,
  { merchant }: Pick<Shop, 'merchant'>,
  payment_uuid: string,
): ReturnType<Services['settlePayment']> {
  return services.settlePayment(merchant.program_id, payment_uuid as Uuid)
}

/** A payment as it is stored. */
export interface StoredPayment {
  readonly payment_uuid: Uuid
  readonly state: string
  readonly error: string | null
  readonly kind: string
  readonly amount_halalas: number
  readonly page_url: string | null
  readonly provider_reference: string | null
}

/** The payments of an order, the oldest first. */
export function paymentsOf(db: Database, order_uuid: string): Promise<StoredPayment[]> {
  return db.run<StoredPayment>({
    text: `select payment_uuid, state, error, kind, amount_halalas, page_url, provider_reference
      from order_payment where order_uuid = $1 order by payment_uuid`,
    values: [order_uuid],
  })
}

/** The one payment of an order that is not over. */
export async function paymentOf(db: Database, order_uuid: string): Promise<StoredPayment> {
  const payments = await paymentsOf(db, order_uuid)
  const payment = payments.at(-1)
  if (payment === undefined) throw new Error('no payment was begun')
  return payment
}

/** Kind and state of each payment task of an order. */
export async function tasksOf(db: Database, order_uuid: string): Promise<string[]> {
  const rows = await db.run<{ task: string }>({
    text: `select kind || ' ' || state as task from payment_task where order_uuid = $1 order by task_uuid`,
    values: [order_uuid],
  })
  return rows.map(({ task }) => task)
}

/** Sets who collects a merchant's payments, and how. */
export async function sellBy(
  owner: Database,
  { merchant }: Shop,
  payment_provider: PaymentProviderName,
  payment_flow: 'sale' | 'two_step' = 'sale',
): Promise<void> {
  await owner.run({
    text: 'update merchant set payment_provider = $3, payment_flow = $4 where program_id = $1 and merchant_id = $2',
    values: [merchant.program_id, merchant.merchant_id, payment_provider, payment_flow],
  })
}
