import type { Locale } from '../../domain/locale.ts'
import { type Operator, operatorOf } from '../../domain/operator.ts'
import { terms } from '../../domain/terms.ts'
import type { ReadProgram } from '../../features/wallet/service.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { card, heading } from '../design/components.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { layout } from '../design/layout.ts'
import { operatorLine } from '../design/operator.ts'
import { catalogue } from '../texts/catalogue.ts'

const texts = catalogue.identity.terms

export interface TermsServices {
  readonly readProgram: ReadProgram
  /** Who runs the deployment. */
  readonly operator: Operator
}

/** `/terms`: the terms that customers agree to at onboarding (docs/spec/customers.md#onboarding). */
export const termsPage: PageRow<TermsServices> = {
  path: '/terms',
  cookies: true,
  async show({ locale, query }: PageRequest, services: TermsServices): Promise<Page> {
    const operator = await operatorFor(query['program'], services)
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
)}
${operatorCard(operator, locale)}`
    return layout({ status: 200, locale, title, body, query, operator })
  },
}

/** The operator of the program that the query names; the deployment's without one. */
async function operatorFor(program: string | undefined, services: TermsServices): Promise<Operator> {
  const program_id = program !== undefined && /^[1-9][0-9]{0,14}$/.test(program) ? Number(program) : null
  const found = await services.readProgram(program_id)
  if (found === null) return services.operator
  return operatorOf({ name: found.operator_name, contact: found.operator_contact }, services.operator)
}

function operatorCard(operator: Operator, locale: Locale): Html | null {
  const line = operatorLine(operator)
  return line === null ? null : card(html`<p>${line}</p>`, { title: texts.operator[locale] })
}

const months = {
  en: new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  ar: new Intl.DateTimeFormat('ar-u-ca-gregory-nu-latn', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
}

/** A version is the month in which it took effect: `YYYY-MM`. */
function monthOf(version: string, locale: Locale): string {
  return months[locale].format(new Date(`${version}-01T00:00:00Z`))
}
