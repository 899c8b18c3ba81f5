export interface CoalesceOptions<Item> {
  /** Items of one batch at most. */
  readonly max_batch: number
  /** Batches of one lane under way at once at most. */
  readonly concurrency: number
  /** Items of one batch share a lane; without it there is one lane. */
  readonly lane?: (item: Item) => number
  /** Batches of all lanes under way at once at most; more than `concurrency`, so that a stuck lane holds up no other. */
  readonly total_concurrency?: number
  /** True for errors that would meet every part of the batch alike, so that splitting it is of no use. */
  readonly hopeless?: (error: unknown) => boolean
  /** Told the size of each batch that leaves. */
  readonly observe?: (size: number) => void
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Turns one call per batch into one call per item: while batches are in the database, arriving items collect; when one
 * returns, they leave together. No timer: with nothing under way an item leaves at the end of the current turn of the
 * event loop, so under light load a batch is one (architecture, "The earning path").
 *
 * `work` gives one result per item, in order. When it throws, the batch is split in two and each half is tried on its
 * own, so that one item's error is that item's alone.
 */
export function coalesce<Item, Result>(
  work: (batch: readonly Item[]) => Promise<readonly Result[]>,
  options: CoalesceOptions<Item>,
): (item: Item) => Promise<Result> {
  const lanes = new Map<number, Waiting<Item, Result>[]>()
  const underWay = new Map<number, number>()
  const total = options.total_concurrency ?? options.concurrency
  let allUnderWay = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || nextLane() === undefined) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      for (let lane = nextLane(); lane !== undefined; lane = nextLane()) leave(lane)
    })
  }

  function nextLane(): number | undefined {
    if (allUnderWay >= total) return undefined
    for (const lane of lanes.keys()) if ((underWay.get(lane) ?? 0) < options.concurrency) return lane
    return undefined
  }

  function leave(lane: number): void {
    const waiting = lanes.get(lane) ?? []
    const batch = waiting.splice(0, options.max_batch)
    // Set anew at the end of the map: lanes take turns.
    lanes.delete(lane)
    if (waiting.length > 0) lanes.set(lane, waiting)
    options.observe?.(batch.length)
    count(lane, 1)
    void run(batch).finally(() => {
      count(lane, -1)
      schedule()
    })
  }

  function count(lane: number, change: 1 | -1): void {
    allUnderWay += change
    const now = (underWay.get(lane) ?? 0) + change
    if (now === 0) underWay.delete(lane)
    else underWay.set(lane, now)
  }

  async function run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work(batch.map((waiting) => waiting.item))
      if (results.length !== batch.length) throw new Error('a batch gave another number of results than it had items')
      for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as Result)
    } catch (error) {
      if (batch.length === 1 || options.hopeless?.(error) === true) {
        for (const waiting of batch) waiting.reject(error)
        return
      }
      const middle = Math.ceil(batch.length / 2)
      await run(batch.slice(0, middle))
      await run(batch.slice(middle))
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const lane = options.lane?.(item) ?? 0
      const waiting = lanes.get(lane)
      if (waiting === undefined) lanes.set(lane, [{ item, resolve, reject }])
      else waiting.push({ item, resolve, reject })
      schedule()
    })
}
