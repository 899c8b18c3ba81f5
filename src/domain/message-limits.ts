/**
 * How many text messages are sent, to whom, and how often a code is tried: the numbers of the whole deployment. Whoever asks
 * from a browser in which the phone was proven before is known; everybody else is a stranger, who may be its owner or not.
 */
import type { Limit } from './limit.ts'

const minute_ms = 60_000
const hour_ms = 3_600_000
const day_ms = 24 * hour_ms

/** Of what one phone may have in an hour, and of what it may have in a day, this much is kept for known browsers. */
const kept = { codes: 2, tries: 5 } as const

/** Counts that are compared with each other keep their times together in the same spans. */
const compared_grain_ms = 30_000

/** The numbers that an operator may set. */
export interface MessageBounds {
  /** Messages of the whole deployment. */
  readonly messages_per_hour: number
  readonly codes_per_phone_hour: number
  readonly codes_per_phone_day: number
  /** Wrong ones. */
  readonly tries_per_phone_hour: number
  readonly tries_per_phone_day: number
  /** Of an IPv4 address or an IPv6 /56, and of an IPv6 /48. */
  readonly codes_per_address_hour: number
  readonly codes_per_site_hour: number
  /** Of one merchant. */
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

/** Every limit, by the number of times and the span. Names are part of what counters are kept under: they stay. */
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

/** The limits that follow from an operator's numbers (docs/messages.md). */
export function messageLimits(bounds: MessageBounds): MessageLimits {
  const { messages_per_hour: budget } = bounds
  const codes = [bounds.codes_per_phone_hour, bounds.codes_per_phone_day] as const
  const tries = [bounds.tries_per_phone_hour, bounds.tries_per_phone_day] as const
  return {
    codes: {
      phone: hourAndDay('codes to a phone', codes, 0),
      phone_strangers: hourAndDay('codes of strangers to a phone', codes, kept.codes),
      address: hourly('codes from an address', bounds.codes_per_address_hour),
      site: hourly('codes from a site', bounds.codes_per_site_hour),
      strangers: compared('codes of strangers', share(budget, 2)),
    },
    tries: {
      phone: hourAndDay('wrong codes for a phone', tries, 0),
      phone_strangers: hourAndDay('wrong codes of strangers for a phone', tries, kept.tries),
      // A neighbourhood may share one: this stops machines, not people.
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

/** The part of a limit that one program may have, of which it is half while other programs wait for theirs. */
export function programPart(of: Limit, others_wait: boolean): Limit {
  const rules = of.rules.map(({ most, within_ms }) => ({ most: others_wait ? share(most, 2) : most, within_ms }))
  return { ...of, name: `${of.name}, of a program`, rules }
}

/** Which programs wait: each counts once a minute, in a count of its own and in that of all. Nothing is refused by it. */
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

/** Within this span a program that asked is one that others make room for. A little less than a count lasts. */
export const waits_for_ms = hour_ms - compared_grain_ms

/** What has to be told of a budget that is used up: nothing, that half of it is, or nine tenths. */
export function budgetLevel(used: number, most: number): 'half' | 'nine tenths' | null {
  if (used >= most * 0.9) return 'nine tenths'
  return used >= most * 0.5 ? 'half' : null
}

/** So that what is shared is never nothing. */
function share(most: number, parts: number): number {
  return Math.max(1, Math.floor(most / parts))
}

function hourly(name: string, most: number): Limit {
  return { name, rules: [{ most, within_ms: hour_ms }] }
}

function compared(name: string, most: number): Limit {
  return { ...hourly(name, most), grain_ms: compared_grain_ms }
}

function hourAndDay(name: string, [hour, day]: readonly [number, number], kept_for_known: number): Limit {
  return {
    name,
    rules: [
      { most: Math.max(1, hour - kept_for_known), within_ms: hour_ms },
      { most: Math.max(1, day - kept_for_known), within_ms: day_ms },
    ],
  }
}
