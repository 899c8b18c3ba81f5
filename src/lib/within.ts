/** Gives the answer of some work, or false if it takes longer than `limit_ms`. The work goes on. */
export async function within(limit_ms: number, work: Promise<boolean>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), limit_ms)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
