import type { Readable } from 'node:stream'
import { CliError } from '../lib/errors.ts'

/** A stream for output: of the process, or of a test that reads it. */
export interface Sink {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

/**
 * What a command gets from the shell that runs it. Nothing else in `src/cli/` reads the process, except
 * `serve` and `bench`, and `backup` and `restore` for the pipes of `-`.
 */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: Readable
  readonly stdout: Sink
  readonly stderr: Sink
  /** The exit code of a command that does not fail: 0, or 1 when what it checked is not clean. */
  exitCode: number
}

/** The shell that started this process. */
export function processShell(): Shell {
  return {
    env: process.env,
    get cwd() {
      return workingFolder()
    },
    // Opened by the commands that read it: an open one would keep the process alive.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    exitCode: 0,
  }
}

/** An upgrade may have removed the folder that somebody's shell is still in. */
function workingFolder(): string {
  try {
    return process.cwd()
  } catch (error) {
    throw new CliError('The folder that you are in is not there any more: change to another one.', { cause: error })
  }
}
