import { type MessageBounds, standard_bounds } from '../domain/limit.ts'
import type { SettingName } from './names.ts'
import type { Sources } from './sources.ts'
import { number } from './values.ts'

/** The numbers that are rules: only a sandbox that sends nothing may have others, so that tests need not wait for an hour. */
const ofSandbox = {
  codes_per_phone_hour: 'NUQTA_CODES_PER_PHONE_HOUR',
  codes_per_phone_day: 'NUQTA_CODES_PER_PHONE_DAY',
  tries_per_phone_hour: 'NUQTA_TRIES_PER_PHONE_HOUR',
  tries_per_phone_day: 'NUQTA_TRIES_PER_PHONE_DAY',
  codes_per_address_hour: 'NUQTA_CODES_PER_ADDRESS_HOUR',
  codes_per_site_hour: 'NUQTA_CODES_PER_SITE_HOUR',
  invitations_per_minute: 'NUQTA_INVITATIONS_PER_MINUTE',
  invitations_per_hour: 'NUQTA_INVITATIONS_PER_HOUR',
} as const satisfies Readonly<Partial<Record<keyof MessageBounds, SettingName>>>

const bounds = { min: 1, max: 1_000_000, whole: true } as const

/** Reads how many messages are sent, and codes tried. `shows_codes`: a sandbox whose SMS is `sandbox`. */
export function readMessageBounds(sources: Sources, { shows_codes }: { readonly shows_codes: boolean }): MessageBounds {
  const read = (name: SettingName, standard: number) => number(sources, name, standard, bounds)
  const messages_per_hour = read('NUQTA_SMS_PER_HOUR', standard_bounds.messages_per_hour)
  const keys = Object.keys(ofSandbox) as (keyof typeof ofSandbox)[]
  for (const name of keys.map((key) => ofSandbox[key]))
    if (!shows_codes && sources.text(name) !== undefined)
      sources.mistake(
        name,
        'is for a sandbox that sends no messages (NUQTA_SMS=sandbox): elsewhere this limit is fixed',
      )
  const numbers = keys.map((key) => [key, read(ofSandbox[key], standard_bounds[key])])
  return { ...standard_bounds, messages_per_hour, ...Object.fromEntries(numbers) }
}
