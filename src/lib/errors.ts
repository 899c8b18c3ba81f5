/** A command cannot be done. The message is a sentence that tells a person why, and what to do. */
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

/** The first error of several, as for a host whose addresses all fail; any other error itself. */
export function firstError<Thrown>(error: Thrown): Thrown | Error {
  return error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error
}
