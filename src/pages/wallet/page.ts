import type { Uuid } from '../../domain/ids.ts'
import { readCode } from '../../domain/otp.ts'
import type { Phone } from '../../domain/phone.ts'
import { minute_ms } from '../../domain/spans.ts'
import type { WalletSession } from '../../features/wallet/session.ts'
import { knownProofs, rememberProofs } from '../../http/pages/cookies.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { type CodeNote, noteQuery } from '../identity/code.ts'
import { readOnboarding } from '../identity/onboarding.ts'
import { readPhoneField } from '../identity/phone.ts'
import { homePage } from './home.ts'
import { endingRemembered } from './remembered.ts'
import {
  clearedCookie,
  placeOf,
  provenCookie,
  readVisit,
  redirectToWallet,
  unprovenCookie,
  type Visit,
  type WalletServices,
} from './session.ts'
import { blockedScreen, codeScreen, onboardingScreen, phoneScreen, unknownProgramScreen } from './sign-in.ts'
import { texts } from './texts.ts'

const movements_per_page = 20

/** A bookmark of the welcome must not call the points of another day what was waiting. */
const welcome_ms = 5 * minute_ms

/** `/wallet`: sign-in, onboarding, and the wallet. `?program=ID` selects a program; the default is the deployment's first. */
export const walletHomePage: PageRow<WalletServices> = {
  path: '/wallet',
  async show(request: PageRequest, services: WalletServices): Promise<Page> {
    const visit = await readVisit(request, services)
    return visit === null ? unknownProgramScreen(request, { place: placeOf(services, null) }) : showWallet(visit)
  },
  submit: submitWallet,
}

async function showWallet(visit: Visit): Promise<Page> {
  const { session } = visit
  if (session === null || !session.proven) return showSignIn(visit)
  if (session.blocked) return blockedScreen(visit.request, { place: placeOf(visit.services, visit.program) })
  return session.customer_id === null ? showOnboarding(visit, session) : showHome(visit, session.customer_id)
}

async function showSignIn({ request, services, session, program, session_ended }: Visit): Promise<Page> {
  const place = placeOf(services, program)
  if (session === null || request.query['at'] === 'number') return phoneScreen(request, { place, session_ended })
  const { program_id } = program
  const { session_uuid, phone } = session
  const code = await services.peekOtp({ program_id, purpose: 'wallet', subject_uuid: session_uuid })
  if (code === null || code.phone !== phone) return phoneScreen(request, { place, session_ended })
  return codeScreen(request, { ...code, place })
}

async function showOnboarding({ request, services, program }: Visit, { phone }: { phone: Phone }): Promise<Page> {
  const { program_id } = program
  const [{ name }, waiting_points] = await Promise.all([
    services.findCustomerOf(program_id, phone),
    services.readWaiting(program_id, phone),
  ])
  return onboardingScreen(request, { place: placeOf(services, program), program, name: name ?? '', waiting_points })
}

async function showHome(visit: Visit, customer_id: Uuid): Promise<Page> {
  const { request, services, program } = visit
  const { program_id } = program
  const before = readVersion(request.query['before'])
  const [consented, wallet, history, remembered] = await Promise.all([
    services.hasConsented(program_id, customer_id),
    services.readWallet(program_id, customer_id),
    services.readHistory(program_id, customer_id, { before, limit: movements_per_page }),
    before === null ? services.rememberedBrowsers.list(program_id, customer_id) : [],
  ])
  // Erased since the session was read: the wallet begins anew.
  if (wallet === null) return redirectToWallet(visit)
  // An earning made the customer active without asking for consent.
  if (!consented) return showOnboarding(visit, wallet)
  return homePage(request, {
    wallet,
    history,
    remembered,
    newest: before === null,
    joined: isWelcomed(request),
    place: placeOf(services, program),
  })
}

function isWelcomed({ query }: PageRequest): boolean {
  const left_ms = Number(query['until']) - Date.now()
  return query['note'] === 'joined' && left_ms > 0 && left_ms <= welcome_ms
}

function readVersion(text: string | undefined): number | null {
  return text !== undefined && /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : null
}

type Action = (visit: Visit) => Promise<Page>

/** The actions of the wallet's forms, by their field `do`. An action that does not fit the customer's step changes nothing. */
const actions: ReadonlyMap<string, Action> = new Map([
  ['phone', requestCode],
  ['resend', resendCode],
  ['code', checkCode],
  ['join', join],
  ['sign-out', signOut],
  ['forget', endingRemembered('one')],
  ['forget-all', endingRemembered('all')],
])

async function submitWallet(request: PageRequest, services: WalletServices): Promise<Page> {
  const visit = await readVisit(request, services)
  if (visit === null) return unknownProgramScreen(request, { place: placeOf(services, null) })
  const action = actions.get(request.form['do'] ?? '')
  return action === undefined ? redirectToWallet(visit) : action(visit)
}

/** Sends a code to the number. The answer is the same whether or not the number is known. */
async function requestCode(visit: Visit): Promise<Page> {
  const { request, services, session, program } = visit
  if (session?.proven === true) return redirectToWallet(visit)
  const typed = request.form['phone']
  const read = readPhoneField(typed)
  if ('error' in read) {
    const place = placeOf(services, program)
    return phoneScreen(request, { place, session_ended: false, typed: typed ?? '', error: read.error })
  }
  const { phone } = read
  if (session !== null && session.phone === phone)
    return redirectToWallet(visit, noteQuery(await sendCode(visit, session)))
  const { program_id } = program
  const started = await services.walletSessions.begin({ program_id, phone })
  const note = await sendCode(visit, { ...started, phone })
  if (note === null) return redirectToWallet(visit, {}, [unprovenCookie(started.token)])
  await services.walletSessions.end(started.token)
  return redirectToWallet(visit, noteQuery(note))
}

async function resendCode(visit: Visit): Promise<Page> {
  const { session } = visit
  if (session === null || session.proven) return redirectToWallet(visit)
  return redirectToWallet(visit, noteQuery((await sendCode(visit, session)) ?? { kind: 'sent_again' }))
}

/** Sends a code. Returns null when it was sent, else the note that says why not. */
async function sendCode(
  { request, services, program }: Visit,
  { session_uuid, phone }: Pick<WalletSession, 'session_uuid' | 'phone'>,
): Promise<CodeNote | null> {
  const { client_address, locale } = request
  const { program_id } = program
  const name = placeOf(services, program).program_name ?? texts.wallet[locale]
  const otp = {
    program_id,
    purpose: 'wallet',
    subject_uuid: session_uuid,
    phone,
    client_address,
    locale,
    name,
  } as const
  const sent = await services.sendOtp({ ...otp, browser: browserOf(request) })
  if (sent.kind === 'sent') return null
  return sent.kind === 'too_many' ? { kind: 'too_many_codes', retry_at: sent.retry_at } : { kind: 'not_sent' }
}

function browserOf({ browser: name, cookies }: PageRequest) {
  return { name, proofs: knownProofs(cookies) }
}

/** A right code replaces the session's token, so that a token planted in the browser before sign-in opens nothing. */
async function checkCode(visit: Visit): Promise<Page> {
  const { request, services, session, token, program } = visit
  if (session === null) return redirectToWallet(visit, noteQuery({ kind: 'over' }))
  if (session.proven || token === undefined) return redirectToWallet(visit)
  const code = readCode(request.form['code'] ?? '')
  if (code === null) return redirectToWallet(visit, noteQuery({ kind: 'missing' }))
  const { session_uuid, phone } = session
  const { client_address } = request
  const { program_id } = program
  const otp = { program_id, purpose: 'wallet', subject_uuid: session_uuid, phone, code, client_address } as const
  const browser = browserOf(request)
  const checked = await services.checkOtp({ ...otp, browser })
  switch (checked.kind) {
    case 'right': {
      const proven = await services.walletSessions.prove(token)
      await services.rememberedBrowsers.proved(program_id, phone)
      const known = rememberProofs(services.knowBrowser(browser, phone))
      return redirectToWallet(visit, {}, proven === null ? [known] : [provenCookie(proven.token), known])
    }
    case 'too_many':
      return redirectToWallet(visit, noteQuery({ kind: 'too_many_tries', retry_at: checked.retry_at }))
    default:
      return redirectToWallet(visit, noteQuery(checked))
  }
}

/** Creates the customer with their consent. Pending earnings become points. */
async function join(visit: Visit): Promise<Page> {
  const { request, services, session, program } = visit
  if (session === null || !session.proven || session.blocked) return redirectToWallet(visit)
  const { locale, form } = request
  const { phone } = session
  const { program_id } = program
  const { customer_id } = session
  if (customer_id !== null && (await services.hasConsented(program_id, customer_id))) return redirectToWallet(visit)
  const read = readOnboarding(form, program.terms_version)
  if ('errors' in read) {
    const waiting_points = await services.readWaiting(program_id, phone)
    const place = placeOf(services, program)
    return onboardingScreen(request, { place, program, name: form['name'] ?? '', waiting_points, errors: read.errors })
  }
  await services.onboard({ program_id, phone, locale, source: 'wallet', ...read.answers })
  return redirectToWallet(visit, { note: 'joined', until: String(Date.now() + welcome_ms) })
}

async function signOut(visit: Visit): Promise<Page> {
  const { services, session, token } = visit
  if (session?.proven === true) await services.cards.endAll(session)
  if (token !== undefined) await services.walletSessions.end(token)
  return redirectToWallet(visit, { note: 'left' }, [clearedCookie])
}
