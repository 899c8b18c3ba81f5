import type { Locale } from '../../domain/locale.ts'
import type { Operator } from '../../domain/operator.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { card, heading } from '../design/components.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { operatorLine } from '../design/operator.ts'
import { catalogue } from '../texts/catalogue.ts'
import { walletLink, walletPage } from './frame.ts'
import { placeOf, readProgramOf, type WalletServices } from './session.ts'

const { data: texts, kept, notKept } = catalogue.wallet

const storedData = [
  [kept.identity, kept.identityWhy],
  [kept.consent, kept.consentWhy],
  [kept.purchases, kept.purchasesWhy],
  [kept.movements, kept.movementsWhy],
  [kept.checkouts, kept.checkoutsWhy],
  [kept.log, kept.logWhy],
  [kept.signIns, kept.signInsWhy],
  [kept.remembered, kept.rememberedWhy],
  [kept.shops, kept.shopsWhy],
] as const

const notStored = [notKept.cards, notKept.passwords, notKept.tracking]

/** `/wallet/data`: what the service stores about customers, and how to get it corrected or erased. The same for everyone. */
export const walletDataPage: PageRow<WalletServices> = {
  path: '/wallet/data',
  cookies: true,
  async show(request: PageRequest, services: WalletServices): Promise<Page> {
    const { locale } = request
    const place = placeOf(services, await readProgramOf(request, services))
    const body = html`${heading(texts.title[locale], texts.lead[locale])}
${card(
  html`<dl class="prose">${storedData.map(([name, why]) => html`<dt>${name[locale]}</dt><dd>${why[locale]}</dd>`)}</dl>`,
  { title: texts.kept[locale] },
)}
${card(html`<ul class="prose">${notStored.map((text) => html`<li>${text[locale]}</li>`)}</ul>`, { title: texts.not_kept[locale] })}
${card(html`<p>${texts.access[locale]}</p>`, { title: texts.who[locale] })}
${card(html`${asking(place.operator, locale)}<p>${texts.erased[locale]}</p><p><a class="alone" href="${walletLink(request, '/terms')}">${texts.terms[locale]}</a></p>`, { title: texts.rights[locale] })}`
    return walletPage(request, {
      place,
      title: texts.title[locale],
      current: 'data',
      body,
    })
  },
}

/** Where to ask: the operator, and without one the stores. */
function asking(operator: Operator, locale: Locale): Html {
  const line = operatorLine(operator)
  if (line === null) return html`<p>${texts.ask[locale]}</p>`
  return html`<p>${interpolate(texts.askOperator, locale, { operator: line })}</p><p>${texts.complain[locale]}</p>`
}
