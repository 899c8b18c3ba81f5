import type { LocalText } from '../../domain/locale.ts'
import type { Page, PageRequest } from '../../http/pages/page.ts'
import { sandboxBanner } from '../design/components.ts'
import { attributes, type Html, html } from '../design/html.ts'
import { type IconName, icon } from '../design/icons.ts'
import { layout } from '../design/layout.ts'
import { walletLink } from './links.ts'
import { texts } from './texts.ts'

export type WalletPlace = 'wallet' | 'statement' | 'data'

const places: readonly (readonly [WalletPlace, string, LocalText, IconName])[] = [
  ['wallet', '/wallet', texts.home, 'points'],
  ['statement', '/wallet/statement', texts.statement, 'print'],
  ['data', '/wallet/data', texts.data, 'person'],
]

export interface WalletPage {
  readonly title: string
  readonly body: Html
  readonly sandbox: boolean
  readonly status?: number
  /** Whether something is wrong with what was sent: the title says so first. */
  readonly wrong?: boolean
  /** Where the reader is among the pages of the wallet; null where there is nowhere to go yet. */
  readonly current: WalletPlace | null
  readonly width?: 'column' | 'wide'
  readonly scripts?: readonly string[]
  /** What the language switch keeps of the query; all of it unless given. */
  readonly query?: Readonly<Record<string, string>>
}

/** A page of the wallet in the frame of all pages. */
export function walletPage(request: PageRequest, page: WalletPage): Page {
  const { locale, query } = request
  const { title, body, current, sandbox, wrong = false, status = 200, width = 'column', scripts = ['forms'] } = page
  return layout({
    status,
    locale,
    title: [...new Set([wrong ? `${texts.error[locale]}: ${title}` : title, texts.wallet[locale]])].join(' · '),
    body,
    width,
    scripts,
    query: page.query ?? query,
    banner: sandbox ? sandboxBanner(locale) : undefined,
    navigation: current === null ? undefined : navigation(request, current),
  })
}

function navigation(request: PageRequest, current: WalletPlace): Html {
  const { locale } = request
  const items = places.map(([place, path, name, picture]) => {
    const here = attributes({ 'aria-current': place === current ? 'page' : null })
    return html`<li><a href="${walletLink(request, path)}"${here}>${icon(picture)}<span>${name[locale]}</span></a></li>`
  })
  return html`<nav aria-label="${texts.navigation[locale]}"><ul class="pages">${items}</ul></nav>`
}
