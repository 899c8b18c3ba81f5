import type { Uuid } from '../../domain/ids.ts'
import { readCode } from '../../domain/otp.ts'
import type { Phone } from '../../domain/phone.ts'
import { terms } from '../../domain/terms.ts'
import type { WalletSession } from '../../features/wallet/session.ts'
import { knownProofs, rememberProofs } from '../../http/pages/cookies.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { type CodeNote, noteQuery } from '../identity/code.ts'
import { readJoining } from '../identity/onboarding.ts'
import { readPhoneField } from '../identity/phone.ts'
import { homePage } from './home.ts'
import type { WalletServices } from './session.ts'
import { beginCookie, endedCookie, provenCookie, toWallet, type Visit, visitOf } from './session.ts'
import { codeScreen, joinScreen, phoneScreen, unknownScreen } from './sign-in.ts'

/** How many movements a page has. */
const page_size = 20

/** `/wallet`: sign-in, joining, and the wallet; `?program=ID` names another program than the deployment's first. */
export const walletHomePage: PageRow<WalletServices> = {
  path: '/wallet',
  async show(request: PageRequest, services: WalletServices): Promise<Page> {
    const visit = await visitOf(request, services)
    return visit === null ? unknownScreen(request, { sandbox: services.environment === 'sandbox' }) : showWallet(visit)
  },
  submit: submitWallet,
}

function showWallet(visit: Visit): Promise<Page> {
  const { session } = visit
  if (session === null || !session.proven) return showSignIn(visit)
  return session.customer_id === null ? showJoin(visit, session) : showHome(visit, session.customer_id)
}

async function showSignIn({ request, services, session, program, ended }: Visit): Promise<Page> {
  const sandbox = services.environment === 'sandbox'
  if (session === null || request.query['at'] === 'number') return phoneScreen(request, { sandbox, ended })
  const { program_id } = program
  const { session_uuid, phone } = session
  const code = await services.peekOtp({ program_id, purpose: 'wallet', subject_uuid: session_uuid })
  if (code === null || code.phone !== phone) return phoneScreen(request, { sandbox, ended })
  return codeScreen(request, { ...code, sandbox })
}

async function showJoin({ request, services, program }: Visit, { phone }: { phone: Phone }): Promise<Page> {
  const { program_id } = program
  const [{ name }, waiting_points] = await Promise.all([
    services.meetCustomer(program_id, phone),
    services.readWaiting(program_id, phone),
  ])
  return joinScreen(request, { sandbox: services.environment === 'sandbox', name: name ?? '', waiting_points })
}

async function showHome({ request, services, program }: Visit, customer_id: Uuid): Promise<Page> {
  const { program_id } = program
  const before = readVersion(request.query['before'])
  const [wallet, history] = await Promise.all([
    services.readWallet(program_id, customer_id),
    services.readHistory(program_id, customer_id, { before, limit: page_size }),
  ])
  return homePage(request, {
    wallet,
    history,
    newest: before === null,
    joined: request.query['note'] === 'joined',
    sandbox: services.environment === 'sandbox',
  })
}

function readVersion(text: string | undefined): number | null {
  return text !== undefined && /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : null
}

type Action = (visit: Visit) => Promise<Page>

/** What the forms of the wallet do, by their field `do`. Each does what the step it belongs to may, and else nothing. */
const actions: ReadonlyMap<string, Action> = new Map([
  ['phone', askForCode],
  ['resend', resend],
  ['code', tryCode],
  ['join', join],
  ['sign-out', signOut],
])

export async function submitWallet(request: PageRequest, services: WalletServices): Promise<Page> {
  const visit = await visitOf(request, services)
  if (visit === null) return unknownScreen(request, { sandbox: services.environment === 'sandbox' })
  const action = actions.get(request.form['do'] ?? '')
  return action === undefined ? toWallet(visit) : action(visit)
}

/** Sends a code to a number. Nobody learns from the answer whether the number is known. */
async function askForCode(visit: Visit): Promise<Page> {
  const { request, services, session, program } = visit
  if (session?.proven === true) return toWallet(visit)
  const typed = request.form['phone']
  const read = readPhoneField(typed)
  if ('error' in read) {
    const sandbox = services.environment === 'sandbox'
    return phoneScreen(request, { sandbox, ended: false, typed: typed ?? '', error: read.error })
  }
  const { phone } = read
  if (session !== null && session.phone === phone) return toWallet(visit, told(await sendCode(visit, session)))
  const { program_id } = program
  const begun = await services.walletSessions.begin({ program_id, phone })
  const note = await sendCode(visit, { ...begun, phone })
  if (note === null) return toWallet(visit, {}, [beginCookie(begun.token)])
  await services.walletSessions.end(begun.token)
  return toWallet(visit, told(note))
}

async function resend(visit: Visit): Promise<Page> {
  const { session } = visit
  if (session === null || session.proven) return toWallet(visit)
  return toWallet(visit, told((await sendCode(visit, session)) ?? { kind: 'sent_again' }))
}

/** Null once a code is on its way; else why none is. */
async function sendCode(
  { request, services, program }: Visit,
  { session_uuid, phone }: Pick<WalletSession, 'session_uuid' | 'phone'>,
): Promise<CodeNote | null> {
  const { client_address, locale } = request
  const { program_id } = program
  const asked = { program_id, purpose: 'wallet', subject_uuid: session_uuid, phone, client_address, locale } as const
  const sent = await services.sendOtp({ ...asked, browser: browserOf(request) })
  if (sent.kind === 'sent') return null
  return sent.kind === 'too_many' ? { kind: 'too_many_codes', retry_at: sent.retry_at } : { kind: 'not_sent' }
}

function browserOf({ browser: name, cookies }: PageRequest) {
  return { name, proofs: knownProofs(cookies) }
}

function told(note: CodeNote | null): Readonly<Record<string, string>> {
  return note === null ? {} : noteQuery(note)
}

/** The right code gives the sign-in a new token, so that one from before, known to somebody else, is worth nothing. */
async function tryCode(visit: Visit): Promise<Page> {
  const { request, services, session, token, program } = visit
  if (session === null || session.proven || token === undefined) return toWallet(visit)
  const code = readCode(request.form['code'] ?? '')
  if (code === null) return toWallet(visit, noteQuery({ kind: 'missing' }))
  const { session_uuid, phone } = session
  const { client_address } = request
  const { program_id } = program
  const asked = { program_id, purpose: 'wallet', subject_uuid: session_uuid, phone, code, client_address } as const
  const browser = browserOf(request)
  const tried = await services.checkOtp({ ...asked, browser })
  switch (tried.kind) {
    case 'right': {
      const proven = await services.walletSessions.prove(token)
      const known = rememberProofs(services.knowBrowser(browser, phone))
      return toWallet(visit, {}, proven === null ? [known] : [provenCookie(proven.token), known])
    }
    case 'too_many':
      return toWallet(visit, noteQuery({ kind: 'too_many_tries', retry_at: tried.retry_at }))
    default:
      return toWallet(visit, noteQuery(tried))
  }
}

/** Makes the customer, with consent; earnings that waited become points. */
async function join(visit: Visit): Promise<Page> {
  const { request, services, session, program } = visit
  if (session === null || !session.proven || session.customer_id !== null) return toWallet(visit)
  const { locale, form } = request
  const { phone } = session
  const { program_id } = program
  const read = readJoining(form, terms.version)
  if ('mistakes' in read) {
    const waiting_points = await services.readWaiting(program_id, phone)
    const sandbox = services.environment === 'sandbox'
    return joinScreen(request, { sandbox, name: form['name'] ?? '', waiting_points, mistakes: read.mistakes })
  }
  await services.onboard({ program_id, phone, locale, source: 'wallet', ...read.joining })
  return toWallet(visit, { note: 'joined' })
}

async function signOut(visit: Visit): Promise<Page> {
  const { services, token } = visit
  if (token !== undefined) await services.walletSessions.end(token)
  return toWallet(visit, { note: 'left' }, [endedCookie])
}
