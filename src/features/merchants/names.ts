import { isOneLine } from '../../domain/text.ts'
import { CliError } from '../../lib/errors.ts'

/**
 * Gives a name that an operator typed, without the blanks around it.
 * @throws CliError unless it is one line of 1 to `most` characters
 */
export function checkedName(of: 'merchant' | 'program', typed: string, most: number): string {
  const name = typed.trim()
  if (name === '') throw new CliError(`A ${of} needs a name.`)
  if ([...name].length > most) throw new CliError(`A ${of}'s name has at most ${most} characters.`)
  if (!isOneLine(name)) throw new CliError(`A ${of}'s name is one line, without control characters.`)
  return name
}
