import { randomBytes } from 'node:crypto'
import { directionOf, type Locale } from '../../domain/locale.ts'
import type { Operator } from '../../domain/operator.ts'
import type { Page } from '../../http/pages/page.ts'
import { catalogue } from '../texts/catalogue.ts'
import { assetUrl } from './assets.ts'
import { type Brand, brandHeader, brandStyle } from './brand.ts'
import { languageSwitch, notice } from './components.ts'
import { type Html, html, Html as Raw } from './html.ts'
import { icon, nuqtaMark } from './icons.ts'
import { operatorLine } from './operator.ts'

export interface Content {
  readonly status: number
  readonly locale: Locale
  readonly title: string
  /** The content of `main`, with the page's only `h1`. */
  readonly body: Html
  /** The merchant's brand; by default, the product's own. */
  readonly brand?: Brand | undefined
  /** Above everything, such as the sandbox banner. */
  readonly banner?: Html | undefined
  /** Names of scripts in src/browser/. Every page works without them. */
  readonly scripts?: readonly string[]
  /** Other origins that a form may lead to, such as a payment provider's. */
  readonly formTo?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** A link above the heading. */
  readonly back?: { readonly href: string; readonly label: string } | undefined
  /** The query of the request, which the language switch keeps. */
  readonly query?: Readonly<Record<string, string>>
  /** `wide` is for tables; in `full`, each section has a width of its own. */
  readonly width?: 'column' | 'wide' | 'full' | undefined
  /** The common stylesheet of the page. */
  readonly stylesheet?: 'nuqta.css' | 'docs.css'
  /** Who runs the service or the program, for the footer. */
  readonly operator?: Operator | undefined
  /** The program of the page: its name stands in the header of a page without a brand. */
  readonly program?: { readonly id: string | undefined; readonly name: string | null } | undefined
  /** Names of stylesheets besides the common one. */
  readonly styles?: readonly string[]
  /** What other programs show beside a link to the page. */
  readonly preview?: Preview | undefined
  /** Lets search engines list the page. */
  readonly indexed?: boolean
  /** Tabs between related pages. */
  readonly navigation?: Html | undefined
  /** Shown in a frame of the dashboard: nothing on it can be sent. */
  readonly framed?: boolean | undefined
  /** Has our widget, whose card is a frame. */
  readonly widget?: boolean | undefined
  /** Redirect for browsers without scripts. With scripts, the page redirects itself, and the reader can stop it. */
  readonly refresh?: { readonly after_s: number; readonly to: string } | undefined
}

export interface Preview {
  /** The page's own link, with its host. */
  readonly url: string
  readonly description: string
}

const { frame: texts } = catalogue.frame

/** A page in the layout that all hosted pages share. */
export function layout(content: Content): Page {
  const { locale, body, brand, banner, back, width = 'column' } = content
  const head =
    brand === undefined
      ? html`<div class="brand">${nuqtaMark}<span class="brand-name"><bdi>${content.program?.name ?? texts.product[locale]}</bdi></span></div>`
      : brandHeader(brand)
  const back_link =
    back === undefined ? null : html`<a class="back" href="${back.href}">${icon('back')}<span>${back.label}</span></a>`
  return documentPage({
    ...content,
    stylesheets: [content.stylesheet ?? 'nuqta.css', ...(content.styles ?? [])],
    preload: fontsOf(locale),
    body: html`<a class="skip" href="#content">${texts.skip[locale]}</a>
<header class="top">${banner ?? null}<div class="top-row">${head}${languageSwitch(locale, content.query)}</div>${content.navigation ?? null}</header>
<main id="content" class="${width}">
${back_link}
${body}
${content.scripts?.includes('forms') === true ? offlineNotice(locale) : null}
</main>
<footer class="foot">${footer(content)}</footer>`,
  })
}

/** A script shows it when a form is sent without a network. */
function offlineNotice(locale: Locale): Html {
  return html`<template data-offline><div class="offline">${notice('warning', texts.offline[locale])}</div></template>`
}

/** Who runs the program, where questions and complaints go, and what is kept of whom. */
function footer({ locale, operator, program }: Content): Html {
  const line = operator === undefined ? null : operatorLine(operator)
  const ask = operator === undefined || operator.contact === null ? null : texts.complaints[locale]
  const of_program = program?.id === undefined ? '' : `?${new URLSearchParams({ program: program.id, begins: locale })}`
  return html`${line === null ? null : html`<p>${ask === null ? null : html`${ask} `}${line}</p>`}
<p><a href="/terms${of_program}">${texts.terms[locale]}</a> · <a href="/wallet/data${of_program}">${texts.data[locale]}</a></p>
<p class="foot-line">${nuqtaMark}<span>${texts.foot[locale]}</span></p>`
}

export interface Document
  extends Pick<
    Content,
    | 'status'
    | 'locale'
    | 'title'
    | 'brand'
    | 'scripts'
    | 'formTo'
    | 'headers'
    | 'refresh'
    | 'preview'
    | 'indexed'
    | 'framed'
    | 'widget'
  > {
  /** Names of assets. */
  readonly stylesheets: readonly string[]
  /** Fonts to preload. */
  readonly preload?: readonly string[]
  readonly body: Html
}

/** A bare page. It loads only its own stylesheet, fonts and scripts, all from this service. */
function documentPage(document: Document): Page {
  const { status, locale, title, body, stylesheets, scripts = [], preload = [], brand } = document
  const nonce = typeof brand?.colour === 'string' ? randomBytes(16).toString('base64') : undefined
  const brand_style =
    nonce === undefined || typeof brand?.colour !== 'string'
      ? null
      : html`<style nonce="${nonce}">${new Raw(brandStyle(brand.colour))}</style>`
  const page = html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${document.indexed === true ? null : html`<meta name="robots" content="noindex">`}
<meta name="color-scheme" content="light dark">
${themeColours(document)}
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
${refreshOf(document)}
${previewOf(document)}
${stylesheets.map((name) => html`<link rel="stylesheet" href="${assetUrl(name)}">`)}
${brand_style}
${preload.map((font) => html`<link rel="preload" as="font" type="font/woff2" crossorigin href="${assetUrl(font)}">`)}
<link rel="icon" type="image/svg+xml" href="${assetUrl('favicon.svg')}">
<link rel="apple-touch-icon" href="${assetUrl('touch.png')}">
${scripts.map((name) => html`<script type="module" src="${assetUrl(`${name}.js`)}"></script>`)}
</head>
<body>
${body}
</body>
</html>
`
  return {
    status,
    body: page.text,
    headers: { 'content-language': locale, 'content-security-policy': policyOf(document, nonce), ...document.headers },
  }
}

function refreshOf({ refresh }: Document): Html | null {
  if (refresh === undefined) return null
  return html`<noscript><meta http-equiv="refresh" content="${refresh.after_s}; url=${refresh.to}"></noscript>`
}

/** What other programs show beside a link. The picture is the same for every page. */
function previewOf({ preview, title, locale }: Document): Html | null {
  if (preview === undefined) return null
  const { url, description } = preview
  const picture = new URL(assetUrl('preview.png'), url).href
  const property = (name: string, content: string): Html => html`<meta property="og:${name}" content="${content}">\n`
  return html`<meta name="description" content="${description}">
${property('type', 'website')}${property('site_name', texts.product[locale])}${property('title', title)}${property('description', description)}${property('url', url)}${property('locale', locale === 'ar' ? 'ar_SA' : 'en')}${property('image', picture)}${property('image:width', '1200')}${property('image:height', '630')}<meta name="twitter:card" content="summary_large_image">`
}

/** The colour that a browser gives its own bars: the line along the header, and the header itself in the dark. */
function themeColours({ brand }: Document): Html {
  const light = brand?.colour ?? product_colour
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark_header}">`
}

/** The same as in `tokens.css`. */
const product_colour = '#0b6b4f'
const dark_header = '#1a201d'

function fontsOf(locale: Locale): string[] {
  // Digits are Latin in both languages.
  const subsets = locale === 'ar' ? ['arabic', 'latin'] : ['latin']
  return subsets.flatMap((subset) => [`plex-${subset}-400.woff2`, `plex-${subset}-600.woff2`])
}

function policyOf({ scripts = [], formTo = [], framed, widget }: Document, nonce: string | undefined): string {
  return [
    "default-src 'none'",
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "font-src 'self'",
    "img-src 'self' data:",
    ...(scripts.length === 0 ? [] : ["script-src 'self'", "connect-src 'self'"]),
    ...(widget === true ? ["frame-src 'self'"] : []),
    framed === true ? "form-action 'none'" : ["form-action 'self'", ...formTo].join(' '),
    "base-uri 'none'",
    `frame-ancestors ${framed === true ? "'self'" : "'none'"}`,
  ].join('; ')
}
