import { type Day, type Period, startOfDay } from '../../domain/day.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Movement } from '../../features/wallet/queries.ts'
import type { Statement } from '../../features/wallet/service.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { card, details, heading, notice, summary, table } from '../design/components.ts'
import { button, field, printButton } from '../design/controls.ts'
import { moment, pointsNumber } from '../design/format.ts'
import { attributes, type Html, html } from '../design/html.ts'
import { maskedPhone } from '../identity/phone.ts'
import { type WalletPlace, walletLink, walletPage } from './frame.ts'
import { describeMovement, detailsOf, signedPoints } from './movements.ts'
import { instantsOf, lastMonth, readPeriod, thisMonth, thisYear } from './period.ts'
import { placeOf, readVisit, redirectToWallet, type WalletServices } from './session.ts'
import { unknownProgramScreen } from './sign-in.ts'
import { statementTexts as texts } from './texts.ts'

/** `/wallet/statement?from=&to=`: the movements of a period, on screen and on paper. */
export const walletStatementPage: PageRow<WalletServices> = {
  path: '/wallet/statement',
  cookies: true,
  async show(request: PageRequest, services: WalletServices): Promise<Page> {
    const visit = await readVisit(request, services)
    if (visit === null) return unknownProgramScreen(request, { place: placeOf(services, null) })
    const { session, program } = visit
    if (session?.proven !== true || session.customer_id === null) return redirectToWallet(visit)
    const place = placeOf(services, program)
    const now = services.clock.now()
    const period = readPeriod(request.query, now)
    if (period === null) return invalidPeriodPage(request, { problem: 'days', now, place })
    const { program_id } = program
    const { customer_id } = session
    const [consented, wallet, statement] = await Promise.all([
      services.hasConsented(program_id, customer_id),
      services.readWallet(program_id, customer_id),
      services.readStatement(program_id, customer_id, instantsOf(period)),
    ])
    // The wallet asks for the consent before it shows anything, and begins anew for a customer who was erased meanwhile.
    if (!consented || wallet === null) return redirectToWallet(visit)
    if (statement === null) return invalidPeriodPage(request, { problem: 'length', now, place })
    const { name, phone } = wallet
    return statementPage(request, { name, phone, period, statement, now, place })
  },
}

interface StatementView {
  readonly name: string | null
  readonly phone: Phone
  readonly period: Period
  readonly statement: Statement
  readonly now: Date
  readonly place: WalletPlace
}

/** The opening balance, the movements and the closing balance of a period. */
function statementPage(request: PageRequest, view: StatementView): Page {
  const { locale } = request
  const { statement, place, now, period } = view
  const body = html`${heading(texts.title[locale])}
${periodForm(request, period, now)}
${card(html`<div class="sheet-head">${header(view, locale)}${totals(statement, locale)}</div>
<div class="movements${hasLarge(statement) ? ' movements-large' : ''}">${movementsTable(statement, period, locale)}</div>
<p class="hint">${texts.note[locale]}</p>`)}
<div class="on-screen">${printButton(texts.printIt[locale])}<noscript><p class="hint">${texts.print[locale]}</p></noscript></div>`
  return walletPage(request, {
    place,
    title: texts.title[locale],
    current: 'statement',
    width: 'wide',
    scripts: ['forms', 'print'],
    body,
  })
}

interface InvalidPeriod {
  /** `days`: not dates, or in the wrong order. `length`: more movements than one statement holds. */
  readonly problem: 'days' | 'length'
  readonly now: Date
  readonly place: WalletPlace
}

/** The page without a statement, with the typed period to correct. */
function invalidPeriodPage(request: PageRequest, { problem, now, place }: InvalidPeriod): Page {
  const { locale, query } = request
  const default_period = thisMonth(now)
  const typed = { from: query['from'] ?? default_period.from, to: query['to'] ?? default_period.to }
  const body = html`${heading(texts.title[locale])}
${notice('error', texts[problem === 'days' ? 'wrong_days' : 'too_long'][locale])}
${card(daysForm(request, typed))}
${presetPeriods(request, null, now)}`
  return walletPage(request, {
    status: 422,
    has_errors: true,
    place,
    title: texts.title[locale],
    current: 'statement',
    width: 'wide',
    body,
  })
}

function periodForm(request: PageRequest, shown: Period, now: Date): Html {
  const other = details(texts.other_days[request.locale], daysForm(request, shown))
  return html`<div class="statement-period">${presetPeriods(request, shown, now)}${other}</div>`
}

function presetPeriods(request: PageRequest, shown: Period | null, now: Date): Html {
  const { locale } = request
  const presets = [
    [texts.this_month, thisMonth(now)],
    [texts.last_month, lastMonth(now)],
    [texts.this_year, thisYear(now)],
  ] as const
  const links = presets.map(([text, period]) => {
    const isShown = period.from === shown?.from && period.to === shown.to
    const href = walletLink(request, '/wallet/statement', { ...period })
    return html`<li><a href="${href}"${attributes({ 'aria-current': isShown ? 'true' : null })}>${text[locale]}</a></li>`
  })
  return html`<ul class="periods">${links}</ul>`
}

function daysForm({ locale, query }: PageRequest, { from, to }: Readonly<Record<keyof Period, string>>): Html {
  const kept = ['program', 'begins'].map((name) => {
    const value = query[name]
    return value === undefined ? null : html`<input type="hidden" name="${name}" value="${value}">`
  })
  return html`<form class="period" method="get" action="/wallet/statement">${kept}
${field({ name: 'from', label: texts.from[locale], type: 'date', value: from, required: true, dir: 'ltr' })}
${field({ name: 'to', label: texts.to[locale], type: 'date', value: to, required: true, dir: 'ltr' })}
${button(texts.show[locale], { kind: 'secondary' })}
</form>`
}

function header({ name, phone, period, now, place: { program_name } }: StatementView, locale: Locale): Html {
  return summary([
    name === null ? null : { label: texts.name[locale], value: html`<bdi>${name}</bdi>` },
    { label: texts.phone[locale], value: maskedPhone(phone) },
    program_name === null ? null : { label: texts.program[locale], value: html`<bdi>${program_name}</bdi>` },
    {
      label: texts.period[locale],
      value: html`${moment(startOfDay(period.from), locale, 'date')} – ${moment(startOfDay(period.to), locale, 'date')}`,
    },
    { label: texts.made[locale], value: moment(now, locale) },
  ])
}

/** Two numbers from here on leave the words of a phone's row no room beside them. */
const large_points = 10_000_000

function hasLarge({ opening, movements }: Statement): boolean {
  const counts = movements.flatMap((movement) => [movement.points, movement.balance_after])
  return [opening, ...counts].some((count) => Math.abs(count) >= large_points)
}

function movementsTable({ opening, movements, closing }: Statement, period: Period, locale: Locale): Html {
  const day = (date: Day): Html => moment(startOfDay(date), locale, 'date')
  return table({
    caption: texts.caption[locale],
    caption_hidden: true,
    head: [
      { title: texts.date[locale] },
      { title: texts.what[locale] },
      { title: texts.points[locale], numeric: true },
      { title: texts.balance[locale], numeric: true },
    ],
    rows: [
      [day(period.from), texts.opening[locale], null, pointsNumber(opening)],
      ...movements.map((movement) => movementRow(movement, locale)),
    ],
    foot: [day(period.to), texts.closing[locale], null, pointsNumber(closing)],
  })
}

function movementRow(movement: Movement, locale: Locale) {
  const { title, details } = describeMovement(movement, locale)
  return [
    moment(movement.at, locale, 'date'),
    html`${title}${detailsOf(details)}`,
    signedPoints(movement),
    pointsNumber(movement.balance_after),
  ]
}

/** Opening balance + added + deducted = closing balance. */
function totals({ opening, movements, closing }: Statement, locale: Locale): Html {
  // A wallet is bounded, what came and went is not.
  const sum = (counts: (points: number) => boolean) =>
    movements.reduce((total, { points }) => (counts(points) ? total + BigInt(points) : total), 0n)
  return summary([
    { label: texts.opening[locale], value: pointsNumber(opening) },
    {
      label: texts.added[locale],
      value: pointsNumber(
        sum((points) => points > 0),
        { signed: true },
      ),
    },
    {
      label: texts.deducted[locale],
      value: pointsNumber(
        sum((points) => points < 0),
        { signed: true },
      ),
    },
    { label: texts.closing[locale], value: pointsNumber(closing), strong: true },
  ])
}
