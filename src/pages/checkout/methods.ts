import { attributes, type Html, html } from '../design/html.ts'
import type { ScreenContext } from './screen.ts'
import { methodTexts } from './texts.ts'

/**
 * The payment methods that the merchant has named for the provider's page. A script shows Apple Pay where the browser has
 * it. docs/spec/payments.md#methods
 */
export function paymentMethodList({ view, locale }: ScreenContext): Html | null {
  const { payment_methods, payment_provider } = view.merchant
  if (payment_provider === 'merchant' || payment_methods.length === 0) return null
  const items = payment_methods.map((method) => {
    const only = method === 'apple_pay' ? { hidden: true, 'data-apple-pay': true } : {}
    return html`<li${attributes(only)}>${methodTexts[method][locale]}</li>`
  })
  return html`<ul class="methods" data-due aria-label="${methodTexts.title[locale]}">${items}</ul>`
}
