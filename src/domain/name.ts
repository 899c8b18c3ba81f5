/** The longest name of a person, in characters (issue "Hosted checkout, onboarding and wallet", "Onboarding"). */
export const max_name_characters = 255

/**
 * Takes a person's name as it was typed; gives it trimmed, on one line and with single spaces. Null when nothing is left
 * of it, or more than 255 characters are.
 */
export function readName(text: string): string | null {
  const name = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return name === '' || [...name].length > max_name_characters ? null : name
}
