import perf_hooks from 'node:perf_hooks'
import { expect, it, vi } from 'vitest'
import { createMetrics } from '../../src/observability/metrics.ts'

// Each registry of metrics started a timer of 10 ms on the event loop, and an observer of garbage collection. Neither ever ended.

it('has the metrics of the process in each registry, and one watch of the process for all', async () => {
  const first = createMetrics()
  const watch = vi.spyOn(perf_hooks, 'monitorEventLoopDelay')
  const observe = vi.spyOn(perf_hooks.PerformanceObserver.prototype, 'observe')
  const second = createMetrics()
  expect([watch.mock.calls, observe.mock.calls]).toEqual([[], []])
  vi.restoreAllMocks()
  for (const { registry } of [first, second])
    expect(await registry.metrics()).toMatch(/^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m)
  first.countConnectionError('first')
  expect(await first.registry.metrics()).toContain('kind="first"')
  expect(await second.registry.metrics()).not.toContain('kind="first"')
})
