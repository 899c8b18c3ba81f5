/** How often a thing may be done: so many times within any span of time, with no fresh start at a full hour. */

/** At most `most` times within any span of `within_ms`. */
export interface Rule {
  readonly most: number
  readonly within_ms: number
}

/** A named count with the rules that it has to keep, one or several. */
export interface Limit {
  readonly name: string
  readonly rules: readonly Rule[]
  /** Times are kept together by spans of this length; without it, as the rules ask. */
  readonly grain_ms?: number
}

/** So many times up to an instant. */
export interface Tally {
  readonly at: Date
  readonly count: number
}

/** Up to this many, each time is kept by itself. */
const most_exact = 100
/** More are kept together by spans of time, so many of them to the longest rule. */
const spans = 120
/** Clocks of machines differ: a tally may be ahead of this one by this part of the longest rule, or by its own grain. */
const ahead = 1 / 12

/** The longest span that a limit looks back, in milliseconds. */
export function longestOf({ rules }: Pick<Limit, 'rules'>): number {
  return Math.max(...rules.map(({ within_ms }) => within_ms))
}

/**
 * The tallies that a limit still counts at an instant, the oldest first. One far ahead is of a clock that was set back since: it
 * is dropped, so that a clock that is set back again and again under steady traffic does not make the tallies ever more.
 */
export function countedTallies(limit: Limit, tallies: readonly Tally[], now: Date): Tally[] {
  const latest_ms = now.getTime() + Math.max(grainOf(limit), longestOf(limit) * ahead)
  return within(longestOf(limit), tallies, now).filter(({ at }) => at.getTime() <= latest_ms)
}

/** How many times were counted within a span before an instant, which is given in milliseconds. */
export function countWithin(within_ms: number, tallies: readonly Tally[], now: Date): number {
  return within(within_ms, tallies, now).reduce((sum, { count }) => sum + count, 0)
}

/** When a limit admits one more after these tallies: null for at once. A rule of `most` 0 is asked again after its whole span. */
export function admittedAt(limit: Limit, tallies: readonly Tally[], now: Date): Date | null {
  const counted = countedTallies(limit, tallies, now)
  const instants = limit.rules.map((rule) => freeAt(rule, counted, now)).filter((instant) => instant !== null)
  return instants.reduce<Date | null>((last, one) => (last === null || one > last ? one : last), null)
}

/**
 * Counts one more at an instant.
 * @returns what counts now, and the tally that took it, which `withoutOne` takes it out of
 */
export function withOne(limit: Limit, tallies: readonly Tally[], now: Date): { tallies: Tally[]; counted_at: Date } {
  const grain_ms = grainOf(limit)
  const counted_at = endOfSpan(now, grain_ms)
  const counts = new Map<number, number>()
  // What the limit counted when it had other numbers is in its present spans too, so that a row never has more of them.
  for (const { at, count } of [...countedTallies(limit, tallies, now), { at: counted_at, count: 1 }]) {
    const time = endOfSpan(at, grain_ms).getTime()
    counts.set(time, (counts.get(time) ?? 0) + count)
  }
  return { tallies: sorted([...counts].map(([time, count]) => ({ at: new Date(time), count }))), counted_at }
}

/** The end: nothing leaves a window before its time, so no window ever admits more than its number. */
function endOfSpan(at: Date, grain_ms: number): Date {
  return new Date(Math.ceil(at.getTime() / grain_ms) * grain_ms)
}

/** Takes one out of the tally that took it, if it is still there. */
export function withoutOne(tallies: readonly Tally[], counted_at: Date): Tally[] {
  return tallies.flatMap((tally) => {
    if (tally.at.getTime() !== counted_at.getTime()) return [tally]
    return tally.count === 1 ? [] : [{ at: tally.at, count: tally.count - 1 }]
  })
}

/** In whole milliseconds. */
function grainOf({ rules, grain_ms }: Limit): number {
  if (grain_ms !== undefined) return grain_ms
  return rules.every(({ most }) => most <= most_exact) ? 1 : Math.ceil(longestOf({ rules }) / spans)
}

function freeAt({ most, within_ms }: Rule, tallies: readonly Tally[], now: Date): Date | null {
  if (most <= 0) return new Date(now.getTime() + within_ms)
  let room = most
  for (const { at, count } of within(within_ms, tallies, now).reverse()) {
    room -= count
    if (room <= 0) return new Date(at.getTime() + within_ms)
  }
  return null
}

function within(span_ms: number, tallies: readonly Tally[], now: Date): Tally[] {
  return sorted(tallies.filter(({ at }) => Math.abs(now.getTime() - at.getTime()) < span_ms))
}

function sorted(tallies: readonly Tally[]): Tally[] {
  return [...tallies].sort((a, b) => a.at.getTime() - b.at.getTime())
}
