/** What has been opened, to be closed in the reverse order. */
export class Disposer {
  readonly #steps: (() => Promise<void> | void)[] = []

  /** Adds what ends the thing that has just been opened. */
  add(step: () => Promise<void> | void): void {
    this.#steps.push(step)
  }

  /** Closes everything, also past a step that fails, whose error is thrown at the end. */
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
