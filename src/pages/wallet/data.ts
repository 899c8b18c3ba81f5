import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { card, heading } from '../design/components.ts'
import { html } from '../design/html.ts'
import { dataTexts, keptEntries, notKeptTexts, rightsTexts, whoText } from './data-texts.ts'
import { walletPage } from './frame.ts'
import { walletLink } from './links.ts'
import type { WalletServices } from './services.ts'

/** `/wallet/data`: what is kept about a customer, and how to have it corrected or erased. The same for everybody. */
export const walletDataPage: PageRow<WalletServices> = {
  path: '/wallet/data',
  cookies: true,
  async show(request: PageRequest, { environment }: WalletServices): Promise<Page> {
    const { locale } = request
    const body = html`${heading(dataTexts.title[locale], dataTexts.lead[locale])}
${card(
  html`<dl class="prose">${keptEntries.map(({ name, text }) => html`<dt>${name[locale]}</dt><dd>${text[locale]}</dd>`)}</dl>`,
  { title: dataTexts.kept[locale] },
)}
${card(html`<ul class="prose">${notKeptTexts.map((text) => html`<li>${text[locale]}</li>`)}</ul>`, { title: dataTexts.not_kept[locale] })}
${card(html`<p>${whoText[locale]}</p>`, { title: dataTexts.who[locale] })}
${card(html`${rightsTexts.map((text) => html`<p>${text[locale]}</p>`)}<p><a href="${walletLink(request, '/terms')}">${dataTexts.terms[locale]}</a></p>`, { title: dataTexts.rights[locale] })}`
    return walletPage(request, {
      sandbox: environment === 'sandbox',
      title: dataTexts.title[locale],
      current: 'data',
      body,
    })
  },
}
