import { randomBytes } from 'node:crypto'
import type { Locale, LocalText } from '../../domain/locale.ts'
import type { Page } from '../../http/pages/page.ts'
import { assetUrl } from './assets.ts'
import { type Brand, brandHeader, brandStyle } from './brand.ts'
import { languageSwitch } from './components.ts'
import { type Html, html, Html as Raw } from './html.ts'
import { icon, nuqtaMark } from './icons.ts'

export interface Content {
  readonly status: number
  readonly locale: Locale
  readonly title: string
  /** What stands in `main`; its one `h1` is there. */
  readonly body: Html
  /** The merchant whose page it is; without it, the product's own. */
  readonly brand?: Brand | undefined
  /** Above everything: that this is a sandbox. */
  readonly banner?: Html | undefined
  /** Names of scripts in `src/browser/`; every page works without them. */
  readonly scripts?: readonly string[]
  /** Origins that a form of this page may end at, such as a payment provider's. */
  readonly formTo?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** The way back, above the heading. */
  readonly back?: { readonly href: string; readonly label: string } | undefined
  /** The query of the request, which the language switch keeps. */
  readonly query?: Readonly<Record<string, string>>
  /** `wide` for tables; a column for one hand otherwise. */
  readonly width?: 'column' | 'wide'
  /** Links between the pages of a wallet or of a dashboard. */
  readonly navigation?: Html | undefined
  /** Where a browser without scripts goes by itself; a script of the page does it otherwise, and can be stopped. */
  readonly refresh?: { readonly after_s: number; readonly to: string } | undefined
}

const texts = {
  skip: { en: 'Skip to the content', ar: 'انتقل إلى المحتوى' },
  product: { en: 'Nuqta', ar: 'نُقطة' },
  foot: { en: 'Loyalty points by Nuqta', ar: 'نقاط الولاء من نُقطة' },
} as const satisfies Record<string, LocalText>

/** A whole page in the frame that all hosted pages share. */
export function layout(content: Content): Page {
  const { locale, body, brand, banner, back, width = 'column' } = content
  const head =
    brand === undefined
      ? html`<div class="brand">${nuqtaMark}<span class="brand-name">${texts.product[locale]}</span></div>`
      : brandHeader(brand)
  const way =
    back === undefined ? null : html`<a class="back" href="${back.href}">${icon('back')}<span>${back.label}</span></a>`
  return documentPage({
    ...content,
    stylesheet: 'nuqta.css',
    preload: fontsOf(locale),
    body: html`<a class="skip" href="#content">${texts.skip[locale]}</a>
<header class="top">${banner ?? null}<div class="top-row">${head}${languageSwitch(locale, content.query)}</div>${content.navigation ?? null}</header>
<main id="content" class="${width}">
${way}
${body}
</main>
<footer class="foot">${nuqtaMark}<span>${texts.foot[locale]}</span></footer>`,
  })
}

export interface Document
  extends Pick<Content, 'status' | 'locale' | 'title' | 'brand' | 'scripts' | 'formTo' | 'headers' | 'refresh'> {
  /** The name of the asset. */
  readonly stylesheet: string
  /** Names of the fonts that the first lines need. */
  readonly preload?: readonly string[]
  /** What stands in `body`. */
  readonly body: Html
}

/** A page without the frame: nothing but its own stylesheet, fonts and scripts, and no request to anybody else. */
export function documentPage(document: Document): Page {
  const { status, locale, title, body, stylesheet, scripts = [], preload = [], brand } = document
  const nonce = typeof brand?.colour === 'string' ? randomBytes(16).toString('base64') : undefined
  const ours =
    nonce === undefined || typeof brand?.colour !== 'string'
      ? null
      : html`<style nonce="${nonce}">${new Raw(brandStyle(brand.colour))}</style>`
  const whole = html`<!doctype html>
<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
${refreshOf(document)}
<link rel="icon" type="image/svg+xml" href="${assetUrl('favicon.svg')}">
${preload.map((font) => html`<link rel="preload" as="font" type="font/woff2" crossorigin href="${assetUrl(font)}">`)}
<link rel="stylesheet" href="${assetUrl(stylesheet)}">
${ours}
${scripts.map((name) => html`<script type="module" src="${assetUrl(`${name}.js`)}"></script>`)}
</head>
<body>
${body}
</body>
</html>
`
  return {
    status,
    body: whole.text,
    headers: { 'content-language': locale, 'content-security-policy': policyOf(document, nonce), ...document.headers },
  }
}

function refreshOf({ refresh }: Document): Html | null {
  if (refresh === undefined) return null
  return html`<noscript><meta http-equiv="refresh" content="${refresh.after_s}; url=${refresh.to}"></noscript>`
}

function fontsOf(locale: Locale): string[] {
  const subset = locale === 'ar' ? 'arabic' : 'latin'
  return [`plex-${subset}-400.woff2`, `plex-${subset}-600.woff2`]
}

function policyOf({ scripts = [], formTo = [] }: Document, nonce: string | undefined): string {
  return [
    "default-src 'none'",
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "font-src 'self'",
    "img-src 'self' data:",
    ...(scripts.length === 0 ? [] : ["script-src 'self'", "connect-src 'self'"]),
    ["form-action 'self'", ...formTo].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
