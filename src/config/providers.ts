import type { SettingName } from './names.ts'
import type { Sources } from './sources.ts'
import { choice, url } from './values.ts'

/** Where codes by SMS go; `sandbox` shows them on the page instead. `url` replaces the provider's own, for tests. */
export type SmsSettings =
  | { readonly provider: 'sandbox' }
  | {
      readonly provider: 'taqnyat' | 'unifonic'
      /** Taqnyat: the bearer token. Unifonic: the AppSid. */
      readonly key: string
      readonly sender: string
      readonly url: string | undefined
    }

export type TranslationSettings =
  | { readonly provider: 'none' }
  | { readonly provider: 'libretranslate'; readonly url: string; readonly key: string | undefined }
  | { readonly provider: 'google'; readonly url: string | undefined; readonly key: string }

/** Credentials of the whole deployment; a merchant may have its own. `url` replaces the provider's own, for all of them. */
export interface PaymentSettings {
  readonly paytabs: {
    readonly url: string | undefined
    readonly account: { readonly profile_id: string; readonly server_key: string } | undefined
  }
  readonly moyasar: {
    readonly url: string | undefined
    readonly account: { readonly secret_key: string; readonly webhook_secret: string } | undefined
  }
}

/** The settings of the deployment's own credentials, by provider. */
export const accountSettings = {
  paytabs: ['NUQTA_PAYMENT_PAYTABS_PROFILE_ID', 'NUQTA_PAYMENT_PAYTABS_SERVER_KEY'],
  moyasar: ['NUQTA_PAYMENT_MOYASAR_SECRET_KEY', 'NUQTA_PAYMENT_MOYASAR_WEBHOOK_SECRET'],
} as const satisfies Record<string, readonly [SettingName, SettingName]>

const web = ['https:', 'http:']

/** Reads the SMS provider; production needs a real one, since the sandbox's shows its codes to anybody. */
export function readSms(sources: Sources, needsReal: boolean): SmsSettings {
  const provider = choice(sources, 'NUQTA_SMS', ['sandbox', 'taqnyat', 'unifonic'], 'sandbox')
  const settings = { url: url(sources, 'NUQTA_SMS_URL', web) }
  if (provider === 'sandbox') {
    if (needsReal && ['sandbox', undefined].includes(sources.text('NUQTA_SMS')))
      sources.mistake('NUQTA_SMS', 'is required in production: taqnyat or unifonic')
    return { provider }
  }
  const key = required(sources, 'NUQTA_SMS_KEY', `NUQTA_SMS is ${provider}`)
  const sender = required(sources, 'NUQTA_SMS_SENDER', `NUQTA_SMS is ${provider}`)
  return { provider, key, sender, ...settings }
}

/** Reads who translates a label that came in one language only. */
export function readTranslation(sources: Sources): TranslationSettings {
  const provider = choice(sources, 'NUQTA_TRANSLATION', ['none', 'libretranslate', 'google'], 'none')
  const address = url(sources, 'NUQTA_TRANSLATION_URL', web)
  const key = sources.text('NUQTA_TRANSLATION_KEY')
  const why = `NUQTA_TRANSLATION is ${provider}`
  if (provider === 'none') return { provider }
  if (provider === 'google') {
    return { provider, url: address, key: key ?? required(sources, 'NUQTA_TRANSLATION_KEY', why) }
  }
  if (address === undefined && sources.text('NUQTA_TRANSLATION_URL') !== undefined) return { provider: 'none' }
  return { provider, url: address ?? required(sources, 'NUQTA_TRANSLATION_URL', why), key }
}

/** Reads the credentials of the payment providers: all that one needs, or none. */
export function readPayment(sources: Sources): PaymentSettings {
  const paytabs = group(sources, accountSettings.paytabs)
  const moyasar = group(sources, accountSettings.moyasar)
  return {
    paytabs: {
      url: url(sources, 'NUQTA_PAYMENT_PAYTABS_URL', web),
      account: paytabs && { profile_id: paytabs[0], server_key: paytabs[1] },
    },
    moyasar: {
      url: url(sources, 'NUQTA_PAYMENT_MOYASAR_URL', web),
      account: moyasar && { secret_key: moyasar[0], webhook_secret: moyasar[1] },
    },
  }
}

function group(sources: Sources, names: readonly [SettingName, SettingName]): readonly [string, string] | undefined {
  const [first, second] = [sources.text(names[0]), sources.text(names[1])]
  if (first === undefined && second === undefined) return undefined
  return [
    first ?? required(sources, names[0], `${names[1]} is set`),
    second ?? required(sources, names[1], `${names[0]} is set`),
  ]
}

function required(sources: Sources, name: SettingName, why: string): string {
  if (!sources.isGiven(name)) sources.mistake(name, `is required when ${why}`)
  return sources.text(name) ?? ''
}
