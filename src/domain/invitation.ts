/** The text message that invites a customer with pending earnings. docs/spec/customers.md#invitations */
import type { Locale, LocalText } from './locale.ts'
import { after, minute_ms } from './spans.ts'
import { onOneLine } from './text.ts'

/** Delays before each further attempt, in seconds. The message has failed after the last one. */
export const invitation_retry_delays_s = [10, 100, 1_000] as const

/** Longer merchant names are cut, to keep the message short. */
const most_name_characters = 40

const messages: LocalText = {
  en: 'Points of {merchant} are waiting for you. Activate your wallet to get them: {link}',
  ar: 'لك نقاط بانتظارك من {merchant}. فعّل محفظتك لتحصل عليها: {link}',
}

/** Gives the text in `locale`, the program's language. `link` leads to the wallet. */
export function invitationMessage(
  { merchant_name, link }: { readonly merchant_name: string; readonly link: string },
  locale: Locale,
): string {
  // On one line, so that the message has no other link than ours on a line of its own.
  const name = onOneLine(merchant_name)
  const letters = [...name]
  const merchant =
    letters.length > most_name_characters ? `${letters.slice(0, most_name_characters - 1).join('')}…` : name
  // By a function, as a replacement text would expand `$&`, and at once, as a name may hold `{link}`.
  return messages[locale].replace(/\{(merchant|link)\}/g, (_, name: string) => (name === 'link' ? link : merchant))
}

/**
 * Takes the number of failed attempts, the last one at `now`; gives the time of the next one, or null after the last.
 */
export function nextInvitationAt(attempts: number, now: Date): Date | null {
  const delay_s = invitation_retry_delays_s[attempts - 1]
  return delay_s === undefined ? null : after(now, delay_s * 1000)
}

/**
 * Gives when a message with `index` others before it is due, if a limit admits `per_minute` messages from `retry_at`
 * on.
 */
export function laterInvitationAt(retry_at: Date, index: number, per_minute: number): Date {
  return after(retry_at, Math.floor(index / per_minute) * minute_ms)
}
