import { parseUuid } from '../../domain/ids.ts'
import type { RememberedRow } from '../../features/otp/remembered-queries.ts'
import type { Page, PageRequest } from '../../http/pages/page.ts'
import { card } from '../design/components.ts'
import { button, form } from '../design/controls.ts'
import { moment } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { walletLink } from './frame.ts'
import { redirectToWallet, type Visit } from './session.ts'
import { rememberedTexts } from './texts.ts'

/** The browsers that a customer asked to be remembered, and their end (docs/decisions/0036-remembered-browsers.md). */

/** Null when no browser is remembered. */
export function rememberedCard(request: PageRequest, browsers: readonly RememberedRow[]): Html | null {
  if (browsers.length === 0) return null
  const { locale, csrf } = request
  const action = walletLink(request, '/wallet')
  const rows = browsers.map(({ remembered_uuid, device, used_at }) => {
    const name = device === null ? html`${rememberedTexts.unknown[locale]}` : html`<bdi>${device}</bdi>`
    const used = interpolate(rememberedTexts.used, locale, { when: moment(used_at, locale) })
    const label = html`${rememberedTexts.end[locale]}<span class="unseen">: ${name}</span>`
    return html`<li><div class="list-row"><span class="list-words"><span class="list-title">${name}</span><span class="list-text">${used}</span></span>${form(
      { action, csrf, hidden: { do: 'forget', browser: remembered_uuid } },
      button(label, { kind: 'secondary' }),
    )}</div></li>`
  })
  const all =
    browsers.length === 1
      ? null
      : form(
          { action, csrf, hidden: { do: 'forget-all' } },
          button(rememberedTexts.end_all[locale], { kind: 'secondary' }),
        )
  return card(html`<p>${rememberedTexts.why[locale]}</p><ul class="list">${rows}</ul>${all}`, {
    title: rememberedTexts.title[locale],
  })
}

/** Ends one of the customer's browsers, or all of them. */
async function endRemembered({ request, services, session }: Visit, which: 'one' | 'all'): Promise<void> {
  if (session === null || !session.proven) return
  const { program_id, phone, customer_id } = session
  if (which === 'all')
    await Promise.all([services.rememberedBrowsers.endAll({ program_id, phone }), services.cards.endAll(session)])
  const browser = parseUuid(request.form['browser'] ?? '')
  if (which === 'one' && customer_id !== null && browser !== null)
    await services.rememberedBrowsers.end(program_id, customer_id, [browser])
}

/** The action of a form that ends browsers. */
export function endingRemembered(which: 'one' | 'all'): (visit: Visit) => Promise<Page> {
  return async (visit) => {
    await endRemembered(visit, which)
    return redirectToWallet(visit)
  }
}
