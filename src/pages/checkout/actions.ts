import type { CheckoutStep } from '../../domain/checkout.ts'
import type { LocalText } from '../../domain/locale.ts'
import { nameIn } from '../../domain/merchant.ts'
import type { Phone } from '../../domain/phone.ts'
import { shortBrowser } from '../../domain/user-agent.ts'
import type { GuestJoining } from '../../features/checkout/confirm.ts'
import type { HostedCheckoutServices } from '../../features/checkout/services.ts'
import type { CheckoutForm, CheckoutView } from '../../features/checkout/view.ts'
import type { Onboard } from '../../features/earning/onboarding.ts'
import type { RememberedServices } from '../../features/otp/remembered.ts'
import type { OtpServices } from '../../features/otp/service.ts'
import type { PaymentOutcome } from '../../features/payments/begin.ts'
import { knownProofs, rememberedTokens, rememberProofs, rememberTokens } from '../../http/pages/cookies.ts'
import type { Cookie, PageRequest } from '../../http/pages/page.ts'
import { noteQuery } from '../identity/code.ts'
import { type OnboardingErrors, readOnboarding } from '../identity/onboarding.ts'
import { readPhoneField } from '../identity/phone.ts'
import { type ChoiceError, choiceQuery, decideChoice, intendedPoints, readShown } from './choice.ts'
import { readConsent } from './consent.ts'
import type { Query } from './flow.ts'

/** The actions of the checkout's forms. Each calls one service and says which screen comes next. */

export interface ActionServices
  extends OtpServices,
    RememberedServices,
    Pick<
      HostedCheckoutServices,
      'proveSession' | 'confirmCheckout' | 'continueWithoutPoints' | 'resumePayment' | 'changeChoice'
    > {
  readonly onboard: Onboard
}

/** The input is invalid: the form is shown again with it. */
export type InvalidForm =
  | { readonly kind: 'invalid'; readonly form: 'phone'; readonly error: LocalText }
  | { readonly kind: 'invalid'; readonly form: 'join' | 'guest'; readonly errors: OnboardingErrors }
  | { readonly kind: 'invalid'; readonly form: 'choice'; readonly errors: readonly ChoiceError[] }

export type ActionResult =
  | { readonly kind: 'next'; readonly query: Query; readonly cookies?: readonly Cookie[] }
  | { readonly kind: 'to_provider'; readonly url: string; readonly cookies?: readonly Cookie[] }
  | InvalidForm

export interface Submission {
  readonly view: CheckoutView
  readonly request: PageRequest
  readonly token: string
}

export interface Action {
  /** The steps that show its form. In other steps it does nothing. */
  readonly steps: readonly CheckoutStep[]
  readonly run: (submission: Submission, services: ActionServices) => Promise<ActionResult>
}

const actions: Readonly<Record<string, Action>> = {
  phone: { steps: ['identify'], run: sendCodeToTyped },
  given: { steps: ['identify'], run: sendCodeToGiven },
  resend: { steps: ['identify'], run: resendCode },
  code: { steps: ['identify'], run: checkCode },
  join: { steps: ['onboard'], run: join },
  // Sent again after a reload or in another tab: the service knows what was confirmed.
  confirm: { steps: ['choose', 'pay', 'reserved', 'finished'], run: confirm },
  continue: { steps: ['identify', 'onboard', 'choose', 'pay', 'reserved', 'finished'], run: payWithoutPoints },
  resume: { steps: ['pay'], run: resume },
  change: { steps: ['pay', 'reserved'], run: change },
  forget: { steps: ['choose', 'pay', 'reserved', 'finished'], run: forget },
}

/** The action that the field `do` names. */
export function actionOf(name: string | undefined): Action | undefined {
  return name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
}

function next(query: Query = {}): Extract<ActionResult, { kind: 'next' }> {
  return { kind: 'next', query }
}

function checkoutForm({ view, request, token }: Submission): CheckoutForm {
  const { browser, locale, client_address } = request
  return { view, token, browser, locale, client_address }
}

function otpRequest({ view, request }: Submission, phone: Phone) {
  const { program_id, session_uuid: subject_uuid } = view
  const { client_address, locale } = request
  const browser = { name: request.browser, proofs: knownProofs(request.cookies) }
  return { program_id, purpose: 'checkout' as const, subject_uuid, phone, client_address, locale, browser }
}

async function sendCodeToTyped(submission: Submission, services: ActionServices): Promise<ActionResult> {
  const read = readPhoneField(submission.request.form['phone'])
  if ('error' in read) return { kind: 'invalid', form: 'phone', error: read.error }
  return next(await sendCode(submission, services, read.phone, { at: 'number' }))
}

async function sendCodeToGiven(submission: Submission, services: ActionServices): Promise<ActionResult> {
  const { given_phone } = submission.view
  return given_phone === null ? next() : next(await sendCode(submission, services, given_phone, {}))
}

async function resendCode(submission: Submission, services: ActionServices): Promise<ActionResult> {
  const code = await peekCode(submission, services)
  if (code === null) return next()
  const query = await sendCode(submission, services, code.phone, {})
  return next(Object.keys(query).length === 0 ? noteQuery({ kind: 'sent_again' }) : query)
}

/** Sends a code and returns the query of the next screen. `from` is the query of the form's screen, kept when no code is sent. */
async function sendCode(submission: Submission, services: ActionServices, phone: Phone, from: Query): Promise<Query> {
  const name = nameIn(submission.view.merchant, submission.request.locale)
  const outcome = await services.sendOtp({ ...otpRequest(submission, phone), name })
  if (outcome.kind === 'sent') return {}
  if (outcome.kind === 'not_sent') return { ...from, ...noteQuery({ kind: 'not_sent' }) }
  // The last code of the same number can still be entered.
  const has_code = (await peekCode(submission, services))?.phone === phone
  return { ...(has_code ? {} : from), ...noteQuery({ kind: 'too_many_codes', retry_at: outcome.retry_at }) }
}

function peekCode({ view }: Submission, { peekOtp }: ActionServices) {
  const { program_id, session_uuid: subject_uuid } = view
  return peekOtp({ program_id, purpose: 'checkout', subject_uuid })
}

async function checkCode(submission: Submission, services: ActionServices): Promise<ActionResult> {
  const code = submission.request.form['code']?.trim() ?? ''
  if (code === '') return next(noteQuery({ kind: 'missing' }))
  const known = await peekCode(submission, services)
  if (known === null) return next(noteQuery({ kind: 'over' }))
  const request = otpRequest(submission, known.phone)
  const checked = await services.checkOtp({ ...request, code })
  if (checked.kind === 'too_many') return next(noteQuery({ kind: 'too_many_tries', retry_at: checked.retry_at }))
  if (checked.kind !== 'right') return next(noteQuery({ kind: checked.kind }))
  const proven = await services.proveSession(submission.token, submission.request.browser, known.phone)
  await services.rememberedBrowsers.proved(request.program_id, known.phone)
  const query: Query = proven === 'another phone' ? { at: 'number', note: 'another' } : {}
  return { kind: 'next', query, cookies: [rememberProofs(services.knowBrowser(request.browser, known.phone))] }
}

async function join({ view, request }: Submission, { onboard }: ActionServices): Promise<ActionResult> {
  const { program_id, proven_phone: phone } = view
  const read = readOnboarding(request.form, view.terms_version)
  if ('errors' in read) return { kind: 'invalid', form: 'join', errors: read.errors }
  if (phone !== null) await onboard({ program_id, phone, locale: request.locale, source: 'checkout', ...read.answers })
  return next()
}

/** Confirms what was chosen by what the page showed. The service compares that with how things stand now. */
async function confirm(submission: Submission, services: ActionServices): Promise<ActionResult> {
  const { form } = submission.request
  const shown = readShown(form['shown'])
  if (shown === null) return next()
  const choice = decideChoice(shown, form)
  const consent = readConsent(submission.view, form, 'error' in choice ? intendedPoints(choice.error) : choice.points)
  const errors = [choice, consent].flatMap((read) => ('error' in read ? [read.error] : []))
  if (errors.length > 0 && submission.view.step === 'choose') return { kind: 'invalid', form: 'choice', errors }
  if ('error' in choice) return next()
  const terms_version = 'agreed' in consent ? consent.agreed : null
  const outcome = await services.confirmCheckout(checkoutForm(submission), { ...choice, terms_version })
  const result = resultOf(outcome, choiceQuery(form))
  const is_confirmed = outcome.kind === 'payment' || outcome.kind === 'approved' || outcome.kind === 'reserved'
  return is_confirmed ? { ...result, cookies: await rememberedCookies(submission, services) } : result
}

/**
 * The cookie of a browser that is remembered: from now on, if the customer asks for it after a code, or for longer, because
 * it was used. Only a confirmation sets it, so that the next person at the browser cannot ask for it.
 */
async function rememberedCookies({ view, request }: Submission, services: ActionServices): Promise<Cookie[]> {
  const { proven_by, proven_phone: phone, customer, remembered, program_id, step } = view
  const cookie = rememberedTokens(request.cookies)
  if (proven_by === 'remembered' && cookie !== undefined) return [rememberTokens(cookie)]
  const asks = request.form['remember'] === 'yes' && step === 'choose' && proven_by === 'code'
  if (!asks || remembered !== null || phone === null || view.remembered_limit === 0) return []
  if (customer === null || customer.blocked) return []
  const device = shortBrowser(String(request.headers['user-agent'] ?? ''))
  const { customer_id } = customer
  const tokens = await services.rememberedBrowsers.remember({ program_id, phone, customer_id, device, cookie })
  return [rememberTokens(tokens)]
}

/** Forgets this browser: its customer is somebody else, or no longer wants it. */
async function forget({ view, request }: Submission, { rememberedBrowsers }: ActionServices): Promise<ActionResult> {
  const tokens = await rememberedBrowsers.forget(rememberedTokens(request.cookies), view.program_id)
  return { kind: 'next', query: {}, cookies: [rememberTokens(tokens)] }
}

/** Pays without points (docs/spec/checkout.md#without-points). When the store sent a number, offers onboarding first. */
async function payWithoutPoints(
  submission: Submission,
  { continueWithoutPoints }: ActionServices,
): Promise<ActionResult> {
  const { view, request } = submission
  const { form } = request
  const pay = async (answers: GuestJoining | null) =>
    resultOf(await continueWithoutPoints(checkoutForm(submission), answers), {})
  const may_onboard = view.step === 'identify' && view.may_continue && view.given_phone !== null
  if (may_onboard && form['joins'] === undefined) return next({ at: 'join' })
  if (!may_onboard || form['joins'] !== 'yes') return pay(null)
  const read = readOnboarding(form, view.terms_version)
  if ('errors' in read) return { kind: 'invalid', form: 'guest', errors: read.errors }
  return pay(read.answers)
}

async function resume(submission: Submission, { resumePayment }: ActionServices): Promise<ActionResult> {
  return resultOf(await resumePayment(checkoutForm(submission)), {})
}

function resultOf(outcome: PaymentOutcome, choice: Query): Exclude<ActionResult, InvalidForm> {
  switch (outcome.kind) {
    case 'payment':
      return { kind: 'to_provider', url: outcome.url }
    case 'approved':
    case 'reserved':
      return next({ at: 'done' })
    case 'changed':
      return next({ ...choice, note: 'changed' })
    case 'payment failed':
      return next({ ...choice, note: 'unavailable' })
    case 'no more payments':
      return next({ ...choice, note: 'no_more' })
    case 'wait':
      return next({ ...choice, note: 'too_many_payments', until: String(outcome.retry_at.getTime()) })
    case 'over':
      return next()
  }
}

async function change(submission: Submission, { changeChoice }: ActionServices): Promise<ActionResult> {
  const changed = await changeChoice(checkoutForm(submission))
  if (changed === 'not now') return next({ note: 'not_now' })
  return next(changed === 'finished' ? { at: 'done' } : {})
}
