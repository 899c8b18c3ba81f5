import type { Locale, LocalText } from '../../domain/locale.ts'
import { terms } from '../../domain/terms.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { card, heading } from '../design/components.ts'
import { html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { layout } from '../design/layout.ts'

const texts = {
  version: { ar: 'الإصدار {version}، سارٍ منذ {month}', en: 'Version {version}, in force since {month}' },
} as const satisfies Record<string, LocalText>

/** `/terms`: the terms that customers agree to at onboarding (docs/spec/customers.md#onboarding). */
export const termsPage: PageRow<unknown> = {
  path: '/terms',
  cookies: true,
  async show({ locale, query }: PageRequest): Promise<Page> {
    const { title, lead, sections } = terms.texts[locale]
    const { version } = terms
    const parts = { version: html`<bdi dir="ltr">${version}</bdi>`, month: monthOf(version, locale) }
    const body = html`${heading(title, lead)}
<p class="hint">${interpolate(texts.version, locale, parts)}</p>
${sections.map((section) =>
  card(
    section.paragraphs.map((text) => html`<p>${text}</p>`),
    { title: section.title },
  ),
)}`
    return layout({ status: 200, locale, title, body, query })
  },
}

const months = {
  en: new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  ar: new Intl.DateTimeFormat('ar-u-ca-gregory-nu-latn', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
}

/** A version is the month in which it took effect: `YYYY-MM`. */
function monthOf(version: string, locale: Locale): string {
  return months[locale].format(new Date(`${version}-01T00:00:00Z`))
}
