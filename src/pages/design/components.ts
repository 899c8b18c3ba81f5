import type { Locale, LocalText } from '../../domain/locale.ts'
import { fieldId } from './controls.ts'
import { attributes, type Html, html, type Part } from './html.ts'
import { type IconName, icon } from './icons.ts'

/** What pages are put together from. Each is laid out by logical properties, for both directions of writing. */

/** The one heading of a page, and what it is about. */
export function heading(title: Part, lead?: Part): Html {
  return html`<div class="heading"><h1>${title}</h1>${lead === undefined ? null : html`<p class="lead">${lead}</p>`}</div>`
}

/** A surface that holds what belongs together. */
export function card(body: Part, { title, id }: { readonly title?: Part; readonly id?: string } = {}): Html {
  const head = title === undefined ? null : html`<h2 class="card-title">${title}</h2>`
  return html`<section class="card"${attributes({ id })}>${head}${body}</section>`
}

/** Buttons side by side, one below the other on a phone; the first is the one to press. */
export function actions(...buttons: readonly Part[]): Html {
  return html`<div class="actions">${buttons}</div>`
}

export type NoticeKind = 'info' | 'success' | 'warning' | 'error'

const noticeIcons: Readonly<Record<NoticeKind, IconName>> = {
  info: 'info',
  success: 'check',
  warning: 'warning',
  error: 'error',
}

/** Tells what happened; errors and warnings at once, to screen readers too. */
export function notice(kind: NoticeKind, body: Part, { title, id }: { title?: Part; id?: string } = {}): Html {
  const role = kind === 'error' || kind === 'warning' ? 'alert' : 'status'
  const head = title === undefined ? null : html`<p class="notice-title">${title}</p>`
  return html`<div${attributes({ class: `notice notice-${kind}`, role, id })}>${icon(noticeIcons[kind])}<div class="notice-words">${head}<div>${body}</div></div></div>`
}

/** What became of it all, at the top of a last page. */
export function outcome(kind: 'success' | 'waiting' | 'failed' | 'ended', title: Part, text?: Part): Html {
  const spinner = html`<span class="spinner"></span>`
  const shown = { success: icon('check'), waiting: spinner, failed: icon('error'), ended: icon('info') }
  const lead = text === undefined ? null : html`<p class="lead">${text}</p>`
  return html`<div class="outcome outcome-${kind}"><div class="outcome-mark" aria-hidden="true">${shown[kind]}</div><h1>${title}</h1>${lead}</div>`
}

/** One large number and what it is. */
export function figure(label: Part, value: Part, note?: Part): Html {
  return html`<div class="headline"><p class="headline-label">${label}</p><p class="headline-value">${value}</p>${
    note === undefined ? null : html`<p class="headline-note">${note}</p>`
  }</div>`
}

export interface SummaryRow {
  readonly label: Part
  readonly value: Part
  /** The row that the others add up to. */
  readonly strong?: boolean
}

/** Names and values, as on a receipt. */
export function summary(rows: readonly (SummaryRow | null)[]): Html {
  const shown = rows.map((row) =>
    row === null
      ? null
      : html`<div${attributes({ class: row.strong === true ? 'summary-total' : null })}><dt>${row.label}</dt><dd>${row.value}</dd></div>`,
  )
  return html`<dl class="summary">${shown}</dl>`
}

const stepTexts = {
  progress: { en: 'Progress', ar: 'التقدّم' },
  done: { en: 'done', ar: 'تم' },
} as const satisfies Record<string, LocalText>

/** Where the reader is: `current` counts from 0. */
export function steps(current: number, names: readonly string[], locale: Locale): Html {
  const items = names.map((name, index) => {
    const state = index < current ? 'done' : index === current ? 'now' : 'next'
    const said = state === 'done' ? html`<span class="unseen"> (${stepTexts.done[locale]})</span>` : null
    return html`<li class="step-${state}"${attributes({ 'aria-current': state === 'now' ? 'step' : null })}><span class="step-name">${name}${said}</span></li>`
  })
  return html`<ol class="steps" aria-label="${stepTexts.progress[locale]}">${items}</ol>`
}

export interface ListItem {
  readonly title: Part
  readonly text?: Part
  /** At the far end, such as an amount. */
  readonly aside?: Part
  /** Below the aside, small. */
  readonly note?: Part
  readonly icon?: IconName
  readonly href?: string
}

/** Things of one kind, one below the other: the movements of a wallet. */
export function list(items: readonly ListItem[]): Html {
  return html`<ul class="list">${items.map((item) => html`<li>${listItem(item)}</li>`)}</ul>`
}

function listItem({ title, text, aside, note, icon: name, href }: ListItem): Html {
  const words = html`<span class="list-words"><span class="list-title">${title}</span>${
    text === undefined ? null : html`<span class="list-text">${text}</span>`
  }</span>`
  const end = html`<span class="list-end">${aside === undefined ? null : html`<span class="list-aside">${aside}</span>`}${
    note === undefined ? null : html`<span class="list-text">${note}</span>`
  }</span>`
  const body = html`${name === undefined ? null : html`<span class="list-icon">${icon(name)}</span>`}${words}${end}`
  return href === undefined
    ? html`<div class="list-row">${body}</div>`
    : html`<a class="list-row" href="${href}">${body}</a>`
}

export interface Table {
  readonly caption: Part
  /** Whether the caption is for screen readers alone. */
  readonly caption_hidden?: boolean
  readonly head: readonly { readonly title: Part; readonly numeric?: boolean }[]
  readonly rows: readonly (readonly Part[])[]
  readonly foot?: readonly Part[]
}

/** Rows and columns; a narrow screen scrolls the table and not the page. */
export function table({ caption, caption_hidden, head, rows, foot }: Table): Html {
  const cell = (part: Part, index: number): Html =>
    html`<td${attributes({ class: head[index]?.numeric === true ? 'numeric' : null })}>${part}</td>`
  const titles = head.map(
    ({ title, numeric }) =>
      html`<th scope="col"${attributes({ class: numeric === true ? 'numeric' : null })}>${title}</th>`,
  )
  return html`<div class="table" tabindex="0" role="group"><table><caption${attributes({ class: caption_hidden === true ? 'unseen' : null })}>${caption}</caption>
<thead><tr>${titles}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>${
    foot === undefined ? null : html`<tfoot><tr>${foot.map(cell)}</tr></tfoot>`
  }</table></div>`
}

/** Where there is nothing yet: why, and what to do. */
export function emptyState(title: Part, text: Part, action?: Part): Html {
  return html`<div class="empty">${icon('points')}<p class="empty-title">${title}</p><p>${text}</p>${action ?? null}</div>`
}

export interface FieldMistake {
  /** The name of the field. */
  readonly field: string
  readonly text: Part
}

const mistakeTitle: LocalText = { en: 'Please check what you entered', ar: 'راجع ما أدخلته من فضلك' }

/** All that is wrong with a form, above it, with a way to each field. It has the focus when the page opens. */
export function errorSummary(mistakes: readonly FieldMistake[], locale: Locale): Html | null {
  if (mistakes.length === 0) return null
  const items = mistakes.map(({ field, text }) => html`<li><a href="#${fieldId(field)}">${text}</a></li>`)
  return html`<div class="notice notice-error" role="alert" tabindex="-1" autofocus>${icon('error')}<div class="notice-words"><p class="notice-title">${mistakeTitle[locale]}</p><ul>${items}</ul></div></div>`
}

/** A detail that not everybody needs. */
export function details(title: Part, body: Part): Html {
  return html`<details class="details"><summary>${title}</summary><div>${body}</div></details>`
}

/** The same page in the other language; `query` is that of the request, which is kept. */
export function languageSwitch(locale: Locale, query: Readonly<Record<string, string>> = {}): Html {
  const other = locale === 'ar' ? 'en' : 'ar'
  const href = `?${new URLSearchParams({ ...query, lang: other })}`
  return other === 'ar'
    ? html`<a class="language" href="${href}" lang="ar" dir="rtl" hreflang="ar">العربية</a>`
    : html`<a class="language" href="${href}" lang="en" dir="ltr" hreflang="en">English</a>`
}

const sandboxText: LocalText = {
  en: 'Sandbox: nothing is charged',
  ar: 'بيئة تجريبية: لا يُخصم أي مبلغ',
}

/** Above every page of a sandbox. */
export function sandboxBanner(locale: Locale, more: Part = null): Html {
  return html`<p class="banner"><strong>${sandboxText[locale]}</strong>${more === null ? null : html` ${more}`}</p>`
}
