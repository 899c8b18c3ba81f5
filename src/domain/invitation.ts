/** The message that invites a customer whose earnings wait for the account to be activated (decisions §3). */
import type { Locale, LocalText } from './locale.ts'

/** Waits before the second attempt and those after it, in seconds; after the last the message has failed. */
export const invitation_retry_delays_s = [10, 100, 1_000] as const

/** A merchant's name may be longer than a message should be. */
const most_name_characters = 40

const messages: LocalText = {
  en: 'Points of {merchant} are waiting for you. Activate your wallet to get them: {link}',
  ar: 'لك نقاط بانتظارك من {merchant}. فعّل محفظتك لتحصل عليها: {link}',
}

/** Gives the text, in the program's language; `link` leads to the wallet. */
export function invitationMessage(
  { merchant_name, link }: { readonly merchant_name: string; readonly link: string },
  locale: Locale,
): string {
  const letters = [...merchant_name]
  const merchant =
    letters.length > most_name_characters ? `${letters.slice(0, most_name_characters - 1).join('')}…` : merchant_name
  // By function: in a replacement text, `$&` and its like have a meaning.
  return messages[locale].replace('{merchant}', () => merchant).replace('{link}', () => link)
}

/** When a message is due again after so many attempts that failed, the last of them at `now`; null when it has failed. */
export function nextInvitationAt(attempts: number, now: Date): Date | null {
  const delay_s = invitation_retry_delays_s[attempts - 1]
  return delay_s === undefined ? null : new Date(now.getTime() + delay_s * 1000)
}

/** When a message is due that waits behind `index` others for a limit, which admits again at an instant and then so many a minute. */
export function laterInvitationAt(retry_at: Date, index: number, per_minute: number): Date {
  return new Date(retry_at.getTime() + Math.floor(index / per_minute) * 60_000)
}
