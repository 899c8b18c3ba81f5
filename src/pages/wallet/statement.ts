import type { Locale } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'
import { asPoints } from '../../domain/points.ts'
import type { Movement, Statement } from '../../features/wallet/service.ts'
import type { Page, PageRequest } from '../../http/pages/page.ts'
import { card, details, heading, notice, summary, table } from '../design/components.ts'
import { button, field } from '../design/controls.ts'
import { moment, pointsFigure } from '../design/format.ts'
import { attributes, type Html, html } from '../design/html.ts'
import { shownPhone } from '../identity/phone.ts'
import { walletPage } from './frame.ts'
import { movedPoints } from './history.ts'
import { walletLink } from './links.ts'
import { lastMonth, type Period, startOf, thisMonth, thisYear } from './period.ts'
import { statementTexts as texts } from './statement-texts.ts'
import { describeMovement } from './words.ts'

export interface StatementView {
  readonly program_name: string
  readonly name: string | null
  readonly phone: Phone
  readonly period: Period
  readonly statement: Statement
  readonly now: Date
  readonly sandbox: boolean
}

/** Opening balance, movements and closing balance of a period, on the screen and on paper. */
export function statementPage(request: PageRequest, view: StatementView): Page {
  const { locale } = request
  const { statement, sandbox, now, period } = view
  const body = html`${heading(texts.title[locale])}
${periodForm(request, period, now)}
${card(html`<div class="sheet-head">${particulars(view, locale)}${totals(statement, locale)}</div>
<div class="movements">${movementsTable(statement, period, locale)}</div>
<p class="hint">${texts.note[locale]}</p>`)}
<p class="hint on-screen">${texts.print[locale]}</p>`
  return walletPage(request, { sandbox, title: texts.title[locale], current: 'statement', width: 'wide', body })
}

export interface WrongPeriod {
  /** Days that are none or in the wrong order, or more movements than a statement has. */
  readonly wrong: 'days' | 'length'
  readonly now: Date
  readonly sandbox: boolean
}

/** The same page where there can be no statement; what was typed is left to be corrected. */
export function wrongPeriodPage(request: PageRequest, { wrong, now, sandbox }: WrongPeriod): Page {
  const { locale, query } = request
  const usual = thisMonth(now)
  const typed = { from: query['from'] ?? usual.from, to: query['to'] ?? usual.to }
  const body = html`${heading(texts.title[locale])}
${notice('error', texts[wrong === 'days' ? 'wrong_days' : 'too_long'][locale])}
${card(daysForm(request, typed))}
${usualPeriods(request, null, now)}`
  return walletPage(request, {
    status: 422,
    wrong: true,
    sandbox,
    title: texts.title[locale],
    current: 'statement',
    width: 'wide',
    body,
  })
}

/** Asks for another period: nothing is changed by it, so it is asked by GET. */
function periodForm(request: PageRequest, shown: Period, now: Date): Html {
  const other = details(texts.other_days[request.locale], daysForm(request, shown))
  return html`<div class="statement-period">${usualPeriods(request, shown, now)}${other}</div>`
}

function usualPeriods(request: PageRequest, shown: Period | null, now: Date): Html {
  const { locale } = request
  const usual = [
    [texts.this_month, thisMonth(now)],
    [texts.last_month, lastMonth(now)],
    [texts.this_year, thisYear(now)],
  ] as const
  const links = usual.map(([text, period]) => {
    const isShown = period.from === shown?.from && period.to === shown.to
    const href = walletLink(request, '/wallet/statement', { ...period })
    return html`<li><a href="${href}"${attributes({ 'aria-current': isShown ? 'true' : null })}>${text[locale]}</a></li>`
  })
  return html`<ul class="periods">${links}</ul>`
}

function daysForm({ locale, query }: PageRequest, { from, to }: Period): Html {
  const program = query['program']
  const kept = program === undefined ? null : html`<input type="hidden" name="program" value="${program}">`
  return html`<form class="period" method="get" action="/wallet/statement">${kept}
${field({ name: 'from', label: texts.from[locale], type: 'date', value: from, required: true, dir: 'ltr' })}
${field({ name: 'to', label: texts.to[locale], type: 'date', value: to, required: true, dir: 'ltr' })}
${button(texts.show[locale], { kind: 'secondary' })}
</form>`
}

function particulars({ program_name, name, phone, period, now }: StatementView, locale: Locale): Html {
  return summary([
    name === null ? null : { label: texts.name[locale], value: html`<bdi>${name}</bdi>` },
    { label: texts.phone[locale], value: shownPhone(phone) },
    { label: texts.program[locale], value: html`<bdi>${program_name}</bdi>` },
    {
      label: texts.period[locale],
      value: html`${moment(startOf(period.from), locale, 'date')} – ${moment(startOf(period.to), locale, 'date')}`,
    },
    { label: texts.made[locale], value: moment(now, locale) },
  ])
}

function movementsTable({ opening, movements, closing }: Statement, period: Period, locale: Locale): Html {
  const day = (date: string): Html => moment(startOf(date), locale, 'date')
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
      [day(period.from), texts.opening[locale], null, pointsFigure(opening)],
      ...movements.map((movement) => movementRow(movement, locale)),
    ],
    foot: [day(period.to), texts.closing[locale], null, pointsFigure(closing)],
  })
}

function movementRow(movement: Movement, locale: Locale) {
  const { title, details } = describeMovement(movement, locale)
  return [
    moment(movement.at, locale, 'date'),
    html`${title}${details.map((detail) => html`<span class="detail">${detail}</span>`)}`,
    movedPoints(movement),
    pointsFigure(movement.balance_after),
  ]
}

/** What came and what went: with the opening balance they make the closing one. */
function totals({ opening, movements, closing }: Statement, locale: Locale): Html {
  const sum = (wanted: (points: number) => boolean) =>
    asPoints(movements.reduce((total, { points }) => (wanted(points) ? total + points : total), 0))
  return summary([
    { label: texts.opening[locale], value: pointsFigure(opening) },
    {
      label: texts.came[locale],
      value: pointsFigure(
        sum((points) => points > 0),
        { signed: true },
      ),
    },
    {
      label: texts.went[locale],
      value: pointsFigure(
        sum((points) => points < 0),
        { signed: true },
      ),
    },
    { label: texts.closing[locale], value: pointsFigure(closing), strong: true },
  ])
}
