import { createInterface } from 'node:readline/promises'
import { CliError } from '../lib/errors.ts'
import { type CommonOptions, printable } from './command.ts'

/**
 * Asks before a change that cannot be undone, on standard error: standard output is for results. Asks nothing with
 * `--yes`, nor where nobody sits at a terminal: scripts mean what they say.
 * @throws CliError unless the answer is yes
 */
export async function confirm({ yes, shell }: Pick<CommonOptions, 'yes' | 'shell'>, question: string): Promise<void> {
  const { stdin: input, stderr: output } = shell
  if (yes === true || !('isTTY' in input && input.isTTY === true) || output.isTTY !== true) return
  output.write(`${printable(question)} [y/N] `)
  const reader = createInterface({ input })
  const closed = new AbortController()
  reader.once('close', () => closed.abort())
  try {
    const answer = await reader.question('', { signal: closed.signal }).catch(() => '')
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    reader.close()
  }
  throw new CliError('Nothing was changed.')
}
