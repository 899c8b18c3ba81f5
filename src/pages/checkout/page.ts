import type { Environment } from '../../config/config.ts'
import { nameIn } from '../../domain/merchant.ts'
import { type Operator, operatorOf } from '../../domain/operator.ts'
import type { HostedCheckoutServices } from '../../features/checkout/services.ts'
import type { CheckoutMerchant, CheckoutView } from '../../features/checkout/view.ts'
import { rememberedTokens } from '../../http/pages/cookies.ts'
import { type Page, type PageRequest, type PageRow, redirect } from '../../http/pages/page.ts'
import type { Clock } from '../../lib/clock.ts'
import { brandOf } from '../design/brand.ts'
import { sandboxBanner } from '../design/components.ts'
import { html } from '../design/html.ts'
import { layout } from '../design/layout.ts'
import { type ActionServices, actionOf, type InvalidForm } from './actions.ts'
import { choiceQuery } from './choice.ts'
import { renderChoice } from './choose.ts'
import { factsOf, type Query, type Screen, screenOf } from './flow.ts'
import { renderCode, renderGuestOnboarding, renderNumber, renderOnboarding } from './identify.ts'
import { paymentLimitNote, renderFailed, renderPayment, renderWaiting } from './pay.ts'
import { renderEnded, renderReceipt, renderReserved, renderUnknown } from './result.ts'
import { otherTabNotice, refundNotices, type ScreenContent, type ScreenContext } from './screen.ts'
import { common } from './texts.ts'

export interface CheckoutPageServices extends ActionServices, Pick<HostedCheckoutServices, 'readCheckout'> {
  /** The origins of the merchant's payment provider, which forms of its checkout may lead to. */
  readonly paymentOrigins: (merchant: CheckoutMerchant) => Promise<readonly string[]>
  readonly environment: Environment
  /** Who runs the deployment. */
  readonly operator: Operator
  /** The business clock. */
  readonly clock: Clock
}

/** The hosted checkout (docs/spec/checkout.md#steps). */
export const checkoutPage: PageRow<CheckoutPageServices> = {
  path: '/checkout/:token',

  async show(request, services) {
    const view = await readView(request, services)
    return view === null ? unknown(request, services) : show(withStoreLocale(request, view), services, view)
  },

  async submit(submitted, services) {
    const view = await readView(submitted, services)
    if (view === null) return unknown(submitted, services)
    const request = withStoreLocale(submitted, view)
    const action = actionOf(request.form['do'])
    // The form belongs to a step that is over: show the current step.
    if (action === undefined || !action.steps.includes(view.step)) return redirect(pathOf(request))
    const result = await action.run({ view, request, token: tokenOf(request) }, services)
    if (result.kind === 'invalid') return show(request, services, view, result)
    if (result.kind === 'to_provider') return redirect(result.url, result.cookies)
    return redirect(`${pathOf(request)}${queryOf(result.query)}`, result.cookies)
  },
}

function readView(request: PageRequest, { readCheckout }: CheckoutPageServices): Promise<CheckoutView | null> {
  return readCheckout(tokenOf(request), request.browser, rememberedTokens(request.cookies))
}

/** Uses the store's language until the customer chooses one. */
function withStoreLocale(request: PageRequest, { asked_locale }: CheckoutView): PageRequest {
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
  invalid?: InvalidForm,
): Promise<Page> {
  const { locale, csrf, form } = request
  const query = invalid === undefined ? request.query : queryOfInvalid(invalid, form)
  const { program_id, session_uuid: subject_uuid } = view
  const code =
    view.step === 'identify' ? await services.peekOtp({ program_id, purpose: 'checkout', subject_uuid }) : null
  const session_left_ms = view.expires_at.getTime() - services.clock.now().getTime()
  const page = { action: pathOf(request), now: new Date(), session_left_ms }
  const context: ScreenContext = { view, locale, csrf, query, form, ...page }
  const content =
    invalid === undefined
      ? renderScreen(context, screenOf(view, query, code), services)
      : renderInvalidForm(context, invalid)
  return frame(context, content, { status: statusOf(view, invalid), services })
}

function renderScreen(context: ScreenContext, screen: Screen, { clock }: CheckoutPageServices): ScreenContent {
  switch (screen.name) {
    case 'number':
      return renderNumber(context, screen.given)
    case 'code':
      return renderCode(context, screen.code)
    case 'onboard':
      return renderOnboarding(context)
    case 'join':
      return renderGuestOnboarding(context)
    case 'choose':
      return renderChoice(context, screen.facts, screen.errors)
    case 'pay':
      return renderPayment(context)
    case 'failed':
      return renderFailed(context)
    case 'waiting':
      return renderWaiting(context)
    case 'reserved':
      return renderReserved(context, clock.now())
    case 'finished':
      return renderReceipt(context)
    default:
      return renderEnded(context, screen.name)
  }
}

/** The query of the page with an invalid form: the page in the other language shows that form, and what was chosen. */
function queryOfInvalid(invalid: InvalidForm, form: PageRequest['form']): Query {
  switch (invalid.form) {
    case 'phone':
      return { at: 'number' }
    case 'guest':
      return { at: 'join' }
    case 'join':
      return {}
    case 'choice': {
      const consent = invalid.errors.find((error) => error === 'terms' || error === 'other_terms')
      return { ...choiceQuery(form), ...(consent === undefined ? {} : { note: consent }) }
    }
  }
}

/** The invalid form with its errors. Nothing was changed. */
function renderInvalidForm(context: ScreenContext, invalid: InvalidForm): ScreenContent {
  if (invalid.form === 'phone') return renderNumber(context, false, invalid.error)
  if (invalid.form === 'choice') return renderChoice(context, factsOf(context.view), invalid.errors)
  return invalid.form === 'guest'
    ? renderGuestOnboarding(context, invalid.errors)
    : renderOnboarding(context, invalid.errors)
}

function statusOf({ step }: CheckoutView, invalid: InvalidForm | undefined): number {
  if (invalid !== undefined) return 422
  return step === 'expired' || step === 'closed' || step === 'cancelled' ? 410 : 200
}

async function frame(
  context: ScreenContext,
  content: ScreenContent,
  { status, services }: { readonly status: number; readonly services: CheckoutPageServices },
): Promise<Page> {
  const { view, locale, query } = context
  const { title, body, has_errors, scripts = [], refresh, pays, width } = content
  const formTo = pays === true ? await services.paymentOrigins(view.merchant) : []
  return layout({
    ...{ status, locale, query, refresh, formTo, width },
    title: `${has_errors === true ? `${common.error[locale]}: ` : ''}${title} · ${nameIn(view.merchant, locale)}`,
    body: html`${otherTabNotice(context)}${refundNotices(context)}${paymentLimitNote(context)}${body}`,
    brand: brandOf(view.merchant, locale),
    banner: bannerOf(locale, services),
    operator: operatorOf(view.operator, services.operator),
    program: { id: String(view.program_id), name: null },
    scripts: ['forms', 'checkout', ...scripts],
  })
}

/** The screen on which points are chosen, for a frame of the dashboard: nothing on it can be sent. */
export function framedCheckout(
  { view, locale, now }: Pick<ScreenContext, 'view' | 'locale' | 'now'>,
  services: Pick<CheckoutPageServices, 'environment' | 'operator'>,
): Page {
  const screen = screenOf(view, {}, null)
  if (screen.name !== 'choose') throw new Error('the sample of a checkout is not at its choice')
  const session_left_ms = view.expires_at.getTime() - now.getTime()
  const context: ScreenContext = { view, locale, now, session_left_ms, csrf: '', query: {}, action: '' }
  const { title, body, width } = renderChoice(context, screen.facts, [])
  return layout({
    ...{ status: 200, locale, title, body, width, framed: true },
    brand: brandOf(view.merchant, locale),
    banner: bannerOf(locale, services),
    operator: operatorOf(view.operator, services.operator),
  })
}

function bannerOf(locale: ScreenContext['locale'], { environment }: Pick<CheckoutPageServices, 'environment'>) {
  return environment === 'sandbox' ? sandboxBanner(locale) : undefined
}

function unknown({ locale, query }: PageRequest, services: CheckoutPageServices): Page {
  const { title, body } = renderUnknown(locale)
  const { operator } = services
  return layout({ status: 404, locale, title, body, query, operator, banner: bannerOf(locale, services) })
}
