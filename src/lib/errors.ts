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

/** What an error says; a thrown value that is no error as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The first error of several, as for a host whose addresses all fail; any other error itself. */
export function firstError<Thrown>(error: Thrown): Thrown | Error {
  return error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error
}

/** Lets the other parts of some work go on when one fails. */
export class Failures {
  #first: { readonly error: unknown } | undefined

  /** Does a part of the work; gives `otherwise` if it fails. */
  async pass<T, U>(part: () => Promise<T>, otherwise: U): Promise<T | U> {
    try {
      return await part()
    } catch (error) {
      this.#first ??= { error }
      return otherwise
    }
  }

  /** Throws the first failure, if any part has failed. */
  throwFirst(): void {
    if (this.#first !== undefined) throw this.#first.error
  }
}

/** Takes every step in turn, also after one that fails, none once it is `stopping`; then throws the first error. */
export async function takeEveryStep(steps: Iterable<() => Promise<unknown>>, stopping?: AbortSignal): Promise<void> {
  const failures = new Failures()
  for (const step of steps) {
    if (stopping?.aborted === true) break
    await failures.pass(step, undefined)
  }
  failures.throwFirst()
}
