import { parseUuid, type Uuid } from '../../../domain/ids.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { asHalalas } from '../../../domain/money.ts'
import { asPoints } from '../../../domain/points.ts'
import { decideRedemption, redeemablePoints } from '../../../domain/redemption.ts'
import { newSecretText, newUuid } from '../../../lib/ids.ts'
import type { ShownChoice } from '../../checkout/confirm.ts'
import type { OpenCheckout } from '../../checkout/open.ts'
import type { HostedCheckoutServices } from '../../checkout/services.ts'
import type { CheckoutForm, CheckoutView } from '../../checkout/view.ts'
import type { SandboxPage } from '../../payments/sandbox.ts'
import type { CheckOut } from './steps.ts'

/** A customer's way through the hosted checkout, by the services that its pages call. */

export interface CheckoutUses
  extends Pick<HostedCheckoutServices, 'proveSession' | 'readCheckout' | 'confirmCheckout' | 'changeChoice'> {
  /** Below the endpoint, whose limit is for strangers: the year would use it up for others at this address. */
  readonly openCheckout: OpenCheckout
  /** The same, for a checkout that nobody will pay. */
  readonly openToLeave: OpenCheckout
  readonly sandboxPage: SandboxPage | undefined
}

/** Opens a checkout and goes through it as far as the step says. Gives the uuid of its order. */
export async function checkOut(uses: CheckoutUses, merchant: Merchant, step: CheckOut): Promise<Uuid> {
  const open = step.ends === 'paid' ? uses.openCheckout : uses.openToLeave
  const opened = await open(newCheckout(merchant, step))
  const token = new URL(opened.checkout_url).pathname.split('/').at(-1) ?? ''
  const browser = newSecretText()
  if (step.ends !== 'left') await pay(uses, { token, browser, step })
  return opened.order_uuid
}

function newCheckout(merchant: Merchant, { number, who, lines, total_halalas }: CheckOut) {
  const { program_id, merchant_id } = merchant
  return {
    ...{ program_id, merchant_id, order_uuid: newUuid(), order_number: number, phone: who.phone, name: who.name },
    ...{ total_halalas: asHalalas(total_halalas), items: JSON.stringify(lines) },
    ...{ shipping_halalas: null, tax_halalas: null, discount_halalas: null, callback_url: null },
    ...{ shipping_address: JSON.stringify({ city: 'Riyadh' }), metadata: JSON.stringify({ channel: 'web' }) },
  }
}

interface Visit {
  readonly token: string
  readonly browser: string
  readonly step: CheckOut
}

/** The number is proven without a code, so that no limit on messages counts it. */
async function pay(uses: CheckoutUses, { token, browser, step }: Visit): Promise<void> {
  await uses.proveSession(token, browser, step.who.phone)
  const view = await uses.readCheckout(token, browser)
  const choice = view === null ? null : choiceOf(view, step.uses)
  if (view === null || choice === null) return
  const form: CheckoutForm = { view, token, browser, locale: 'ar', client_address: '127.0.0.1' }
  const outcome = await uses.confirmCheckout(form, choice)
  if (outcome.kind !== 'payment') return
  const payment_uuid = parseUuid(new URL(outcome.url).pathname.split('/').at(-1) ?? '')
  if (payment_uuid === null || uses.sandboxPage === undefined) throw new Error('a payment of the year has no page')
  const card = step.ends === 'declined' ? 'declined' : 'succeeds'
  await uses.sandboxPage.choose({ program_id: view.program_id, payment_uuid }, card)
  if (step.ends === 'declined') await leave(uses, form)
}

/** Takes the choice back before leaving: no points stay held. */
async function leave(uses: CheckoutUses, form: CheckoutForm): Promise<void> {
  const view = await uses.readCheckout(form.token, form.browser)
  if (view !== null) await uses.changeChoice({ ...form, view })
}

/** How many points the customer uses, and what is left to pay. Null when the checkout is over. */
function choiceOf(view: CheckoutView, share: number): ShownChoice | null {
  if (view.step !== 'choose' || view.customer === null) return null
  const { total_halalas, micro_sar_per_point: value, customer } = view
  const facts = { available_points: customer.available, total_halalas, value }
  const wanted = asPoints(Math.floor(redeemablePoints(facts) * share))
  const part = decideRedemption(facts, share === 1 ? 'all' : wanted)
  const redemption = part.kind === 'redemption' ? part : decideRedemption(facts, 'none')
  return redemption.kind === 'redemption' ? redemption : null
}
