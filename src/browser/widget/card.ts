import { NuqtaElement } from './element.ts'
import type { Merchant } from './merchant.ts'
import { toHalalas } from './rules.ts'
import { texts } from './texts.ts'

/** A frame that has not reported by then cannot be shown: the host, a policy or the network prevents it. */
const shown_ms = 8_000
const loaded_ms = 1_000

/**
 * `<nuqta-card>`: a frame of the service with the shopper's balance, which the shop cannot read, or a link to a window
 * that shows it.
 */
export class NuqtaCard extends NuqtaElement {
  private readonly link = document.createElement('a')
  private frame: HTMLIFrameElement | null = null
  private shown = ''
  private timer = 0

  override connectedCallback(): void {
    addEventListener('message', this.hear)
    super.connectedCallback()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('message', this.hear)
    this.end()
  }

  protected override show({ checkout, card }: Merchant): boolean {
    if (checkout !== true) {
      this.end()
      return false
    }
    const { box, link, locale } = this
    box.classList.toggle('card', card === 'frame')
    link.part.add('see')
    link.href = this.pageOf('window').href
    link.target = '_blank'
    link.rel = 'noopener'
    link.textContent = texts.see[locale]
    if (!box.contains(link)) box.append(link)
    if (card === 'frame') this.place()
    else this.end()
    return true
  }

  /** Shows the frame, or what it has to show now. */
  private place(): void {
    const url = this.pageOf('card')
    url.searchParams.set('theme', this.theme())
    if (this.shown === url.href) return
    this.shown = url.href
    if (this.frame === null) this.begin(url.href)
    // A new `src` would add an entry to the browser's history.
    else this.frame.contentWindow?.location.replace(url.href)
    if (this.frame !== null) this.frame.title = texts.points[this.locale]
  }

  private begin(url: string): void {
    const frame = document.createElement('iframe')
    frame.referrerPolicy = 'no-referrer'
    frame.src = url
    frame.addEventListener('load', () => this.giveUp(loaded_ms))
    this.frame = frame
    this.box.classList.add('waits')
    this.box.append(frame)
    this.giveUp(shown_ms)
  }

  /** Falls back to the link unless the frame shows itself in time. */
  private giveUp(within_ms: number): void {
    if (this.link.hidden) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.end(), within_ms)
  }

  private readonly hear = ({ source, origin, data }: MessageEvent): void => {
    const { frame, box, link, timer } = this
    if (frame === null || source !== frame.contentWindow || origin !== this.urlOf('').origin) return
    if (data?.nuqta !== 'card') return
    clearTimeout(timer)
    this.timer = 0
    link.hidden = true
    box.classList.remove('waits')
  }

  private end(): void {
    clearTimeout(this.timer)
    this.timer = 0
    this.frame?.remove()
    this.frame = null
    this.shown = ''
    this.link.hidden = false
    this.box.classList.remove('waits')
  }

  /** The colours that the element has on this page: a frame does not inherit them. */
  private theme(): 'light' | 'dark' {
    const theme = this.setting('theme')
    if (theme === 'light' || theme === 'dark') return theme
    const scheme = getComputedStyle(this).colorScheme
    if (!/dark/.test(scheme)) return 'light'
    return !/light/.test(scheme) || matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }

  private pageOf(page: 'card' | 'window'): URL {
    const url = this.urlOf(`widget/${encodeURIComponent(this.key ?? '')}/${page}`)
    url.searchParams.set('lang', this.locale)
    url.searchParams.set('origin', location.origin)
    const halalas = toHalalas(this.setting('amount') ?? '')
    if (halalas) url.searchParams.set('amount', String(halalas))
    return url
  }
}
