import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createDeliveryMetrics, createRequestLogMetrics } from '../../src/observability/feature-metrics.ts'
import { readTree } from '../support/tree.ts'

// `increase()` of Prometheus counts from the first value that it has seen. When an outage of a receiver ended many deliveries
// between two collections, their series began with all of them, and NuqtaDeliveriesFail was silent.

test('every outcome of a counter is printed before it happens', async () => {
  const registry = new Registry()
  createDeliveryMetrics(registry, {
    queue: () => Promise.resolve({ depth: 0, oldest_due_s: undefined }),
    in_flight: () => 0,
  })
  createRequestLogMetrics(registry)
  const printed = (await registry.metrics()).split('\n')
  for (const outcome of ['delivered', 'retry', 'failed', 'interrupted'])
    expect(printed).toContain(`nuqta_webhook_attempts_total{outcome="${outcome}"} 0`)
  for (const outcome of ['written', 'counted', 'lost'])
    expect(printed).toContain(`nuqta_request_log_requests_total{outcome="${outcome}"} 0`)
})

test('an alert tells that no worker is measured at all: without one there are no ages of queues', () => {
  const [alerts] = readTree('docs/operations/alerts.yml')
  expect(alerts?.text).toContain('expr: absent(nuqta_webhook_queue_depth)')
})
