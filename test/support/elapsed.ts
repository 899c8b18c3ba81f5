import { afterAll, vi } from 'vitest'

/** Moves `performance.now()` ahead, until the end of the file. The default is longer than any answer of a provider is kept. */
export function elapsedTime(): { pass(ms?: number): void } {
  const real = performance.now.bind(performance)
  let ahead_ms = 0
  const moved = vi.spyOn(performance, 'now').mockImplementation(() => real() + ahead_ms)
  afterAll(() => moved.mockRestore())
  return {
    pass(ms = 3_000) {
      ahead_ms += ms
    },
  }
}
