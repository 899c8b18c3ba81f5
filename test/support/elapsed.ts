import { afterAll, vi } from 'vitest'

/**
 * Stops `performance.now()` until the end of the file, and moves it ahead. The default is longer than any answer of a provider
 * is kept.
 */
export function elapsedTime(): { pass(ms?: number): void } {
  let now_ms = Math.ceil(performance.now())
  const stopped = vi.spyOn(performance, 'now').mockImplementation(() => now_ms)
  afterAll(() => stopped.mockRestore())
  return {
    pass(ms = 3_000) {
      now_ms += ms
    },
  }
}
