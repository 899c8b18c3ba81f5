/** Gives the answer of some work, or false if it takes longer than `limit_ms`. The work goes on. */
export async function within(limit_ms: number, work: Promise<boolean>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), limit_ms)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/** Waits for some work to end, well or badly, but no longer than `limit_ms`. Gives whether it ended well within that. */
export function settled(limit_ms: number, work: Promise<unknown>): Promise<boolean> {
  return within(
    limit_ms,
    work.then(
      () => true,
      () => false,
    ),
  )
}
