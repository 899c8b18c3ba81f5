import { parseId } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import { type Operator, operatorOf } from '../../domain/operator.ts'
import type { TermsService } from '../../features/merchants/terms.ts'
import type { ProgramView, ReadProgram } from '../../features/wallet/service.ts'
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
  readonly programTerms: Pick<TermsService, 'read'>
  /** Who runs the deployment. */
  readonly operator: Operator
}

/** `/terms`: the terms that customers agree to (docs/spec/customers.md#terms). */
export const termsPage: PageRow<TermsServices> = {
  path: '/terms',
  cookies: true,
  async show({ locale, query }: PageRequest, services: TermsServices): Promise<Page> {
    const program = await programOf(query['program'], services)
    const operator = operatorFor(program, services)
    const {
      version,
      begins_on,
      texts: own,
    } = await services.programTerms.read(program?.program_id ?? null, query['version'])
    const { title, lead, sections } = own[locale]
    const since = begins_on === null ? monthOf(version, locale) : dates[locale].format(new Date(begins_on))
    const parts = { version: html`<bdi dir="ltr">${version}</bdi>`, month: since }
    const body = html`${heading(title, lead)}
<p class="hint">${interpolate(texts.version, locale, parts)}</p>
${sections.map((section) =>
  card(
    section.paragraphs.map((text) => html`<p>${text}</p>`),
    { title: section.title },
  ),
)}
${operatorCard(operator, locale)}`
    const of_program = { id: query['program'], name: null }
    return layout({ status: 200, locale, title, body, query, operator, program: of_program })
  },
}

/** The program that the query names; the first one without a name. */
function programOf(program: string | undefined, services: TermsServices): Promise<ProgramView | null> {
  return services.readProgram(parseId(program ?? ''))
}

function operatorFor(found: ProgramView | null, services: TermsServices): Operator {
  if (found === null) return services.operator
  return operatorOf({ name: found.operator_name, contact: found.operator_contact }, services.operator)
}

function operatorCard(operator: Operator, locale: Locale): Html | null {
  const line = operatorLine(operator)
  if (line === null) return null
  const ask = operator.contact === null ? null : html`<p>${texts.complaints[locale]}</p>`
  return card(html`<p>${line}</p>${ask}`, { title: texts.operator[locale] })
}

const months = {
  en: new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  ar: new Intl.DateTimeFormat('ar-u-ca-gregory-nu-latn', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
}

const dates = {
  en: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }),
  ar: new Intl.DateTimeFormat('ar-u-ca-gregory-nu-latn', { dateStyle: 'long', timeZone: 'UTC' }),
}

/** A version of our own text is the month in which it took effect: `YYYY-MM`. */
function monthOf(version: string, locale: Locale): string {
  return months[locale].format(new Date(`${version}-01T00:00:00Z`))
}
