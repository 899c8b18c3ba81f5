import { button, checkbox, form } from '../design/controls.ts'
import { points } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { maskedPhone } from '../identity/phone.ts'
import type { ScreenContext } from './screen.ts'
import { rememberedTexts } from './texts.ts'

/** Being remembered: asked for with the confirmation, ended on the page (docs/decisions/0036-remembered-browsers.md). */

/** Offered after a code, unless the browser is remembered already. */
export function rememberBox({ view, locale, form: typed }: ScreenContext): Html | null {
  if (view.proven_by !== 'code' || view.remembered !== null || view.remembered_limit === 0) return null
  if (view.customer?.blocked === true) return null
  return checkbox({
    name: 'remember',
    checked: typed?.['remember'] === 'yes',
    label: interpolate(rememberedTexts.ask, locale, { points: points(view.remembered_limit, locale, 'object') }),
  })
}

/** Says why no code was asked for, and for whom, with the way to end it. */
export function forgetForm({ view, locale, action, csrf }: ScreenContext): Html | null {
  if (view.proven_by !== 'remembered' || view.proven_phone === null) return null
  const here = interpolate(rememberedTexts.here, locale, { phone: maskedPhone(view.proven_phone) })
  return form({ action, csrf, hidden: { do: 'forget' } }, [
    html`<p class="hint">${here}</p>`,
    button(rememberedTexts.forget[locale], { kind: 'quiet' }),
  ])
}
