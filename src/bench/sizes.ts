import { measurePairs, medianOf, ratioOf } from './pairs.ts'

/** Even, so that each database begins as often as the other, and enough for the 95 % of a range. */
const turns = 6

/** What is the same in kind for a small and for a grown database. */
export interface Sizes<T> {
  readonly small: T
  readonly grown: T
}

/**
 * What was measured in turns: the medians of all turns. Older results have no more than these, from three turns that the
 * small database began.
 */
export interface Compared extends Sizes<number> {
  /** The median of the turns' ratios, grown to small. */
  readonly ratio?: number | null
  readonly range?: readonly [number, number] | null
  /** What each turn gave. */
  readonly turns?: Sizes<readonly number[]>
}

/** Measures both databases in turns; which of them begins changes with each. */
export async function inTurns<T>(of: Sizes<T>, measure: (one: T) => Promise<number>): Promise<Compared> {
  const found = await measurePairs(
    turns,
    () => measure(of.small),
    () => measure(of.grown),
  )
  const [small, grown] = [found.map(([value]) => value), found.map(([, value]) => value)]
  const ratios = found.map((turn) => turn[1] / turn[0])
  return { small: medianOf(small), grown: medianOf(grown), ...ratioOf(ratios), turns: { small, grown } }
}
