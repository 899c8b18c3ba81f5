import {
  budgetLevel,
  countWithin,
  type Limit,
  type MessageBounds,
  type MessageLimits,
  messageLimits,
  programPart,
  waiting,
  waits_for_ms,
} from '../../domain/limit.ts'
import type { Phone } from '../../domain/phone.ts'
import { homeOf, siteOf } from '../../net/client-network.ts'
import type { Admission, Count, Counted, Limits } from './service.ts'

/** How much of the budget of messages is used, or of a part of it. */
export interface BudgetUse {
  readonly used: number
  readonly most: number
}

/** A code that is about to be sent. */
export interface CodeAsk {
  readonly program_id: number
  readonly phone: Phone
  readonly client_address: string
  /** Whether the phone was proven in this browser before. */
  readonly known: boolean
}

/** An invitation that is about to be sent. */
export interface InvitationAsk {
  readonly program_id: number
  readonly merchant_id: number
  readonly phone: Phone
  /** Whether it is the first attempt: later ones are of the same invitation. */
  readonly first: boolean
  /** Whether other programs have invitations that are due. */
  readonly others_wait: boolean
}

/** Whether a message may be sent, or a code be tried: by the numbers of the whole deployment (docs/decisions/0022-limits.md). */
export interface MessageBudget {
  /** Counts a code, or says when to ask again. */
  admitCode(ask: CodeAsk): Promise<Admission>
  /** Counts an invitation, or says when to come again. */
  admitInvitation(ask: InvitationAsk): Promise<Admission>
  /** Whose number of invitations a limit is: of the merchant, of the phone, or of the program and all. */
  whoseInvitations(limit: Limit): 'merchant' | 'phone' | 'all'
  /** Whether something was counted for the address that asked, rather than for what was asked. */
  isOfAddress(count: Count): boolean
  /** What a wrong code is counted by. */
  triesOf(ask: Omit<CodeAsk, 'program_id'>): readonly Counted[]
  /** What is used of the budget within an hour, and of the parts that invitations and the codes of strangers may have. */
  use(): Promise<{ readonly all: BudgetUse; readonly invitations: BudgetUse; readonly strangers: BudgetUse }>
  readonly limits: Limits
  /** How many invitations of a merchant a minute may have. */
  readonly invitations_per_minute: number
}

export interface BudgetParts {
  readonly limits: Limits
  readonly bounds: MessageBounds
  /** Told when half of the budget is used, and nine tenths: each once an hour at most. */
  readonly onUsed?: (level: 'half' | 'nine tenths', use: BudgetUse) => void
}

export function createMessageBudget(parts: BudgetParts): MessageBudget {
  const { limits, bounds } = parts
  const numbers = messageLimits(bounds)
  const announce = announcer(parts)
  async function admit(asked: readonly Counted[]): Promise<Admission> {
    const admission = await limits.admit(asked)
    if (admission.admitted) announce(admission.counts.find(({ limit }) => limit === numbers.messages)?.total ?? 0)
    return admission
  }
  return {
    limits,
    invitations_per_minute: bounds.invitations_per_minute,
    async admitCode(ask) {
      const asked = await codeCounts(parts.limits, numbers, ask)
      const admission = await admit(asked)
      if (!admission.admitted && admission.limit === numbers.codes.strangers) await wait(limits, ask.program_id)
      return admission
    },
    whoseInvitations(limit) {
      const { phone, merchant_minute, merchant_hour } = numbers.invitations
      if (limit === phone) return 'phone'
      return limit === merchant_minute || limit === merchant_hour ? 'merchant' : 'all'
    },
    isOfAddress: ({ limit }) => limit === numbers.codes.address || limit === numbers.codes.site,
    admitInvitation: (ask) => admit(invitationCounts(numbers, ask)),
    triesOf({ phone, client_address, known }) {
      const { tries } = numbers
      return [
        { limit: tries.address, whom: [homeOf(client_address)] },
        ...(known ? [] : [{ limit: tries.phone_strangers, whom: [phone] }]),
        { limit: tries.phone, whom: [phone] },
      ]
    },
    async use() {
      const asked = [numbers.messages, numbers.invitations.all, numbers.codes.strangers]
      const found = await limits.tallies(asked.map((limit) => ({ limit, whom: [] })))
      const [all, invitations, strangers] = asked.map(({ rules: [rule] }, index) => ({
        used: countWithin(rule?.within_ms ?? 0, found[index] ?? [], limits.now()),
        most: rule?.most ?? 0,
      }))
      if (all === undefined || invitations === undefined || strangers === undefined) throw new Error('three were asked')
      return { all, invitations, strangers }
    },
  }
}

/** Narrow limits come first: who is over them is refused before anything wider is counted. */
async function codeCounts(limits: Limits, { codes, messages }: MessageLimits, ask: CodeAsk): Promise<Counted[]> {
  const { program_id, phone, client_address, known } = ask
  const site = siteOf(client_address)
  const own: Counted[] = [
    { limit: codes.address, whom: [homeOf(client_address)] },
    ...(site === null ? [] : [{ limit: codes.site, whom: [site] }]),
    ...(known ? [] : [{ limit: codes.phone_strangers, whom: [phone] }]),
    { limit: codes.phone, whom: [phone] },
  ]
  const shared: Counted[] = known
    ? []
    : [
        {
          limit: programPart(codes.strangers, await othersWait(limits, codes.strangers, program_id)),
          whom: [program_id],
        },
        { limit: codes.strangers, whom: [] },
      ]
  return [...own, ...shared, { limit: messages, whom: [] }]
}

function invitationCounts({ invitations, messages }: MessageLimits, ask: InvitationAsk): Counted[] {
  const { program_id, merchant_id, phone, first, others_wait } = ask
  const merchant = [program_id, merchant_id]
  return [
    ...(first ? [{ limit: invitations.phone, whom: [program_id, phone] }] : []),
    { limit: invitations.merchant_minute, whom: merchant },
    { limit: invitations.merchant_hour, whom: merchant },
    { limit: programPart(invitations.all, others_wait), whom: [program_id] },
    { limit: invitations.all, whom: [] },
    { limit: messages, whom: [] },
  ]
}

/**
 * Nobody queues for a code, so who waits is who has asked within the hour: other programs that had some, or would have.
 * Counts of all are read before those of one and written after them, so that one's own are never taken for another's.
 */
async function othersWait(limits: Limits, strangers: MessageLimits['codes']['strangers'], program_id: number) {
  const found = await limits.tallies([
    { limit: strangers, whom: [] },
    { limit: programPart(strangers, false), whom: [program_id] },
    { limit: waiting.all, whom: [] },
    { limit: waiting.program, whom: [program_id] },
  ])
  const at = limits.now()
  const [all = 0, own = 0, all_waits = 0, own_waits = 0] = found.map((tallies) =>
    countWithin(waits_for_ms, tallies, at),
  )
  return all > own || all_waits > own_waits
}

/** Notes that a program asked for what all have used up, once a minute at most. */
async function wait(limits: Limits, program_id: number): Promise<void> {
  await limits.admit([
    { limit: waiting.program, whom: [program_id] },
    { limit: waiting.all, whom: [] },
  ])
}

function announcer({ limits, bounds, onUsed }: BudgetParts): (used: number) => void {
  const told = new Map<string, number>()
  return (used) => {
    const most = bounds.messages_per_hour
    const level = budgetLevel(used, most)
    const now_ms = limits.now().getTime()
    if (level === null || Math.abs(now_ms - (told.get(level) ?? Number.NEGATIVE_INFINITY)) < 3_600_000) return
    told.set(level, now_ms)
    onUsed?.(level, { used, most })
  }
}
