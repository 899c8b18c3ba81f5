/** Closes what has been opened, in the reverse order. */
export class Disposer {
  readonly #steps: (() => Promise<void> | void)[] = []

  /** Adds the step that closes what has just been opened. */
  add(step: () => Promise<void> | void): void {
    this.#steps.push(step)
  }

  /** Runs every step, also after one that fails; then throws the first error. */
  async close(): Promise<void> {
    const errors: unknown[] = []
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
}
