import type { LocalText } from '../../domain/locale.ts'
import type { Operator } from '../../domain/operator.ts'
import type { Page, PageRequest } from '../../http/pages/page.ts'
import { sandboxBanner } from '../design/components.ts'
import { button, form } from '../design/controls.ts'
import { attributes, type Html, html } from '../design/html.ts'
import { type IconName, icon } from '../design/icons.ts'
import { layout } from '../design/layout.ts'
import { texts } from './texts.ts'

export type WalletTab = 'wallet' | 'statement' | 'data'

const tabs: readonly (readonly [WalletTab, string, LocalText, IconName])[] = [
  ['wallet', '/wallet', texts.home, 'points'],
  ['statement', '/wallet/statement', texts.statement, 'document'],
  ['data', '/wallet/data', texts.data, 'person'],
]

/** What every wallet page says about its service. */
export interface WalletPlace {
  readonly sandbox: boolean
  /** Who runs the program. */
  readonly operator: Operator
  /** Null until somebody has named the program. */
  readonly program_name: string | null
}

export interface WalletPage {
  readonly title: string
  readonly body: Html
  readonly place: WalletPlace
  readonly status?: number
  /** True when the submitted form has errors: the title then begins with "Error". */
  readonly has_errors?: boolean
  /** The tab of this page; null before sign-in, when there are no tabs. */
  readonly current: WalletTab | null
  readonly width?: 'column' | 'wide'
  readonly scripts?: readonly string[]
  /** The query that the language switch keeps; the whole query by default. */
  readonly query?: Readonly<Record<string, string>>
}

/** Puts a wallet page into the common layout, with the tabs of the wallet. */
export function walletPage(request: PageRequest, page: WalletPage): Page {
  const { locale, query } = request
  const {
    title,
    body,
    current,
    place: { sandbox, operator, program_name },
    has_errors = false,
    status = 200,
    width = 'column',
    scripts = ['forms'],
  } = page
  return layout({
    status,
    locale,
    title: [...new Set([has_errors ? `${texts.error[locale]}: ${title}` : title, texts.wallet[locale]])].join(' · '),
    body,
    width,
    scripts,
    query: page.query ?? query,
    operator,
    program: { id: query['program'], name: program_name },
    banner: sandbox ? sandboxBanner(locale) : undefined,
    navigation: current === null ? undefined : navigation(request, current),
  })
}

function navigation(request: PageRequest, current: WalletTab): Html {
  const { locale } = request
  const items = tabs.map(([tab, path, name, icon_name]) => {
    const aria = attributes({ 'aria-current': tab === current ? 'page' : null })
    return html`<li><a href="${walletLink(request, path)}"${aria}>${icon(icon_name)}<span>${name[locale]}</span></a></li>`
  })
  return html`<nav aria-label="${texts.navigation[locale]}"><ul class="pages">${items}</ul></nav>`
}

type Query = Readonly<Record<string, string>>

/**
 * A link to a wallet page or the terms. It keeps the language in which the wallet began, and `program` of the query; without
 * that, the deployment's first program is meant.
 */
export function walletLink({ query }: Pick<PageRequest, 'query'>, path: string, extra: Query = {}): string {
  const { program, begins } = query
  const kept = { ...(program === undefined ? {} : { program }), ...(begins === undefined ? {} : { begins }) }
  const search = new URLSearchParams({ ...kept, ...extra }).toString()
  return search === '' ? path : `${path}?${search}`
}

/** The button that signs out, in the wallet and where the consent is asked for. */
export function signOutForm(request: Pick<PageRequest, 'query' | 'locale' | 'csrf'>): Html {
  const { locale, csrf } = request
  return form(
    { action: walletLink(request, '/wallet'), csrf, hidden: { do: 'sign-out' } },
    button(texts.sign_out[locale], { kind: 'quiet', icon: 'out' }),
  )
}
