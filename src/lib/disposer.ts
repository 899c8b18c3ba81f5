import { settled } from './within.ts'

/** `at_once`: does not wait for what uses it. */
type Step = (how: { readonly at_once: boolean }) => Promise<void> | void

/** Closes what has been opened, in the reverse order. */
export class Disposer {
  readonly #steps: Step[] = []

  /** Adds the step that closes what has just been opened. */
  add(step: Step): void {
    this.#steps.push(step)
  }

  /** Adds steps that begin at the same moment. More may join the list until then. */
  addTogether(steps: readonly Step[]): void {
    this.#steps.push(async (how) => {
      const ends = await Promise.allSettled(steps.map(async (step) => step(how)))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    })
  }

  /** Runs every step, also after one that fails; then throws the first error. */
  async close({ at_once = false } = {}): Promise<void> {
    const errors: unknown[] = []
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step({ at_once })
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
}

/** How long a start may take to end when what it uses is closed. */
const settle_ms = 5_000

/**
 * Gives what `starting` opens. When `stopping` comes first, closes at once what has been opened, and what is opened meanwhile.
 * @throws the reason of `stopping`
 */
export async function unlessStopped<T>(
  starting: Promise<T>,
  stopping: AbortSignal | undefined,
  disposer: Disposer,
): Promise<T> {
  const stopped = Promise.withResolvers<never>()
  const stop = (): void => stopped.reject(stopping?.reason)
  stopping?.addEventListener('abort', stop)
  if (stopping?.aborted === true) stop()
  try {
    return await Promise.race([starting, stopped.promise])
  } catch (error) {
    if (stopping?.aborted !== true) throw error
    await disposer.close({ at_once: true })
    await settled(settle_ms, starting)
    await disposer.close({ at_once: true })
    throw stopping.reason
  } finally {
    stopping?.removeEventListener('abort', stop)
  }
}
