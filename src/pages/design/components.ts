import type { Locale } from '../../domain/locale.ts'
import { catalogue } from '../texts/catalogue.ts'
import { fieldId } from './controls.ts'
import { attributes, type Html, html, type Part } from './html.ts'
import { type IconName, icon } from './icons.ts'

/** The components of pages. Their CSS uses logical properties, for both writing directions. */

/** The `h1` of a page with an optional lead. */
export function heading(title: Part, lead?: Part): Html {
  return html`<div class="heading"><h1>${title}</h1>${lead === undefined ? null : html`<p class="lead">${lead}</p>`}</div>`
}

/** A surface that groups content. */
export function card(body: Part, { title, id }: { readonly title?: Part; readonly id?: string } = {}): Html {
  const head = title === undefined ? null : html`<h2 class="card-title">${title}</h2>`
  return html`<section class="card"${attributes({ id })}>${head}${body}</section>`
}

/** Buttons side by side, stacked on a phone. The primary one comes first. */
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

/** A message. Screen readers announce errors and warnings at once. */
export function notice(kind: NoticeKind, body: Part, { title, id }: { title?: Part; id?: string } = {}): Html {
  const role = kind === 'error' || kind === 'warning' ? 'alert' : 'status'
  const head = title === undefined ? null : html`<p class="notice-title">${title}</p>`
  return html`<div${attributes({ class: `notice notice-${kind}`, role, id })}>${icon(noticeIcons[kind])}<div class="notice-words">${head}<div>${body}</div></div></div>`
}

/** The result of a process, with a large mark and the page's `h1`. */
export function outcome(kind: 'success' | 'waiting' | 'failed' | 'ended', title: Part, text?: Part): Html {
  const spinner = html`<span class="spinner"></span>`
  const shown = { success: icon('check'), waiting: spinner, failed: icon('error'), ended: icon('info') }
  const lead = text === undefined ? null : html`<p class="lead">${text}</p>`
  return html`<div class="outcome outcome-${kind}"><div class="outcome-mark" aria-hidden="true">${shown[kind]}</div><h1>${title}</h1>${lead}</div>`
}

/** One large number with its label. */
export function headline(label: Part, value: Part, note?: Part): Html {
  return html`<div class="headline"><p class="headline-label">${label}</p><p class="headline-value">${value}</p>${
    note === undefined ? null : html`<p class="headline-note">${note}</p>`
  }</div>`
}

export interface SummaryRow {
  readonly label: Part
  readonly value: Part
  /** For the total of the other rows. */
  readonly strong?: boolean
}

/** Labels and values, as on a receipt. */
export function summary(rows: readonly (SummaryRow | null)[]): Html {
  const shown = rows.map((row) =>
    row === null
      ? null
      : html`<div${attributes({ class: row.strong === true ? 'summary-total' : null })}><dt>${row.label}</dt><dd>${row.value}</dd></div>`,
  )
  return html`<dl class="summary">${shown}</dl>`
}

const { steps: stepTexts } = catalogue.frame

/** The steps of a process. `current` counts from 0. */
export function steps(current: number, names: readonly string[], locale: Locale): Html {
  const items = names.map((name, index) => {
    const state = index < current ? 'done' : index === current ? 'now' : 'next'
    const done = state === 'done' ? html`<span class="unseen"> (${stepTexts.done[locale]})</span>` : null
    return html`<li class="step-${state}"${attributes({ 'aria-current': state === 'now' ? 'step' : null })}><span class="step-name">${name}${done}</span></li>`
  })
  return html`<ol class="steps" aria-label="${stepTexts.progress[locale]}">${items}</ol>`
}

export interface ListItem {
  readonly title: Part
  readonly text?: Part
  /** At the end of the row, such as an amount. */
  readonly aside?: Part
  /** Small text below the aside. */
  readonly note?: Part
  readonly icon?: IconName
  readonly href?: string
}

/** A list of rows, such as the movements of a wallet. */
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
  /** True to show the caption to screen readers only. */
  readonly caption_hidden?: boolean
  readonly head: readonly { readonly title: Part; readonly numeric?: boolean }[]
  readonly rows: readonly (readonly Part[])[]
  readonly foot?: readonly Part[]
}

/** A table. On a narrow screen it scrolls by itself, the page does not. */
export function table({ caption, caption_hidden, head, rows, foot }: Table): Html {
  const cell = (part: Part, index: number): Html =>
    html`<td${attributes({ class: head[index]?.numeric === true ? 'numeric' : null })}>${part}</td>`
  const titles = head.map(
    ({ title, numeric }) =>
      html`<th scope="col"${attributes({ class: numeric === true ? 'numeric' : null })}>${title}</th>`,
  )
  const name = attributes({ 'aria-label': typeof caption === 'string' ? caption : null })
  return html`<div class="table" tabindex="0" role="group"${name}><table><caption${attributes({ class: caption_hidden === true ? 'unseen' : null })}>${caption}</caption>
<thead><tr>${titles}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>${
    foot === undefined ? null : html`<tfoot><tr>${foot.map(cell)}</tr></tfoot>`
  }</table></div>`
}

/** Shown in place of an empty list: why it is empty and what to do. */
export function emptyState(title: Part, text: Part, action?: Part): Html {
  return html`<div class="empty">${icon('points')}<p class="empty-title">${title}</p><p>${text}</p>${action ?? null}</div>`
}

export interface FieldError {
  /** The name of the field. */
  readonly field: string
  readonly text: Part
}

/** All errors of a form, with links to the fields. It stands above the form and takes the focus. */
export function errorSummary(errors: readonly FieldError[], locale: Locale): Html | null {
  if (errors.length === 0) return null
  const items = errors.map(({ field, text }) => html`<li><a href="#${fieldId(field)}">${text}</a></li>`)
  return html`<div class="notice notice-error" role="alert" tabindex="-1" autofocus>${icon('error')}<div class="notice-words"><p class="notice-title">${catalogue.frame.errors.title[locale]}</p><ul>${items}</ul></div></div>`
}

/** A section that starts collapsed. */
export function details(title: Part, body: Part): Html {
  return html`<details class="details"><summary>${title}</summary><div>${body}</div></details>`
}

/** A link to the same page in the other language. It keeps `query`, the request's query. */
export function languageSwitch(locale: Locale, query: Readonly<Record<string, string>> = {}): Html {
  const other = locale === 'ar' ? 'en' : 'ar'
  const href = `?${new URLSearchParams({ ...query, lang: other })}`
  return other === 'ar'
    ? html`<a class="language" href="${href}" lang="ar" dir="rtl" hreflang="ar">العربية</a>`
    : html`<a class="language" href="${href}" lang="en" dir="ltr" hreflang="en">English</a>`
}

/** The banner on every page of a sandbox. */
export function sandboxBanner(locale: Locale, more: Part = null): Html {
  return html`<p class="banner"><strong>${catalogue.frame.sandbox.banner[locale]}</strong>${more === null ? null : html` ${more}`}</p>`
}
