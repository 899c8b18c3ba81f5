import { Gauge, type Registry } from 'prom-client'
import type { TasksDue } from '../features/payments/tasks.ts'
import { askedOnce } from './delivery-metrics.ts'

/** Makes the metrics of what payment providers are still to be told; `due` is asked at each collection. */
export function createPaymentMetrics(registry: Registry, due: () => Promise<TasksDue>): void {
  const registers = [registry]
  // A database that is away must not take the other metrics with it: these are not known then.
  const unknown: TasksDue = { tasks: Number.NaN, oldest_s: Number.NaN, refused: Number.NaN }
  const ask = askedOnce(() => due().catch(() => unknown))
  new Gauge({
    name: 'nuqta_payment_tasks_due',
    help: 'What payment providers are still to be told, of all workers: captures, voids, refunds.',
    registers,
    async collect() {
      this.set((await ask()).tasks)
    },
  })
  new Gauge({
    name: 'nuqta_payment_oldest_task_seconds',
    help: 'How long the oldest of it has been due; 0 when nothing is.',
    registers,
    async collect() {
      this.set((await ask()).oldest_s)
    },
  })
  new Gauge({
    name: 'nuqta_payment_tasks_refused',
    help: 'What a payment provider has refused for good, so that a person has to look at it.',
    registers,
    async collect() {
      this.set((await ask()).refused)
    },
  })
}
