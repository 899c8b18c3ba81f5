// The widget that shows in a shop what a purchase earns (docs/widget.md). A classic script in one block: it adds no global
// name to the shop's page, and its errors do not reach the page.

{
  const tag = 'nuqta-earn'
  const max_halalas = 999_999_999_999

  /** The amount in halalas, as the service reads it: rounded half up by its decimal text. Null when it is not an amount. */
  const toHalalas = (text: string): number | null => {
    const plain = text
      .trim()
      .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
      .replace('\u066b', '.')
      .replace(/\u066c/g, ',')
    if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(plain)) return null
    const sar = Number(plain.replace(/,/g, ''))
    if (sar < 0.005 || sar > 1e10) return sar < 0.005 ? 0 : null
    const [whole = '', fraction = ''] = String(sar).split('.')
    const halalas = Number(whole + fraction.slice(0, 2).padEnd(2, '0')) + (Number(fraction[2]) >= 5 ? 1 : 0)
    return halalas <= max_halalas ? halalas : null
  }

  /** The points that the service awards: rounded down, and exact beyond 2^53. */
  const toPoints = (halalas: number, points_per_sar: number): number => {
    const rate = Math.round(points_per_sar * 10_000)
    const product = halalas * rate
    return product <= Number.MAX_SAFE_INTEGER
      ? (product - (product % 1_000_000)) / 1_000_000
      : Number((BigInt(halalas) * BigInt(rate)) / BigInt(1_000_000))
  }

  type Locale = 'ar' | 'en'

  /** Texts by plural form. `#` is the number. */
  const texts: Record<Locale, Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }> = {
    en: { one: 'Earn # point', other: 'Earn # points' },
    ar: { one: 'اكسب نقطة واحدة', two: 'اكسب نقطتين', few: 'اكسب # نقاط', other: 'اكسب # نقطة' },
  }

  const textOf = (points: number, locale: Locale): string => {
    const text = texts[locale][new Intl.PluralRules(locale).select(points)] ?? texts[locale].other
    const numbers = new Intl.NumberFormat(locale === 'ar' ? 'ar-u-nu-latn' : 'en')
    return text.replace('#', numbers.format(points))
  }

  const rates = new Map<string, Promise<number>>()

  /** Points per SAR; 0 when nothing is earned or the key is unknown. Fetched once per URL, and again after a failure. */
  const rateAt = (url: string): Promise<number> => {
    const known = rates.get(url)
    if (known !== undefined) return known
    const fetched = fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' })
      .then((answer) => answer.json())
      .then(({ earns, points_per_sar }) => (earns === true ? Number(points_per_sar) : 0))
    rates.set(url, fetched)
    fetched.catch(() => rates.delete(url))
    return fetched
  }

  const ignoreErrors = (work: () => void): void => {
    try {
      work()
    } catch {
      // The shop works without the widget.
    }
  }

  // `!important` inside a shadow root wins over the shop's styles of the host.
  const css = `:host{all:initial!important;display:contents!important;color-scheme:inherit!important}
:host([hidden]),div[hidden]{display:none!important}
div{display:inline-block;max-inline-size:100%;margin-block:2px;vertical-align:middle}
span{display:inline-flex;align-items:center;gap:.5em;padding:.3em .8em;border:1px solid transparent;border-radius:1.2em;
font:600 max(14px,.875rem)/1.45 system-ui,"Segoe UI","Noto Sans Arabic",Tahoma,sans-serif;
color:#0a5a42;background:#e6f3ed;color:light-dark(#0a5a42,#a6e4cc);background:light-dark(#e6f3ed,#15352a)}
span::before{content:"";flex:none;inline-size:.5em;block-size:.5em;border-radius:50%;background:currentColor}`

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

  const own =
    document.currentScript instanceof HTMLScriptElement
      ? document.currentScript
      : document.querySelector<HTMLScriptElement>('script[data-key][src*="/widget.js"]')

  const live = new Set<NuqtaEarn>()
  const refreshAll = (): void => {
    for (const one of live) one.refresh()
  }

  class NuqtaEarn extends HTMLElement {
    static readonly observedAttributes = ['key', 'amount', 'lang', 'theme']
    static readonly toHalalas = toHalalas
    static readonly toPoints = toPoints
    static readonly textOf = textOf

    /** The script whose attributes apply when the element has none. */
    source = own
    private readonly box = document.createElement('div')
    private readonly line = document.createElement('span')

    constructor() {
      super()
      ignoreErrors(() => {
        const root = this.attachShadow({ mode: 'open' })
        style(root)
        this.box.hidden = true
        this.line.part.add('earn')
        this.box.append(this.line)
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

    /** Shows what the current attributes earn. */
    refresh(): void {
      ignoreErrors(() => {
        const { source } = this
        const key = this.setting('key')
        if (source === null || !key) return this.show(0)
        rateAt(new URL(`widget/${encodeURIComponent(key)}`, source.src).href).then(
          (rate) => {
            // Skip when the key has changed since.
            if (key === this.setting('key')) ignoreErrors(() => this.show(rate))
          },
          () => ignoreErrors(() => this.show(0)),
        )
      })
    }

    private setting(name: 'key' | 'amount' | 'lang' | 'theme'): string | undefined {
      return this.getAttribute(name) ?? this.source?.dataset[name]
    }

    private show(rate: number): void {
      const halalas = toHalalas(this.setting('amount') ?? '')
      const points = halalas === null ? 0 : toPoints(halalas, rate)
      const [box, line] = [this.box, this.line]
      box.hidden = !(points > 0)
      if (box.hidden) return
      const lang = this.setting('lang') ?? this.closest<HTMLElement>('[lang]')?.lang ?? document.documentElement.lang
      const locale = /^ar\b/i.test(lang) ? 'ar' : 'en'
      const theme = this.setting('theme')
      line.lang = locale
      line.dir = locale === 'ar' ? 'rtl' : 'ltr'
      line.style.colorScheme = theme === 'light' || theme === 'dark' ? theme : ''
      line.textContent = textOf(points, locale)
    }

    /** Adds elements to the script's targets, or one after the script. */
    static place(script: HTMLScriptElement): void {
      const attributeFilter = ['data-key', 'data-amount', 'data-lang', 'data-theme']
      new MutationObserver(refreshAll).observe(script, { attributes: true, attributeFilter })
      const { target, amount } = script.dataset
      const make = (): NuqtaEarn => Object.assign(new NuqtaEarn(), { source: script })
      if (target) for (const spot of document.querySelectorAll(target)) spot.append(make())
      else if (amount !== undefined && document.body.contains(script)) script.after(make())
    }
  }

  ignoreErrors(() => {
    // A page may have several of our scripts: the first one defines the element.
    const known = customElements.get(tag) as typeof NuqtaEarn | undefined
    if (known === undefined) {
      customElements.define(tag, NuqtaEarn)
      new MutationObserver(refreshAll).observe(document.documentElement, { attributeFilter: ['lang'] })
    }
    if (own === null) return
    const place = (): void => ignoreErrors(() => (known ?? NuqtaEarn).place(own))
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', place)
    else place()
  })
}
