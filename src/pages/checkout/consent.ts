import { mustAgree } from '../../domain/checkout.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Points } from '../../domain/points.ts'
import type { CheckoutView } from '../../features/checkout/view.ts'
import { checkbox } from '../design/controls.ts'
import type { Html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { termsLink } from '../identity/onboarding.ts'
import { onboardingTexts } from '../identity/texts.ts'
import type { Query } from './flow.ts'
import type { ScreenContext } from './screen.ts'
import { chooseTexts } from './texts.ts'

/**
 * An earning can make a customer active without consent. The checkout asks for it once, where points are used.
 * docs/spec/customers.md#terms
 */

/** The terms of the checkout's program, in the language of its page. */
export function termsHref({ program_id }: Pick<CheckoutView, 'program_id'>, locale: Locale): string {
  return `/terms?program=${program_id}&begins=${locale}`
}

/** Null for a customer who has agreed before. */
export function consentBox({ view, locale, form }: ScreenContext, error: Html | undefined): Html | null {
  const { customer, terms_version } = view
  if (customer === null || customer.consented) return null
  const label = interpolate(onboardingTexts.consent, locale, { terms: termsLink(termsHref(view, locale), locale) })
  const checked = form?.['terms'] === terms_version
  const hint = chooseTexts.consentHint[locale]
  return checkbox({ name: 'terms', value: terms_version, label, checked, hint, error })
}

/** The version agreed to with a choice, null for none, or what is wrong: points are used without a consent. */
export function readConsent(
  { customer, terms_version }: CheckoutView,
  { terms }: Query,
  points: Points,
): { readonly agreed: string | null } | { readonly error: 'terms' | 'other_terms' } {
  if (customer === null || customer.consented) return { agreed: null }
  if (terms === terms_version) return { agreed: terms_version }
  if (!mustAgree(customer, points)) return { agreed: null }
  return { error: terms === undefined ? 'terms' : 'other_terms' }
}
