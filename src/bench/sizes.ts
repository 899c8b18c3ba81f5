import { measurePair, medianOf, ratioOf } from './pairs.ts'

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
  const found = { small: [] as number[], grown: [] as number[] }
  for (let turn = 1; turn <= turns; turn += 1) {
    const [small, grown] = await measurePair(
      turn,
      () => measure(of.small),
      () => measure(of.grown),
    )
    found.small.push(small)
    found.grown.push(grown)
  }
  const ratios = found.grown.map((grown, turn) => grown / (found.small[turn] ?? Number.NaN))
  return { small: medianOf(found.small), grown: medianOf(found.grown), ...ratioOf(ratios), turns: found }
}
