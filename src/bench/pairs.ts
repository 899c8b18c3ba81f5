/** Measures both sides of a pair. The side that begins changes, so that neither always finds the machine as the other left it. */
export async function measurePair<A, B>(
  pair: number,
  one: () => Promise<A>,
  other: () => Promise<B>,
): Promise<readonly [A, B]> {
  if (pair % 2 === 1) {
    const first = await one()
    return [first, await other()]
  }
  const first = await other()
  return [await one(), first]
}

/** Measures both sides so many times, in pairs that begin in turns. `before` is told the number of each pair, from 1. */
export async function measurePairs<A, B>(
  count: number,
  one: () => Promise<A>,
  other: () => Promise<B>,
  before: (pair: number) => void = () => undefined,
): Promise<readonly (readonly [A, B])[]> {
  const pairs: (readonly [A, B])[] = []
  for (let pair = 1; pair <= count; pair += 1) {
    before(pair)
    pairs.push(await measurePair(pair, one, other))
  }
  return pairs
}

/** The middle one of an odd number of values; of an even number, the upper one of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The median of ratios with its 95 % confidence interval; null where there is none. */
export function ratioOf(ratios: readonly number[]) {
  if (ratios.length === 0) return { ratio: null, range: null }
  return { ratio: medianOf(ratios), range: rangeOfMedian(ratios) }
}

/**
 * The 95 % confidence interval of the median of up to 1,000 values, whatever their spread: the number of values below the
 * true median has a binomial distribution. Less than six values give the smallest and the largest, and less than 95 %.
 */
export function rangeOfMedian(values: readonly number[]): readonly [number, number] {
  const sorted = values.toSorted((a, b) => a - b)
  const count = sorted.length
  let outside = 0
  // The chance that as many of the values as `below` lie below the median, and the chance of fewer or as many.
  let chance = 0.5 ** count
  let upTo = chance
  for (let below = 0; 2 * upTo <= 0.05; below += 1) {
    outside = below
    chance *= (count - below) / (below + 1)
    upTo += chance
  }
  return [sorted[outside] ?? Number.NaN, sorted[count - 1 - outside] ?? Number.NaN]
}
