import type { Environment } from '../../config/config.ts'
import type { HostedCheckoutServices } from '../../features/checkout/services.ts'
import type { CheckoutMerchant, CheckoutView } from '../../features/checkout/view.ts'
import { type Page, type PageRequest, type PageRow, redirect } from '../../http/pages/page.ts'
import type { Clock } from '../../lib/clock.ts'
import { brandOf } from '../design/brand.ts'
import { sandboxBanner } from '../design/components.ts'
import { html } from '../design/html.ts'
import { layout } from '../design/layout.ts'
import { type ActionServices, actionOf, type Refusal } from './actions.ts'
import { drawChoice } from './choose.ts'
import { drawConfirmation } from './confirm.ts'
import { type Screen, screenOf } from './flow.ts'
import { drawCode, drawJoining, drawNumber, drawOnboarding } from './identify.ts'
import { drawFailed, drawPayment, drawWaiting, noPaymentNote } from './pay.ts'
import { drawOver, drawReceipt, drawReserved, drawUnknown } from './result.ts'
import { type Drawn, moneyBack, type Showing } from './screen.ts'
import { common } from './texts.ts'

export interface CheckoutPageServices extends ActionServices, Pick<HostedCheckoutServices, 'readCheckout'> {
  /** Of the provider who collects for a merchant: where the forms of its checkout may lead. */
  readonly paymentOrigins: (merchant: CheckoutMerchant) => Promise<readonly string[]>
  readonly environment: Environment
  /** Of business. */
  readonly clock: Clock
}

/** The page behind a checkout's link. Decisions §6. */
export const checkoutPage: PageRow<CheckoutPageServices> = {
  path: '/checkout/:token',

  async show(request, services) {
    const view = await services.readCheckout(tokenOf(request), request.browser)
    return view === null ? unknown(request, services) : show(beginning(request, view), services, view)
  },

  async submit(sent, services) {
    const view = await services.readCheckout(tokenOf(sent), sent.browser)
    if (view === null) return unknown(sent, services)
    const request = beginning(sent, view)
    const act = actionOf(request.form['do'])
    // A form of a step that is over: what there is now says why.
    if (act === undefined || !act.steps.includes(view.step)) return redirect(pathOf(request))
    const done = await act.run({ view, request, token: tokenOf(request) }, services)
    if (done.kind === 'refused') return show(request, services, view, done)
    if (done.kind === 'to provider') return redirect(done.url)
    return redirect(`${pathOf(request)}${queryOf(done.query)}`, done.cookies)
  },
}

/** Uses the language that the store asked for until the customer chooses one. */
function beginning(request: PageRequest, { asked_locale }: CheckoutView): PageRequest {
  return { ...request, locale: request.chosen_locale ?? asked_locale ?? request.locale }
}

function tokenOf({ params }: PageRequest): string {
  return params['token'] ?? ''
}

function pathOf(request: PageRequest): string {
  return `/checkout/${tokenOf(request)}`
}

function queryOf(query: Readonly<Record<string, string>>): string {
  return Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`
}

async function show(
  request: PageRequest,
  services: CheckoutPageServices,
  view: CheckoutView,
  refused?: Refusal,
): Promise<Page> {
  const { locale, csrf, query, form } = request
  const { program_id, session_uuid: subject_uuid } = view
  const code =
    view.step === 'identify' ? await services.peekOtp({ program_id, purpose: 'checkout', subject_uuid }) : null
  const session_left_ms = view.expires_at.getTime() - services.clock.now().getTime()
  const at = { action: pathOf(request), now: new Date(), session_left_ms }
  const showing: Showing = { view, locale, csrf, query, form, ...at }
  const drawn = refused === undefined ? draw(showing, screenOf(view, query, code), services) : redraw(showing, refused)
  return frame(showing, drawn, { status: statusOf(view, refused), services })
}

function draw(showing: Showing, screen: Screen, { clock }: CheckoutPageServices): Drawn {
  switch (screen.name) {
    case 'number':
      return drawNumber(showing, screen.given)
    case 'code':
      return drawCode(showing, screen.code)
    case 'onboard':
      return drawOnboarding(showing)
    case 'join':
      return drawJoining(showing)
    case 'choose':
      return drawChoice(showing, screen.facts, screen.mistake)
    case 'confirm':
      return drawConfirmation(showing, screen.redemption, screen.typed)
    case 'pay':
      return drawPayment(showing)
    case 'failed':
      return drawFailed(showing)
    case 'waiting':
      return drawWaiting(showing)
    case 'reserved':
      return drawReserved(showing, clock.now())
    case 'finished':
      return drawReceipt(showing)
    default:
      return drawOver(showing, screen.name)
  }
}

/** The form as it was sent, with what is wrong with it: nothing was changed, and sending it again changes nothing either. */
function redraw(showing: Showing, refused: Refusal): Drawn {
  if (refused.form === 'phone') return drawNumber(showing, false, refused.error)
  return refused.form === 'guest' ? drawJoining(showing, refused.mistakes) : drawOnboarding(showing, refused.mistakes)
}

function statusOf({ step }: CheckoutView, refused: Refusal | undefined): number {
  if (refused !== undefined) return 422
  return step === 'expired' || step === 'closed' || step === 'cancelled' ? 410 : 200
}

async function frame(
  showing: Showing,
  drawn: Drawn,
  { status, services }: { readonly status: number; readonly services: CheckoutPageServices },
): Promise<Page> {
  const { view, locale, query } = showing
  const { title, body, wrong, scripts = [], refresh, pays } = drawn
  const formTo = pays === true ? await services.paymentOrigins(view.merchant) : []
  return layout({
    ...{ status, locale, query, refresh, formTo },
    title: `${wrong === true ? `${common.error[locale]}: ` : ''}${title} · ${view.merchant.name}`,
    body: html`${moneyBack(showing)}${noPaymentNote(showing)}${body}`,
    brand: brandOf(view.merchant),
    banner: bannerOf(locale, services),
    scripts: ['forms', 'checkout', ...scripts],
  })
}

function bannerOf(locale: Showing['locale'], { environment }: CheckoutPageServices) {
  return environment === 'sandbox' ? sandboxBanner(locale) : undefined
}

function unknown({ locale, query }: PageRequest, services: CheckoutPageServices): Page {
  const { title, body } = drawUnknown(locale)
  return layout({ status: 404, locale, title, body, query, banner: bannerOf(locale, services) })
}
