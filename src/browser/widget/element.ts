import { css } from './css.ts'
import { type Merchant, merchantAt } from './merchant.ts'
import type { Locale } from './texts.ts'

/** Runs what must not disturb the shop's page. */
export const ignoreErrors = (work: () => void): void => {
  try {
    work()
  } catch {
    // The shop works without the widget.
  }
}

const style = (root: ShadowRoot): void => {
  try {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [sheet]
  } catch {
    // Browsers before 2023. The shop's policy must allow inline styles.
    root.append(Object.assign(document.createElement('style'), { textContent: css }))
  }
}

/** The script that loaded the widget. */
export const own =
  document.currentScript instanceof HTMLScriptElement
    ? document.currentScript
    : document.querySelector<HTMLScriptElement>('script[src*="/widget.js"]')

const live = new Set<NuqtaElement>()
export const refreshAll = (): void => {
  for (const one of live) one.refresh()
}

type Setting = 'key' | 'amount' | 'lang' | 'theme' | 'order'

/** What the elements share: their settings, and what the service says about the merchant. */
export abstract class NuqtaElement extends HTMLElement {
  static readonly observedAttributes = ['key', 'amount', 'lang', 'theme', 'order']

  /** The script whose attributes apply when the element has none. */
  source = own
  protected readonly box = document.createElement('div')

  constructor() {
    super()
    ignoreErrors(() => {
      const root = this.attachShadow({ mode: 'open' })
      style(root)
      this.box.hidden = true
      root.append(this.box)
    })
  }

  connectedCallback(): void {
    live.add(this)
    this.refresh()
  }

  disconnectedCallback(): void {
    live.delete(this)
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.refresh()
  }

  /** Shows what the current attributes say. */
  refresh(): void {
    ignoreErrors(() => {
      const { key } = this
      if (this.source === null || !key) return this.draw(null)
      merchantAt(this.urlOf(`widget/${encodeURIComponent(key)}`).href).then(
        (merchant) => {
          // Skip when the key has changed since.
          if (key === this.key) this.draw(merchant)
        },
        () => this.draw(null),
      )
    })
  }

  private draw(merchant: Merchant | null): void {
    ignoreErrors(() => {
      const shown = this.isConnected && merchant !== null && this.show(merchant)
      this.box.hidden = !shown
      if (!shown) return
      const { box, locale } = this
      const theme = this.setting('theme')
      box.lang = locale
      box.dir = locale === 'ar' ? 'rtl' : 'ltr'
      box.style.colorScheme = theme === 'light' || theme === 'dark' ? theme : ''
      this.paint(merchant)
    })
  }

  /** Shows the element's content; gives whether there is any. */
  protected abstract show(merchant: Merchant): boolean

  /** The merchant's colour, where there is one. */
  private paint({ colours }: Merchant): void {
    const both = typeof CSS !== 'undefined' && CSS.supports('color', 'light-dark(red,red)')
    for (const name of ['accent', 'fill', 'ink'] as const) {
      const [light, dark] = [colours?.light[name], colours?.dark[name]]
      this.box.style.setProperty(`--${name}`, light ? (both ? `light-dark(${light},${dark})` : light) : '')
    }
    this.box.toggleAttribute('data-brand', colours !== undefined)
  }

  protected get key(): string | undefined {
    return this.setting('key')
  }

  protected get locale(): Locale {
    const lang = this.setting('lang') ?? this.closest<HTMLElement>('[lang]')?.lang ?? document.documentElement.lang
    return /^ar\b/i.test(lang) ? 'ar' : 'en'
  }

  protected setting(name: Setting): string | undefined {
    return this.getAttribute(name) ?? this.source?.dataset[name]
  }

  protected urlOf(path: string): URL {
    return new URL(path, this.source?.src)
  }
}
