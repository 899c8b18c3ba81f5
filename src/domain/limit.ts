/**
 * Rate limits over sliding windows, and the limits of text messages. docs/spec/customers.md#code-limits,
 * docs/messages.md
 */

import { after, day_ms, hour_ms, minute_ms } from './spans.ts'

/** At most `most` times within any span of `within_ms`. */
export interface Rule {
  readonly most: number
  readonly within_ms: number
}

/** A named counter with one or more rules. */
export interface Limit {
  readonly name: string
  readonly rules: readonly Rule[]
  /** Size of the time buckets; derived from the rules if missing. */
  readonly bucket_ms?: number
}

/** A number of events in the bucket that ends at `at`. */
export interface Tally {
  readonly at: Date
  readonly count: number
}

/** Up to this maximum, a limit stores each event by itself. */
const max_exact = 100
/** Above it, events share buckets: this many per longest window. */
const buckets = 120
/** Clock skew: a tally may lie ahead of `now` by this share of the longest window, or by one bucket. */
const max_skew_share = 1 / 12

/** Gives the longest window of a limit, in milliseconds. */
export function longestOf({ rules }: Pick<Limit, 'rules'>): number {
  return Math.max(...rules.map(({ within_ms }) => within_ms))
}

/**
 * Gives the tallies that a limit still counts at `now`, oldest first. Tallies far in the future come from a clock that
 * was set back; they are dropped, so that repeated resets do not accumulate tallies.
 */
export function countedTallies(limit: Limit, tallies: readonly Tally[], now: Date): Tally[] {
  const latest_ms = now.getTime() + Math.max(bucketOf(limit), longestOf(limit) * max_skew_share)
  return within(longestOf(limit), tallies, now).filter(({ at }) => at.getTime() <= latest_ms)
}

/** Gives the number of events in the last `within_ms` milliseconds before `now`. */
export function countWithin(within_ms: number, tallies: readonly Tally[], now: Date): number {
  return within(within_ms, tallies, now).reduce((sum, { count }) => sum + count, 0)
}

/**
 * Gives when the limit admits one more event; null for now. A rule with `most` 0 gives the end of its window from now.
 */
export function admittedAt(limit: Limit, tallies: readonly Tally[], now: Date): Date | null {
  const counted = countedTallies(limit, tallies, now)
  const instants = limit.rules
    .map((rule) => freeAt(rule, counted, { now, bucket_ms: bucketOf(limit) }))
    .filter((instant) => instant !== null)
  return instants.reduce<Date | null>((last, one) => (last === null || one > last ? one : last), null)
}

/** Gives the seconds to wait until `retry_at`, as a Retry-After header says them: whole, and at least one. */
export function retryAfterSeconds(retry_at: Date, now: Date): number {
  return Math.max(1, Math.ceil((retry_at.getTime() - now.getTime()) / 1_000))
}

/**
 * Counts one event at `now`.
 * @returns the new tallies, and the `counted_at` by which `withoutOne` can take the event back
 */
export function withOne(limit: Limit, tallies: readonly Tally[], now: Date): { tallies: Tally[]; counted_at: Date } {
  const bucket_ms = bucketOf(limit)
  const counted_at = endOfBucket(now, bucket_ms)
  const counts = new Map<number, number>()
  // Rebucket earlier tallies: after a change of the limits, a row must not exceed the number of buckets.
  for (const { at, count } of [...countedTallies(limit, tallies, now), { at: counted_at, count: 1 }]) {
    const time = endOfBucket(at, bucket_ms).getTime()
    counts.set(time, (counts.get(time) ?? 0) + count)
  }
  return { tallies: sorted([...counts].map(([time, count]) => ({ at: new Date(time), count }))), counted_at }
}

/** Rounds up to the end of the bucket, so that no event leaves a window too early. */
function endOfBucket(at: Date, bucket_ms: number): Date {
  return new Date(Math.ceil(at.getTime() / bucket_ms) * bucket_ms)
}

/** Takes back one event that was counted at `counted_at`, if its tally still exists. */
export function withoutOne(tallies: readonly Tally[], counted_at: Date): Tally[] {
  return tallies.flatMap((tally) => {
    if (tally.at.getTime() !== counted_at.getTime()) return [tally]
    return tally.count === 1 ? [] : [{ at: tally.at, count: tally.count - 1 }]
  })
}

function bucketOf({ rules, bucket_ms }: Limit): number {
  if (bucket_ms !== undefined) return bucket_ms
  return rules.every(({ most }) => most <= max_exact) ? 1 : Math.ceil(longestOf({ rules }) / buckets)
}

function freeAt(
  { most, within_ms }: Rule,
  tallies: readonly Tally[],
  { now, bucket_ms }: { readonly now: Date; readonly bucket_ms: number },
): Date | null {
  if (most <= 0) return after(now, within_ms)
  let room = most
  // A bucket may end further ahead than a short window is long.
  for (const { at, count } of within(within_ms, tallies, now, Math.max(within_ms, bucket_ms)).reverse()) {
    room -= count
    if (room <= 0) return after(at, within_ms)
  }
  return null
}

/** Gives the tallies of the last `span_ms` milliseconds, and those less than `ahead_ms` in the future, oldest first. */
function within(span_ms: number, tallies: readonly Tally[], now: Date, ahead_ms: number = span_ms): Tally[] {
  const now_ms = now.getTime()
  return sorted(tallies.filter(({ at }) => now_ms - at.getTime() < span_ms && at.getTime() - now_ms < ahead_ms))
}

function sorted(tallies: readonly Tally[]): Tally[] {
  return [...tallies].sort((a, b) => a.at.getTime() - b.at.getTime())
}

/**
 * The part of the limits of one phone, per hour and per day, that is reserved for known browsers: those in which the
 * phone was proven before. Everybody else is a stranger. docs/spec/customers.md#known-browser
 */
const reserved = { codes: 2, tries: 5 } as const

/** Limits that are compared with each other use the same buckets. */
const compared_bucket_ms = 30_000

/** The numbers that an operator can set. docs/settings.md */
export interface MessageBounds {
  /** Messages of the whole deployment per hour. */
  readonly messages_per_hour: number
  readonly codes_per_phone_hour: number
  readonly codes_per_phone_day: number
  /** Wrong codes. */
  readonly tries_per_phone_hour: number
  readonly tries_per_phone_day: number
  /** An address is an IPv4 address or an IPv6 /56; a site is an IPv6 /48. */
  readonly codes_per_address_hour: number
  readonly codes_per_site_hour: number
  /** Per merchant. */
  readonly invitations_per_minute: number
  readonly invitations_per_hour: number
}

export const standard_bounds: MessageBounds = {
  messages_per_hour: 2_000,
  codes_per_phone_hour: 5,
  codes_per_phone_day: 10,
  tries_per_phone_hour: 15,
  tries_per_phone_day: 30,
  codes_per_address_hour: 100,
  codes_per_site_hour: 400,
  invitations_per_minute: 60,
  invitations_per_hour: 1_000,
}

/** Every limit of messages. The names are part of the keys of stored counters, so never change them. */
export interface MessageLimits {
  readonly codes: {
    readonly phone: Limit
    readonly phone_strangers: Limit
    readonly address: Limit
    readonly site: Limit
    readonly strangers: Limit
  }
  readonly tries: { readonly phone: Limit; readonly phone_strangers: Limit; readonly address: Limit }
  readonly invitations: {
    readonly phone: Limit
    readonly merchant_minute: Limit
    readonly merchant_hour: Limit
    readonly all: Limit
  }
  readonly messages: Limit
}

/** Takes the operator's numbers; gives the limits. docs/messages.md */
export function messageLimits(bounds: MessageBounds): MessageLimits {
  const { messages_per_hour: budget } = bounds
  const codes = [bounds.codes_per_phone_hour, bounds.codes_per_phone_day] as const
  const tries = [bounds.tries_per_phone_hour, bounds.tries_per_phone_day] as const
  return {
    codes: {
      phone: hourAndDay('codes to a phone', codes, 0),
      phone_strangers: hourAndDay('codes of strangers to a phone', codes, reserved.codes),
      address: hourly('codes from an address', bounds.codes_per_address_hour),
      site: hourly('codes from a site', bounds.codes_per_site_hour),
      strangers: compared('codes of strangers', share(budget, 2)),
    },
    tries: {
      phone: hourAndDay('wrong codes for a phone', tries, 0),
      phone_strangers: hourAndDay('wrong codes of strangers for a phone', tries, reserved.tries),
      // A neighbourhood can share an address, so this stops scripts, not people.
      address: hourly('wrong codes from an address', 200),
    },
    invitations: {
      phone: { name: 'invitations to a phone', rules: [{ most: 1, within_ms: day_ms }] },
      merchant_minute: {
        name: 'invitations of a merchant in a minute',
        rules: [{ most: bounds.invitations_per_minute, within_ms: minute_ms }],
      },
      merchant_hour: hourly('invitations of a merchant', bounds.invitations_per_hour),
      all: hourly('invitations', share(budget, 4)),
    },
    messages: hourly('messages', budget),
  }
}

/** Tests that a merchant's staff ask for. The names are part of the keys of stored counters, so never change them. */
export const testLimits = {
  /** A provider that is asked too often refuses others: merchants may share the deployment's account. */
  payment: hourly('payment tests', 30),
  /** Each leaves an event, a delivery and a row of the audit log. */
  webhook: hourly('webhook tests', 60),
} as const satisfies Readonly<Record<string, Limit>>

/** Gives the share of a limit that one program may use: all of it, or half while other programs wait. */
export function programPart(of: Limit, others_wait: boolean): Limit {
  const rules = of.rules.map(({ most, within_ms }) => ({ most: others_wait ? share(most, 2) : most, within_ms }))
  return { ...of, name: `${of.name}, of a program`, rules }
}

/** Counters of waiting programs: one per program and one of all, each counted once a minute. They refuse nothing. */
export const waiting = {
  program: {
    ...compared('a program that waits', 120),
    rules: [
      { most: 1, within_ms: minute_ms },
      { most: 120, within_ms: hour_ms },
    ],
  },
  all: compared('programs that wait', 1_000_000),
} as const satisfies Readonly<Record<string, Limit>>

/**
 * How long other programs make room for a program after its request, in milliseconds: a little less than its counter
 * lasts.
 */
export const waits_for_ms = hour_ms - compared_bucket_ms

/** Takes the used part of a budget; gives the level to warn about, or null below half. */
export function budgetLevel(used: number, most: number): 'half' | 'nine tenths' | null {
  if (used >= most * 0.9) return 'nine tenths'
  return used >= most * 0.5 ? 'half' : null
}

/** A share is at least 1. */
function share(most: number, parts: number): number {
  return Math.max(1, Math.floor(most / parts))
}

/** Takes the name of a limit and how many it admits within any hour; gives the limit. */
export function hourly(name: string, most: number): Limit {
  return { name, rules: [{ most, within_ms: hour_ms }] }
}

function compared(name: string, most: number): Limit {
  return { ...hourly(name, most), bucket_ms: compared_bucket_ms }
}

function hourAndDay(name: string, [hour, day]: readonly [number, number], reserved_for_known: number): Limit {
  return {
    name,
    rules: [
      { most: Math.max(1, hour - reserved_for_known), within_ms: hour_ms },
      { most: Math.max(1, day - reserved_for_known), within_ms: day_ms },
    ],
  }
}
