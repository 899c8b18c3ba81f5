import { type MessageBounds, standard_bounds } from '../domain/limit.ts'
import type { SettingName, SettingValue } from './settings.ts'
import type { Sources } from './sources.ts'
import { isLoopback } from './values.ts'

/** The SMS provider; `sandbox` shows codes on the page instead. `url` replaces the provider's own, for tests. */
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

/** The deployment's credentials, for merchants without their own. `url` replaces the provider's for all merchants. */
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

/** The mail server of the dashboard; undefined where there is none. */
export interface MailSettings {
  readonly url: string
  readonly from: string
  /** Whether a connection that begins in clear must change to TLS before anything is sent. */
  readonly requires_tls: boolean
}

/** Reads the mail server: with both of its settings or neither. */
export function readMail(sources: Sources): MailSettings | undefined {
  const [url, from] = [sources.read('NUQTA_SMTP_URL'), sources.read('NUQTA_MAIL_FROM')]
  if (url !== undefined && from !== undefined) return { url, from, requires_tls: requiresTls(sources, new URL(url)) }
  if (url !== undefined) required(sources, 'NUQTA_MAIL_FROM', 'NUQTA_SMTP_URL is set')
  if (from !== undefined) required(sources, 'NUQTA_SMTP_URL', 'NUQTA_MAIL_FROM is set')
  return undefined
}

/**
 * Passwords, and the links of production, must not cross the network to the mail server in clear. A stranger there can also
 * remove the server's offer of STARTTLS. The parameter has the name that the package gives it.
 */
function requiresTls(sources: Sources, url: URL): boolean {
  const chosen = url.searchParams.get('requireTLS')
  if (chosen !== null && chosen !== 'true' && chosen !== 'false')
    sources.mistake('NUQTA_SMTP_URL', 'must end in requireTLS=true or requireTLS=false, where it has requireTLS')
  if (chosen !== null) return chosen !== 'false'
  return !isLoopback(url.hostname) && (sources.production || url.username !== '' || url.password !== '')
}

type AddressName = 'NUQTA_SMS_URL' | 'NUQTA_PAYMENT_PAYTABS_URL' | 'NUQTA_PAYMENT_MOYASAR_URL' | 'NUQTA_TRANSLATION_URL'

/** Reads where a provider is. In production, what `crosses` to it must not cross the network in clear. */
function readAddress(sources: Sources, name: AddressName, crosses: string): string | undefined {
  const address = sources.read(name)
  if (address === undefined || !sources.production) return address
  const { protocol, hostname } = new URL(address)
  if (protocol === 'http:' && !isLoopback(hostname))
    sources.mistake(name, `must begin with https:// in production, or be on loopback: ${crosses} would cross in clear`)
  return address
}

/** The settings whose value is a text. */
type TextName = { [Name in SettingName]: SettingValue<Name> extends string | undefined ? Name : never }[SettingName]

/** The settings that hold the deployment's own credentials. */
export const accountSettings = {
  paytabs: ['NUQTA_PAYMENT_PAYTABS_PROFILE_ID', 'NUQTA_PAYMENT_PAYTABS_SERVER_KEY'],
  moyasar: ['NUQTA_PAYMENT_MOYASAR_SECRET_KEY', 'NUQTA_PAYMENT_MOYASAR_WEBHOOK_SECRET'],
} as const satisfies Record<string, readonly [TextName, TextName]>

/** Reads the SMS provider. Production needs a real one: the sandbox's shows its codes to anybody. */
export function readSms(sources: Sources, needsReal: boolean): SmsSettings {
  const provider = sources.read('NUQTA_SMS')
  const url = readAddress(sources, 'NUQTA_SMS_URL', 'the key and the codes')
  if (provider === 'sandbox') {
    if (needsReal && ['sandbox', undefined].includes(sources.text('NUQTA_SMS')))
      sources.mistake('NUQTA_SMS', 'is required in production: taqnyat or unifonic')
    return { provider }
  }
  const key = required(sources, 'NUQTA_SMS_KEY', `NUQTA_SMS is ${provider}`)
  const sender = required(sources, 'NUQTA_SMS_SENDER', `NUQTA_SMS is ${provider}`)
  return { provider, key, sender, url }
}

/** Reads the provider that translates labels given in one language only. */
export function readTranslation(sources: Sources): TranslationSettings {
  const provider = sources.read('NUQTA_TRANSLATION')
  const key = sources.read('NUQTA_TRANSLATION_KEY')
  const address =
    key === undefined
      ? sources.read('NUQTA_TRANSLATION_URL')
      : readAddress(sources, 'NUQTA_TRANSLATION_URL', 'the key of the translator')
  const why = `NUQTA_TRANSLATION is ${provider}`
  if (provider === 'none') return { provider }
  if (provider === 'google') {
    return { provider, url: address, key: key ?? required(sources, 'NUQTA_TRANSLATION_KEY', why) }
  }
  if (address === undefined && sources.text('NUQTA_TRANSLATION_URL') !== undefined) return { provider: 'none' }
  return { provider, url: address ?? required(sources, 'NUQTA_TRANSLATION_URL', why), key }
}

/** Reads the credentials of the payment providers: of each provider all or none. */
export function readPayment(sources: Sources): PaymentSettings {
  const paytabs = bothOrNone(sources, accountSettings.paytabs)
  const moyasar = bothOrNone(sources, accountSettings.moyasar)
  return {
    paytabs: {
      url: readAddress(sources, 'NUQTA_PAYMENT_PAYTABS_URL', 'keys and payments'),
      account: paytabs && { profile_id: paytabs[0], server_key: paytabs[1] },
    },
    moyasar: {
      url: readAddress(sources, 'NUQTA_PAYMENT_MOYASAR_URL', 'keys and payments'),
      account: moyasar && { secret_key: moyasar[0], webhook_secret: moyasar[1] },
    },
  }
}

function bothOrNone(sources: Sources, names: readonly [TextName, TextName]): readonly [string, string] | undefined {
  const [first, second] = [sources.read(names[0]), sources.read(names[1])]
  if (first === undefined && second === undefined) return undefined
  return [
    first ?? required(sources, names[0], `${names[1]} is set`),
    second ?? required(sources, names[1], `${names[0]} is set`),
  ]
}

function required(sources: Sources, name: TextName, why: string): string {
  if (!sources.isGiven(name)) sources.mistake(name, `is required when ${why}`)
  return sources.read(name) ?? ''
}

/** Limits that only a sandbox without SMS may change, so that tests need not wait for an hour. */
const sandboxBounds = {
  codes_per_phone_hour: 'NUQTA_CODES_PER_PHONE_HOUR',
  codes_per_phone_day: 'NUQTA_CODES_PER_PHONE_DAY',
  tries_per_phone_hour: 'NUQTA_TRIES_PER_PHONE_HOUR',
  tries_per_phone_day: 'NUQTA_TRIES_PER_PHONE_DAY',
  codes_per_address_hour: 'NUQTA_CODES_PER_ADDRESS_HOUR',
  codes_per_site_hour: 'NUQTA_CODES_PER_SITE_HOUR',
  invitations_per_minute: 'NUQTA_INVITATIONS_PER_MINUTE',
  invitations_per_hour: 'NUQTA_INVITATIONS_PER_HOUR',
} as const satisfies Readonly<Partial<Record<keyof MessageBounds, SettingName>>>

/** Reads how many messages are sent and codes tried. `shows_codes`: a sandbox whose SMS is `sandbox`. */
export function readMessageBounds(sources: Sources, { shows_codes }: { readonly shows_codes: boolean }): MessageBounds {
  const messages_per_hour = sources.read('NUQTA_SMS_PER_HOUR')
  for (const name of Object.values(sandboxBounds))
    if (!shows_codes && sources.text(name) !== undefined)
      sources.mistake(
        name,
        'is for a sandbox that sends no messages (NUQTA_SMS=sandbox): elsewhere this limit is fixed',
      )
  const numbers = Object.entries(sandboxBounds).map(([key, name]) => [key, sources.read(name)])
  return { ...standard_bounds, messages_per_hour, ...Object.fromEntries(numbers) }
}
