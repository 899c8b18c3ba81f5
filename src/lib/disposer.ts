type Step = () => Promise<void> | void

/** Closes what has been opened, in the reverse order. */
export class Disposer {
  readonly #steps: Step[] = []

  /** Adds the step that closes what has just been opened. */
  add(step: Step): void {
    this.#steps.push(step)
  }

  /** Adds steps that begin at the same moment. More may join the list until then. */
  addTogether(steps: readonly Step[]): void {
    this.#steps.push(async () => {
      const ends = await Promise.allSettled(steps.map(async (step) => step()))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    })
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
