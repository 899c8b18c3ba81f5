/** What a person asked for by a command cannot be done; the message is a sentence that says why, and what to do. */
export class CliError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CliError'
  }
}

/** The code of an error (`ENOENT`, an SQLSTATE), as Node and its libraries set it; undefined where there is none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
