import { vi } from 'vitest'

/** Moves `performance.now()` ahead. The default is longer than any answer of a provider is kept. */
export function elapsedTime(): { pass(ms?: number): void } {
  const real = performance.now.bind(performance)
  let ahead_ms = 0
  vi.spyOn(performance, 'now').mockImplementation(() => real() + ahead_ms)
  return {
    pass(ms = 3_000) {
      ahead_ms += ms
    },
  }
}
