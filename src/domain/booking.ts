/**
 * When a change counts in its merchant's account. A closed period takes no more changes: later ones count from its end on,
 * even if the clock of a process is behind. docs/decisions/0034-settlement.md
 */

/** Gives when a change of `now` counts, for a merchant whose closed periods end at `closing_to`. */
export function bookedAt(now: Date, closing_to: Date | null): Date {
  return closing_to !== null && closing_to.getTime() > now.getTime() ? closing_to : now
}

/** Gives when a change of `now` counts, or null if at once. */
export function bookedLater(now: Date, closing_to: Date | null): Date | null {
  const booked = bookedAt(now, closing_to)
  return booked === now ? null : booked
}
