import { nameIn } from '../../domain/merchant.ts'
import { readCode } from '../../domain/otp.ts'
import type { Card } from '../../features/wallet/card.ts'
import { knownProofs, rememberProofs } from '../../http/pages/cookies.ts'
import { type Cookie, type Page, type PageRequest, type PageRow, redirect } from '../../http/pages/page.ts'
import { type CodeNote, noteQuery } from '../identity/code.ts'
import { readPhoneField } from '../identity/phone.ts'
import { askedCookie, cardToken, noCookie, openCookie, readPlace } from './place.ts'
import {
  balanceScreen,
  blockedScreen,
  type CardWindowServices,
  codeScreen,
  linkTo,
  nobodyScreen,
  phoneScreen,
  type Visit,
} from './window-screens.ts'

/**
 * `/widget/:publicKey/window`: asks for a code, shows the balance, and offers the frame that opened it a session of its
 * own. A top-level page, which no other site may frame.
 */
export const cardWindowPage: PageRow<CardWindowServices> = {
  path: '/widget/:publicKey/window',
  async show(request, services) {
    const visit = await readVisit(request, services)
    const { card } = visit
    if (card === null || (card.stage === 'asked' && request.query['at'] === 'number')) return phoneScreen(visit)
    if (card.stage === 'asked') return showCode(visit, card)
    if (card.blocked) return blockedScreen(visit)
    return card.available === null ? nobodyScreen(visit) : balanceScreen(visit, card, card.available)
  },
  async submit(request, services) {
    const visit = await readVisit(request, services)
    const action = visitActions.get(request.form['do'] ?? '')
    return action === undefined ? back(visit) : action(visit)
  },
}

async function readVisit(request: PageRequest, services: CardWindowServices): Promise<Visit> {
  const token = cardToken(request)
  const place = await readPlace(request, services)
  const card = await services.cards.read(token, place.merchant)
  return { request, services, place, token, card }
}

const visitActions: ReadonlyMap<string, (visit: Visit) => Promise<Page>> = new Map([
  ['phone', askForCode],
  ['resend', resendCode],
  ['code', checkCode],
  ['offer', offer],
  ['hide', hide],
])

function back({ request }: Visit, extra: Readonly<Record<string, string>> = {}, cookies: readonly Cookie[] = []): Page {
  return redirect(linkTo(request, extra), cookies)
}

/** Sends a code to the number. The answer is the same whether or not the number is known. */
async function askForCode(visit: Visit): Promise<Page> {
  const { request, services, place, card } = visit
  if (card?.stage === 'open') return back(visit)
  const typed = request.form['phone']
  const read = readPhoneField(typed)
  if ('error' in read) return phoneScreen(visit, { typed: typed ?? '', error: read.error })
  const { phone } = read
  if (card !== null && card.phone === phone) return back(visit, noteQuery(await sendCode(visit, card)))
  const { program_id, merchant_id } = place.merchant
  const begun = await services.cards.begin({ program_id, merchant_id, phone })
  const note = await sendCode(visit, { ...begun, phone })
  if (note === null) return back(visit, {}, [askedCookie(begun.token)])
  await services.cards.end(begun.token, place.merchant)
  return back(visit, noteQuery(note))
}

async function resendCode(visit: Visit): Promise<Page> {
  if (visit.card?.stage !== 'asked') return back(visit)
  return back(visit, noteQuery((await sendCode(visit, visit.card)) ?? { kind: 'sent_again' }))
}

/** The codes of the window are the wallet's, for a subject of their own. */
function otpOf({ request, place }: Visit, { card_uuid, phone }: Pick<Card, 'card_uuid' | 'phone'>) {
  const { client_address, browser: name, cookies } = request
  const { program_id } = place.merchant
  const subject = { program_id, purpose: 'wallet', subject_uuid: card_uuid } as const
  return { ...subject, phone, client_address, browser: { name, proofs: knownProofs(cookies) } }
}

/** Returns null when a code was sent, else the note that says why not. */
async function sendCode(visit: Visit, card: Pick<Card, 'card_uuid' | 'phone'>): Promise<CodeNote | null> {
  const { services, request, place } = visit
  const { locale } = request
  const sent = await services.sendOtp({ ...otpOf(visit, card), locale, name: nameIn(place.look, locale) })
  if (sent.kind === 'sent') return null
  return sent.kind === 'too_many' ? { kind: 'too_many_codes', retry_at: sent.retry_at } : { kind: 'not_sent' }
}

/** A right code changes the session's token, so that a token planted in the browser before it shows nothing. */
async function checkCode(visit: Visit): Promise<Page> {
  const { request, services, place, card, token } = visit
  if (card === null) return back(visit, noteQuery({ kind: 'over' }))
  if (card.stage !== 'asked' || token === undefined) return back(visit)
  const code = readCode(request.form['code'] ?? '')
  if (code === null) return back(visit, noteQuery({ kind: 'missing' }))
  const otp = otpOf(visit, card)
  const checked = await services.checkOtp({ ...otp, code })
  if (checked.kind === 'too_many') return back(visit, noteQuery({ kind: 'too_many_tries', retry_at: checked.retry_at }))
  if (checked.kind !== 'right') return back(visit, noteQuery(checked))
  const proven = await services.cards.prove(token, place.merchant)
  await services.rememberedBrowsers.proved(otp.program_id, card.phone)
  const known = rememberProofs(services.knowBrowser(otp.browser, card.phone))
  return back(visit, {}, proven === null ? [known] : [openCookie(proven.token), known])
}

/** For the script of the window: a session for the frame with this challenge. Only a page of our origin gets to see it. */
async function offer({ request, services, place, token, card }: Visit): Promise<Page> {
  const challenge = Buffer.from(request.query['ask'] ?? '', 'base64url')
  const may = place.framed_by !== null && challenge.length === 32 && card?.offers === true && card.available !== null
  const offered = may && token !== undefined ? await services.cards.offer(token, place.merchant, challenge) : null
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return { status: offered === null ? 409 : 200, body: JSON.stringify(offered === null ? {} : { offered }), headers }
}

async function hide(visit: Visit): Promise<Page> {
  const { services, token, place } = visit
  if (token !== undefined) await services.cards.end(token, place.merchant)
  return back(visit, { note: 'hidden' }, [noCookie])
}

async function showCode(visit: Visit, card: Card): Promise<Page> {
  const code = await visit.services.peekOtp(otpOf(visit, card))
  return code === null || code.phone !== card.phone ? phoneScreen(visit) : codeScreen(visit, code)
}
