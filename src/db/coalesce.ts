export interface CoalesceOptions<Item> {
  /** The most items per batch. */
  readonly max_batch: number
  /** The most concurrent batches per partition. */
  readonly concurrency: number
  /** A batch contains items of one partition only; by default there is one partition. */
  readonly partition?: (item: Item) => number
  /**
   * The most concurrent batches in all. Make it larger than `concurrency`, so that a stuck partition blocks no other.
   */
  readonly total_concurrency?: number
  /** True for errors that hit every part of a batch alike, so that splitting it is useless. */
  readonly isFatal?: (error: unknown) => boolean
  /**
   * Pause of a partition after a batch of this size, so that the next one is larger. Use it if nobody waits for the
   * result.
   */
  readonly pause_ms?: (size: number) => number
  /** Called with the size of each batch. */
  readonly observe?: (size: number) => void
}

/** After a fatal error, items that have waited this long are rejected with the same error. */
const max_wait_ms = 1_000

interface Waiting<Item, Result> {
  readonly item: Item
  readonly since_ms: number
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Turns a function of a batch into a function of one item. Items collect while batches run, and form the next batch
 * when one ends. Without a running batch an item starts at the end of the current turn of the event loop, so under
 * light load batches have one item. There is no timer unless `pause_ms` asks for one. ARCHITECTURE.md describes the
 * earning path.
 * @param work gives one result per item, in order. If it throws, the batch is split in two and each half is tried
 * alone, so that one bad item fails alone.
 * @returns a function that takes an item and gives its result, or rejects with its error
 */
export function coalesce<Item, Result>(
  work: (batch: readonly Item[]) => Promise<readonly Result[]>,
  options: CoalesceOptions<Item>,
): (item: Item) => Promise<Result> {
  const partitions = new Map<number, Waiting<Item, Result>[]>()
  const running = new Map<number, number>()
  const total = options.total_concurrency ?? options.concurrency
  let totalRunning = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || nextPartition() === undefined) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      for (let partition = nextPartition(); partition !== undefined; partition = nextPartition()) startBatch(partition)
    })
  }

  function nextPartition(): number | undefined {
    if (totalRunning >= total) return undefined
    for (const partition of partitions.keys()) if ((running.get(partition) ?? 0) < options.concurrency) return partition
    return undefined
  }

  function startBatch(partition: number): void {
    const waiting = partitions.get(partition) ?? []
    const batch = waiting.splice(0, options.max_batch)
    // Move the partition to the end of the map: partitions take turns.
    partitions.delete(partition)
    if (waiting.length > 0) partitions.set(partition, waiting)
    options.observe?.(batch.length)
    totalRunning += 1
    count(partition, 1)
    void runBatch(batch, work, isFatal).finally(() => {
      totalRunning -= 1
      after(options.pause_ms?.(batch.length) ?? 0, () => {
        count(partition, -1)
        schedule()
      })
      schedule()
    })
  }

  function count(partition: number, change: 1 | -1): void {
    const now = (running.get(partition) ?? 0) + change
    if (now === 0) running.delete(partition)
    else running.set(partition, now)
  }

  function isFatal(error: unknown): boolean {
    const fatal = options.isFatal?.(error) === true
    if (fatal) rejectOverdue(partitions, error)
    return fatal
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const partition = options.partition?.(item) ?? 0
      const entry = { item, since_ms: performance.now(), resolve, reject }
      const waiting = partitions.get(partition)
      if (waiting === undefined) partitions.set(partition, [entry])
      else waiting.push(entry)
      schedule()
    })
}

/** Calls `then` at once for 0: a timer of 0 ms takes 1 ms. */
function after(wait_ms: number, then: () => void): void {
  if (wait_ms > 0) setTimeout(then, wait_ms)
  else then()
}

/**
 * Rejects items that have waited too long: behind a hanging database, each batch before them costs one more time-out.
 */
function rejectOverdue<Item, Result>(partitions: Map<number, Waiting<Item, Result>[]>, error: unknown): void {
  const deadline_ms = performance.now() - max_wait_ms
  for (const [partition, waiting] of partitions) {
    const late = waiting.findIndex(({ since_ms }) => since_ms > deadline_ms)
    const overdue = waiting.splice(0, late === -1 ? waiting.length : late)
    for (const each of overdue) each.reject(error)
    if (waiting.length === 0) partitions.delete(partition)
  }
}

/**
 * Resolves each item of a batch with its result or its own error: a failing batch is split until the bad item is alone.
 */
async function runBatch<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  work: (batch: readonly Item[]) => Promise<readonly Result[]>,
  isFatal: (error: unknown) => boolean,
): Promise<void> {
  try {
    const results = await work(batch.map((waiting) => waiting.item))
    if (results.length !== batch.length) throw new Error('a batch gave another number of results than it had items')
    for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as Result)
  } catch (error) {
    if (isFatal(error) || batch.length === 1) {
      for (const waiting of batch) waiting.reject(error)
      return
    }
    const middle = Math.ceil(batch.length / 2)
    await runBatch(batch.slice(0, middle), work, isFatal)
    await runBatch(batch.slice(middle), work, isFatal)
  }
}
