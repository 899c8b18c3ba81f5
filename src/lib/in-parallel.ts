/** Runs `work` for each item, at most `workers` at a time. Takes no further item once `stopping` is aborted. */
export async function inParallel<T>(
  workers: number,
  items: AsyncIterator<T> | Iterator<T>,
  work: (item: T) => Promise<void>,
  stopping?: AbortSignal,
): Promise<void> {
  const worker = async (): Promise<void> => {
    // The workers share one iterator, which answers concurrent calls in order.
    for (let next = await items.next(); next.done !== true; next = await items.next()) {
      if (stopping?.aborted === true) return
      await work(next.value)
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
