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
  /** How long a lane rests after a batch of this size, so that the next is larger: for what nobody waits for. */
  readonly rest_ms?: (size: number) => number
  /** Told the size of each batch that leaves. */
  readonly observe?: (size: number) => void
}

/** Whoever has waited this long behind a batch that met a hopeless error is told the same, and waits for no further one. */
const patience_ms = 1_000

interface Waiting<Item, Result> {
  readonly item: Item
  readonly since_ms: number
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Turns one call per batch into one call per item: while batches are in the database, arriving items collect; when one
 * returns, they leave together. No timer, unless a rest is asked for: with nothing under way an item leaves at the end of
 * the current turn of the event loop, so under light load a batch is one (architecture, "The earning path").
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
    allUnderWay += 1
    count(lane, 1)
    void settle(batch, work, meetsAll).finally(() => {
      allUnderWay -= 1
      after(options.rest_ms?.(batch.length) ?? 0, () => {
        count(lane, -1)
        schedule()
      })
      schedule()
    })
  }

  function count(lane: number, change: 1 | -1): void {
    const now = (underWay.get(lane) ?? 0) + change
    if (now === 0) underWay.delete(lane)
    else underWay.set(lane, now)
  }

  /** Whether an error is hopeless; then those are told who have waited long. */
  function meetsAll(error: unknown): boolean {
    const hopeless = options.hopeless?.(error) === true
    if (hopeless) dismissOverdue(lanes, error)
    return hopeless
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const lane = options.lane?.(item) ?? 0
      const entry = { item, since_ms: performance.now(), resolve, reject }
      const waiting = lanes.get(lane)
      if (waiting === undefined) lanes.set(lane, [entry])
      else waiting.push(entry)
      schedule()
    })
}

/** At once where there is nothing to wait for: a timer of 0 ms takes one. */
function after(wait_ms: number, then: () => void): void {
  if (wait_ms > 0) setTimeout(then, wait_ms)
  else then()
}

/** A database that hangs would otherwise cost its time-out once more for every batch in front of an item. */
function dismissOverdue<Item, Result>(lanes: Map<number, Waiting<Item, Result>[]>, error: unknown): void {
  const deadline_ms = performance.now() - patience_ms
  for (const [lane, waiting] of lanes) {
    const late = waiting.findIndex(({ since_ms }) => since_ms > deadline_ms)
    const overdue = waiting.splice(0, late === -1 ? waiting.length : late)
    for (const each of overdue) each.reject(error)
    if (waiting.length === 0) lanes.delete(lane)
  }
}

/** Gives each item of a batch its result, or its own error: a batch that fails is split until the culprit is alone. */
async function settle<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  work: (batch: readonly Item[]) => Promise<readonly Result[]>,
  meetsAll: (error: unknown) => boolean,
): Promise<void> {
  try {
    const results = await work(batch.map((waiting) => waiting.item))
    if (results.length !== batch.length) throw new Error('a batch gave another number of results than it had items')
    for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as Result)
  } catch (error) {
    if (meetsAll(error) || batch.length === 1) {
      for (const waiting of batch) waiting.reject(error)
      return
    }
    const middle = Math.ceil(batch.length / 2)
    await settle(batch.slice(0, middle), work, meetsAll)
    await settle(batch.slice(middle), work, meetsAll)
  }
}
