import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { card, heading } from '../design/components.ts'
import { html } from '../design/html.ts'
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
    const program = await readProgramOf(request, services)
    const body = html`${heading(texts.title[locale], texts.lead[locale])}
${card(
  html`<dl class="prose">${storedData.map(([name, why]) => html`<dt>${name[locale]}</dt><dd>${why[locale]}</dd>`)}</dl>`,
  { title: texts.kept[locale] },
)}
${card(html`<ul class="prose">${notStored.map((text) => html`<li>${text[locale]}</li>`)}</ul>`, { title: texts.not_kept[locale] })}
${card(html`<p>${texts.access[locale]}</p>`, { title: texts.who[locale] })}
${card(html`${[texts.ask, texts.erased].map((text) => html`<p>${text[locale]}</p>`)}<p><a href="${walletLink(request, '/terms')}">${texts.terms[locale]}</a></p>`, { title: texts.rights[locale] })}`
    return walletPage(request, {
      place: placeOf(services, program),
      title: texts.title[locale],
      current: 'data',
      body,
    })
  },
}
