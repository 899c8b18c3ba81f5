import { directionOf, type Locale } from '../../domain/locale.ts'
import type { Operator } from '../../domain/operator.ts'
import type { Page } from '../../http/pages/page.ts'
import { type Html, html } from '../design/html.ts'
import { layout } from '../design/layout.ts'
import { type Entry, sectionsOf } from './library.ts'
import { type Group, groups, texts } from './texts.ts'

interface Library {
  readonly entries: readonly Entry[]
  readonly locale: Locale
  /** Who runs the deployment. */
  readonly operator: Operator
}

/** A page of the documentation: navigation and search beside its text, its headings, and its neighbours. */
export function entryPage(entry: Entry, library: Library): Page {
  const { locale } = library
  const { language, html: content } = entry.render(locale)
  const direction = html`lang="${language}" dir="${directionOf(language)}"`
  const contents = sectionsOf(content).filter(({ level }) => level === 2)
  const links = contents.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  const toc = html`<nav class="docs-contents" aria-label="${texts.contents[locale]}"><p>${texts.contents[locale]}</p>
<ul ${direction}>${links}</ul></nav>`
  const body = html`<article class="guide" ${direction} data-copy="${texts.copy[locale]}" data-copied="${texts.copied[locale]}">${content}</article>
${links.length > 1 ? toc : null}
${neighbours(entry, library)}`
  return frame(`${entry.title[locale]} · ${texts.title[locale]}`, body, library, entry.slug)
}

/** `/docs`: every page under its group. */
export function homePage(library: Library): Page {
  const { locale, entries } = library
  const group = (name: Group): Html => html`<section class="docs-group"><h2>${texts[name][locale]}</h2>
<ul>${entries.filter((one) => one.group === name).map((one) => html`<li>${link(one, locale)}</li>`)}</ul>
${name === 'api' ? html`<p><a href="/api/openapi.json">${texts.file[locale]}</a></p>` : null}</section>`
  const body = html`<div class="docs-home"><h1>${texts.title[locale]}</h1>
<p>${texts.lead[locale]} ${texts.english[locale]}</p>
<div class="docs-groups">${groups.map(group)}</div></div>`
  return frame(texts.title[locale], body, library, '')
}

function frame(title: string, body: Html, { entries, locale, operator }: Library, slug: string): Page {
  return layout({
    status: 200,
    locale,
    title,
    operator,
    width: 'full',
    stylesheet: 'docs.css',
    scripts: ['docs'],
    body: html`<div class="docs"><div class="docs-side">${search(locale)}${navigation(entries, locale, slug)}</div>
<div class="docs-main">${body}</div></div>`,
  })
}

/** Hidden until the script is there, which does the search. */
function search(locale: Locale): Html {
  return html`<div class="docs-search" role="search" hidden data-search="/docs/search.json" data-query="?lang=${locale}" data-none="${texts.none[locale]}">
<label for="docs-search">${texts.search[locale]}</label>
<input id="docs-search" type="search" enterkeyhint="search" autocapitalize="none" autocomplete="off" maxlength="100">
<p class="unseen" role="status"></p><ul aria-label="${texts.found[locale]}" hidden></ul></div>`
}

/** Folded on a phone, where it would stand before the text. */
function navigation(entries: readonly Entry[], locale: Locale, slug: string): Html {
  const group = (name: Group): Html => html`<p>${texts[name][locale]}</p>
<ul>${entries.filter((one) => one.group === name).map((one) => html`<li>${link(one, locale, one.slug === slug)}</li>`)}</ul>`
  return html`<details class="docs-pages" open><summary>${texts.pages[locale]}</summary>
<nav aria-label="${texts.pages[locale]}"><ul><li><a href="/docs?lang=${locale}"${slug === '' ? html` aria-current="page"` : null}>${texts.start[locale]}</a></li></ul>
${groups.map(group)}</nav></details>`
}

function link({ slug, title }: Entry, locale: Locale, current = false): Html {
  return html`<a href="/docs/${slug}?lang=${locale}"${current ? html` aria-current="page"` : null}>${title[locale]}</a>`
}

function neighbours(entry: Entry, { entries, locale }: Library): Html {
  const at = entries.indexOf(entry)
  const step = (one: Entry | undefined, label: string, rel: string): Html | null =>
    one === undefined
      ? null
      : html`<a rel="${rel}" href="/docs/${one.slug}?lang=${locale}"><small>${label}</small> ${one.title[locale]}</a>`
  return html`<nav class="docs-neighbours" aria-label="${texts.previous[locale]}, ${texts.next[locale]}">
${step(entries[at - 1], texts.previous[locale], 'prev')}${step(entries[at + 1], texts.next[locale], 'next')}</nav>`
}
