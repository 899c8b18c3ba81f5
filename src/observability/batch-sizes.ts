import { Histogram, type Registry } from 'prom-client'

/** Makes the metric of how many requests leave for the database together; gives an observer for each kind of batch. */
export function createBatchSizes(registry: Registry): (kind: string) => (size: number) => void {
  const sizes = new Histogram({
    name: 'nuqta_batch_size',
    help: 'Requests that went to the database in one batch.',
    labelNames: ['kind'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers: [registry],
  })
  return (kind) => (size) => sizes.observe({ kind }, size)
}
