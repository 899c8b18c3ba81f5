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
