/** Which passwords are accepted, after NIST SP 800-63B: long ones, whatever their characters, and none that many people have. */
import { commonWords, keyboardRuns } from './common-passwords.ts'

export const min_password_characters = 12
export const max_password_characters = 200

/** Why a password is refused. */
export type PasswordProblem = 'too_short' | 'too_long' | 'common' | 'personal'

/** The person of a password. Attackers who know the person try these words first, so they add nothing to a password. */
export interface Personal {
  readonly email: string
  readonly name: string
}

/** Keyboards send the same characters in different ways: this gives them one spelling. */
export function normalPassword(text: string): string {
  return text.normalize('NFKC')
}

/**
 * Takes a password and its person; gives why it is refused, or null. Common words, the person's own, the product's and runs
 * of the keyboard do not count: the rest must still be hard to guess.
 */
export function passwordProblem(text: string, { email, name }: Personal): PasswordProblem | null {
  const password = normalPassword(text)
  const length = [...password].length
  if (length < min_password_characters) return 'too_short'
  if (length > max_password_characters) return 'too_long'
  const folded = fold(password)
  if (left(folded, commonWords) < min_left) return 'common'
  const own = [...email.split(/[@.+_-]/), ...name.split(/\s+/), 'nuqta'].map(fold).filter((word) => word.length >= 3)
  return left(folded, [...own, ...commonWords]) < min_left ? 'personal' : null
}

/** A password needs this many different characters besides its words and runs. */
const min_left = 5

const looksLike: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const years = /(?:19|20)\d\d/g

/** Without case, years and the usual replacements of letters. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(years, ' ')
    .replace(/[013457@$!]/g, (character) => looksLike[character] ?? '')
}

/** How many different characters are left outside of the words, years, runs and repetitions. */
function left(folded: string, words: readonly string[]): number {
  // The longest words first: `passwords` before `password`. Runs are folded too: `12345` has become `i2eas`.
  const found = [...words, ...keyboardRuns.map(fold)].sort((a, b) => b.length - a.length)
  const rest = found.reduce((text, word) => text.replaceAll(word, ' '), folded)
  const distinct = new Set(rest.replace(/(.{1,6}?)\1{2,}/gu, '$1').replace(/[^\p{L}\p{N}]/gu, ''))
  return distinct.size
}
