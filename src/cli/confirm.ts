import { createInterface } from 'node:readline/promises'
import { CliError } from '../lib/errors.ts'
import type { CommonOptions } from './command.ts'

/** Where a question is asked and answered. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/** Standard error: standard output is for results. */
const own: Terminal = { input: process.stdin, output: process.stderr }

/**
 * Asks before a change that cannot be undone. Asks nothing with `--yes`, nor where nobody sits at a terminal: scripts
 * mean what they say.
 * @throws CliError unless the answer is yes
 */
export async function confirm(
  { yes }: Pick<CommonOptions, 'yes'>,
  question: string,
  { input, output }: Terminal = own,
): Promise<void> {
  if (yes === true || input.isTTY !== true || output.isTTY !== true) return
  const reader = createInterface({ input, output })
  const closed = new AbortController()
  reader.once('close', () => closed.abort())
  try {
    const answer = await reader.question(`${question} [y/N] `, { signal: closed.signal }).catch(() => '')
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    reader.close()
  }
  throw new CliError('Nothing was changed.')
}
