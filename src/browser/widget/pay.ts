import { NuqtaElement } from './element.ts'
import type { Merchant } from './merchant.ts'
import { texts } from './texts.ts'

/** The body of the request as text, or a function that gives it: never parsed, because its bytes may be signed. */
export type Order = string | (() => string | Promise<string>)

const answer_ms = 20_000

/** `<nuqta-pay>`: a button that opens the checkout with the order that the shop's server has written. */
export class NuqtaPay extends NuqtaElement {
  /** Instead of the attribute: set by a script. */
  body: Order | undefined
  private readonly button = document.createElement('button')
  private readonly failure = document.createElement('p')
  private opening: AbortController | undefined

  protected override show({ checkout }: Merchant): boolean {
    if (checkout !== true || (this.body ?? this.setting('order')) === undefined) return false
    const { box, button, failure, locale, opening } = this
    button.type = 'button'
    button.part.add('pay')
    failure.part.add('failure')
    failure.setAttribute('role', 'status')
    button.onclick = () => this.open()
    button.textContent = texts[opening === undefined ? 'pay' : 'opening'][locale]
    if (failure.textContent !== '') failure.textContent = texts.failed[locale]
    if (!box.contains(button)) box.append(button, failure)
    return true
  }

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('pageshow', this.back)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('pageshow', this.back)
    this.rest()
  }

  /** Opens a checkout, once at a time. */
  private open(): void {
    if (this.opening !== undefined) return
    const opening = new AbortController()
    const timer = setTimeout(() => opening.abort(), answer_ms)
    this.set(opening, false)
    this.ask(opening.signal)
      .then((url) => {
        if (this.opening !== opening) return
        const event = new CustomEvent('nuqta-opened', {
          detail: { checkout_url: url },
          cancelable: true,
          bubbles: true,
        })
        if (this.dispatchEvent(event)) location.assign(url)
        else this.set(undefined, false)
      })
      .catch((error: unknown) => {
        if (this.opening !== opening) return
        this.set(undefined, true)
        this.dispatchEvent(new CustomEvent('nuqta-failed', { detail: error, bubbles: true }))
      })
      .finally(() => clearTimeout(timer))
  }

  private async ask(signal: AbortSignal): Promise<string> {
    const order = this.body ?? this.setting('order') ?? ''
    const body = typeof order === 'function' ? await order() : order
    const url = this.urlOf(`api/v1/orders/checkout/${encodeURIComponent(this.key ?? '')}?lang=${this.locale}`)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body, signal, credentials: 'omit' })
    const { data, message, errors } = await answer.json()
    if (!answer.ok) throw Object.assign(new Error(message), { status: answer.status, errors })
    const opened = new URL(data.checkout_url)
    if (opened.protocol !== 'https:') throw new Error(`${opened.protocol} is no checkout`)
    return opened.href
  }

  private set(opening: AbortController | undefined, failed: boolean): void {
    const { button, failure, locale } = this
    this.opening = opening
    button.toggleAttribute('aria-disabled', opening !== undefined)
    if (opening !== undefined) button.setAttribute('aria-disabled', 'true')
    button.textContent = texts[opening === undefined ? 'pay' : 'opening'][locale]
    failure.textContent = failed ? texts.failed[locale] : ''
  }

  /** Runs when the shopper is back from the checkout, or the page has just loaded: somebody may have pressed before. */
  private readonly back = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) this.rest()
  }

  private rest(): void {
    this.opening?.abort()
    this.set(undefined, false)
  }
}
