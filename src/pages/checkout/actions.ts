import type { CheckoutStep } from '../../domain/checkout.ts'
import type { LocalText } from '../../domain/locale.ts'
import { asHalalas } from '../../domain/money.ts'
import type { Phone } from '../../domain/phone.ts'
import { asPoints } from '../../domain/points.ts'
import { terms } from '../../domain/terms.ts'
import type { GuestJoining } from '../../features/checkout/confirm.ts'
import type { HostedCheckoutServices } from '../../features/checkout/services.ts'
import type { CheckoutForm, CheckoutView } from '../../features/checkout/view.ts'
import type { Onboard } from '../../features/onboarding/service.ts'
import type { OtpServices } from '../../features/otp/service.ts'
import type { PaymentOutcome } from '../../features/payments/begin.ts'
import { knownProofs, rememberProofs } from '../../http/pages/cookies.ts'
import type { Cookie, PageRequest } from '../../http/pages/page.ts'
import { type CodeNote, noteQuery } from '../identity/notes.ts'
import { type JoiningMistakes, readJoining } from '../identity/onboarding.ts'
import { readPhoneField } from '../identity/phone.ts'
import type { Query } from './flow.ts'

/** What the forms of a checkout do: each asks one story, and says where to go on. Nothing is decided here. */

export interface ActionServices
  extends OtpServices,
    Pick<
      HostedCheckoutServices,
      'proveSession' | 'confirmCheckout' | 'continueWithoutPoints' | 'resumePayment' | 'changeChoice'
    > {
  readonly onboard: Onboard
}

/** What was typed cannot be used; the form is shown again with it. */
export type Refusal =
  | { readonly kind: 'refused'; readonly form: 'phone'; readonly error: LocalText }
  | { readonly kind: 'refused'; readonly form: 'join' | 'guest'; readonly mistakes: JoiningMistakes }

export type Done =
  | { readonly kind: 'on'; readonly query: Query; readonly cookies?: readonly Cookie[] }
  | { readonly kind: 'to provider'; readonly url: string }
  | Refusal

export interface Sent {
  readonly view: CheckoutView
  readonly request: PageRequest
  readonly token: string
}

export interface Action {
  /** Where its form is shown; elsewhere it does nothing. */
  readonly steps: readonly CheckoutStep[]
  readonly run: (sent: Sent, services: ActionServices) => Promise<Done>
}

const actions: Readonly<Record<string, Action>> = {
  phone: { steps: ['identify'], run: sendToTyped },
  given: { steps: ['identify'], run: sendToGiven },
  resend: { steps: ['identify'], run: sendAgain },
  code: { steps: ['identify'], run: tryCode },
  join: { steps: ['onboard'], run: join },
  // Again after a reload or in another tab: the story knows what has been confirmed.
  confirm: { steps: ['choose', 'pay', 'reserved', 'finished'], run: confirm },
  continue: { steps: ['identify', 'onboard', 'choose', 'pay', 'reserved', 'finished'], run: goOnWithoutPoints },
  resume: { steps: ['pay'], run: resume },
  change: { steps: ['pay', 'reserved'], run: change },
}

/** The action that a form names. */
export function actionOf(name: string | undefined): Action | undefined {
  return name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
}

function on(query: Query = {}): Done {
  return { kind: 'on', query }
}

function checkoutForm({ view, request, token }: Sent): CheckoutForm {
  const { browser, locale, client_address } = request
  return { view, token, browser, locale, client_address }
}

function otpAsk({ view, request }: Sent, phone: Phone) {
  const { program_id, session_uuid: subject_uuid } = view
  const { client_address, locale } = request
  const browser = { name: request.browser, proofs: knownProofs(request.cookies) }
  return { program_id, purpose: 'checkout' as const, subject_uuid, phone, client_address, locale, browser }
}

async function sendToTyped(sent: Sent, services: ActionServices): Promise<Done> {
  const read = readPhoneField(sent.request.form['phone'])
  if ('error' in read) return { kind: 'refused', form: 'phone', error: read.error }
  return on(await send(sent, services, read.phone, { at: 'number' }))
}

async function sendToGiven(sent: Sent, services: ActionServices): Promise<Done> {
  const { given_phone } = sent.view
  return given_phone === null ? on() : on(await send(sent, services, given_phone, {}))
}

async function sendAgain(sent: Sent, services: ActionServices): Promise<Done> {
  const code = await peek(sent, services)
  if (code === null) return on()
  const query = await send(sent, services, code.phone, {})
  return on(Object.keys(query).length === 0 ? noteQuery({ kind: 'sent_again' }) : query)
}

/** `from` is the query of the page that the form stood on, where the customer stays if no code was sent. */
async function send(sent: Sent, { sendOtp }: ActionServices, phone: Phone, from: Query): Promise<Query> {
  const outcome = await sendOtp(otpAsk(sent, phone))
  if (outcome.kind === 'sent') return {}
  const note: CodeNote =
    outcome.kind === 'too_many' ? { kind: 'too_many_codes', retry_at: outcome.retry_at } : { kind: 'not_sent' }
  return { ...from, ...noteQuery(note) }
}

function peek({ view }: Sent, { peekOtp }: ActionServices) {
  const { program_id, session_uuid: subject_uuid } = view
  return peekOtp({ program_id, purpose: 'checkout', subject_uuid })
}

async function tryCode(sent: Sent, services: ActionServices): Promise<Done> {
  const code = sent.request.form['code']?.trim() ?? ''
  if (code === '') return on(noteQuery({ kind: 'missing' }))
  const known = await peek(sent, services)
  if (known === null) return on(noteQuery({ kind: 'over' }))
  const ask = otpAsk(sent, known.phone)
  const checked = await services.checkOtp({ ...ask, code })
  if (checked.kind === 'too_many') return on(noteQuery({ kind: 'too_many_tries', retry_at: checked.retry_at }))
  if (checked.kind !== 'right') return on(noteQuery({ kind: checked.kind }))
  const proven = await services.proveSession(sent.token, sent.request.browser, known.phone)
  const query: Query = proven === 'another phone' ? { at: 'number', note: 'another' } : {}
  return { kind: 'on', query, cookies: [rememberProofs(services.knowBrowser(ask.browser, known.phone))] }
}

async function join({ view, request }: Sent, { onboard }: ActionServices): Promise<Done> {
  const { program_id, proven_phone: phone } = view
  const read = readJoining(request.form, terms.version)
  if ('mistakes' in read) return { kind: 'refused', form: 'join', mistakes: read.mistakes }
  if (phone !== null) await onboard({ program_id, phone, locale: request.locale, source: 'checkout', ...read.joining })
  return on()
}

async function confirm(sent: Sent, { confirmCheckout }: ActionServices): Promise<Done> {
  const { form } = sent.request
  const [points, remainder] = [wholeOf(form['points']), wholeOf(form['remainder'])]
  if (points === null || remainder === null) return on()
  const choice = { points: asPoints(points), remainder_halalas: asHalalas(remainder) }
  return after(await confirmCheckout(checkoutForm(sent), choice), choiceOf(form))
}

function wholeOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** What the customer had chosen, to be worked out anew. */
function choiceOf({ use, typed }: Query): Query {
  if (use === undefined) return {}
  return typed === undefined ? { use } : { use, points: typed }
}

/** Where the store sent a number, whoever has it may join first, or skip that. */
async function goOnWithoutPoints(sent: Sent, { continueWithoutPoints }: ActionServices): Promise<Done> {
  const { view, request } = sent
  const { form } = request
  const goOn = async (joining: GuestJoining | null) =>
    after(await continueWithoutPoints(checkoutForm(sent), joining), {})
  const may_join = view.step === 'identify' && view.may_continue && view.given_phone !== null
  if (may_join && form['joins'] === undefined) return on({ at: 'join' })
  if (!may_join || form['joins'] !== 'yes') return goOn(null)
  const read = readJoining(form, terms.version)
  if ('mistakes' in read) return { kind: 'refused', form: 'guest', mistakes: read.mistakes }
  return goOn(read.joining)
}

async function resume(sent: Sent, { resumePayment }: ActionServices): Promise<Done> {
  return after(await resumePayment(checkoutForm(sent)), {})
}

function after(outcome: PaymentOutcome, choice: Query): Done {
  switch (outcome.kind) {
    case 'payment':
      return { kind: 'to provider', url: outcome.url }
    case 'approved':
    case 'reserved':
      return on({ at: 'done' })
    case 'changed':
      return on({ ...choice, note: 'changed' })
    case 'payment failed':
      return on({ ...choice, note: 'unavailable' })
    case 'no more payments':
      return on({ ...choice, note: 'no_more' })
    case 'wait':
      return on({ ...choice, note: 'too_many_payments', until: String(outcome.retry_at.getTime()) })
    case 'over':
      return on()
  }
}

async function change(sent: Sent, { changeChoice }: ActionServices): Promise<Done> {
  const changed = await changeChoice(checkoutForm(sent))
  if (changed === 'not now') return on({ note: 'not_now' })
  return on(changed === 'finished' ? { at: 'done' } : {})
}
