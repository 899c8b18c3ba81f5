import { createHash } from 'node:crypto'
import type { Locale } from '../http/locale.ts'
import type { Page } from '../http/pages.ts'
import { Html, html } from './html.ts'

export interface Content {
  readonly status: number
  readonly locale: Locale
  readonly title: string
  /** The stylesheet, of our own alone. */
  readonly style: string
  readonly body: Html
}

/** A whole page: no script, no request to anybody, no style but the one it carries. */
export function layout({ status, locale, title, style, body }: Content): Page {
  const document = html`<!doctype html>
<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`
  return {
    status,
    body: document.text,
    headers: { 'content-language': locale, 'content-security-policy': policyFor(style) },
  }
}

const policies = new Map<string, string>()

/** Nothing is allowed but the one stylesheet, by its hash. */
function policyFor(style: string): string {
  const known = policies.get(style)
  if (known !== undefined) return known
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  policies.set(style, policy)
  return policy
}
