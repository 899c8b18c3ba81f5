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
import { hour_ms } from '../../domain/spans.ts'
import { homeOf, siteOf } from '../../lib/client-network.ts'
import type { Log } from '../../observability/log.ts'
import type { Admission, Count, Counted, Limits } from './service.ts'

/** How much of the message budget, or of a part of it, is used. */
export interface BudgetUse {
  readonly used: number
  readonly most: number
}

/** A request to send a code. */
export interface CodeRequest {
  readonly program_id: number
  readonly phone: Phone
  readonly client_address: string
  /** Whether this browser is a known one: the phone was proven in it. */
  readonly known: boolean
}

/** A request to send an invitation. */
export interface InvitationRequest {
  readonly program_id: number
  readonly merchant_id: number
  readonly phone: Phone
  /** Whether it is the first attempt of the invitation. */
  readonly first: boolean
  /** Whether other programs have due invitations. */
  readonly others_wait: boolean
}

/** Limits messages and tries of codes over the whole deployment. docs/decisions/0022-limits.md */
export interface MessageBudget {
  /** Counts a code, or says when to try again. */
  admitCode(request: CodeRequest): Promise<Admission>
  /** Counts an invitation, or says when to try again. */
  admitInvitation(request: InvitationRequest): Promise<Admission>
  /** What a limit of invitations counts: the merchant's, the phone's, or all (also those of a program). */
  whoseInvitations(limit: Limit): 'merchant' | 'phone' | 'all'
  /** Whether a count is of the address that asked. */
  isOfAddress(count: Count): boolean
  /** The limits that count a wrong code. */
  triesOf(request: Omit<CodeRequest, 'program_id'>): readonly Counted[]
  /** The use within an hour of the budget, and of the parts for invitations and for codes of unknown browsers. */
  use(): Promise<{ readonly all: BudgetUse; readonly invitations: BudgetUse; readonly strangers: BudgetUse }>
  readonly limits: Limits
  /** The most invitations of one merchant per minute. */
  readonly invitations_per_minute: number
}

export interface BudgetParts {
  readonly limits: Limits
  readonly bounds: MessageBounds
  /** Called when half of the budget is used, and nine tenths: each at most once an hour. */
  readonly onUsed?: (level: 'half' | 'nine tenths', use: BudgetUse) => void
}

export function createMessageBudget(parts: BudgetParts): MessageBudget {
  const { limits, bounds } = parts
  const numbers = messageLimits(bounds)
  const notifyUse = createNotifyUse(parts)
  async function admit(asked: readonly Counted[]): Promise<Admission> {
    const admission = await limits.admit(asked)
    if (admission.admitted) notifyUse(admission.counts.find(({ limit }) => limit === numbers.messages)?.total ?? 0)
    return admission
  }
  return {
    limits,
    invitations_per_minute: bounds.invitations_per_minute,
    async admitCode(request) {
      const asked = await codeCounts(parts.limits, numbers, request)
      const admission = await admit(asked)
      if (!admission.admitted && admission.limit === numbers.codes.strangers)
        await recordWait(limits, request.program_id)
      return admission
    },
    whoseInvitations(limit) {
      const { phone, merchant_minute, merchant_hour } = numbers.invitations
      if (limit === phone) return 'phone'
      return limit === merchant_minute || limit === merchant_hour ? 'merchant' : 'all'
    },
    isOfAddress: ({ limit }) => limit === numbers.codes.address || limit === numbers.codes.site,
    admitInvitation: (request) => admit(invitationCounts(numbers, request)),
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
      if (all === undefined || invitations === undefined || strangers === undefined)
        throw new Error('a tally is missing')
      return { all, invitations, strangers }
    },
  }
}

/** Narrow limits come first, so that they refuse before a wider one counts. */
async function codeCounts(
  limits: Limits,
  { codes, messages }: MessageLimits,
  request: CodeRequest,
): Promise<Counted[]> {
  const { program_id, phone, client_address, known } = request
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

function invitationCounts({ invitations, messages }: MessageLimits, request: InvitationRequest): Counted[] {
  const { program_id, merchant_id, phone, first, others_wait } = request
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
 * Whether other programs want codes too. Codes have no queue, so a program waits if it got or was refused a code within
 * the hour. The count of all is read before the program's own, and written after it, so that the own is never seen as
 * another's.
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

/** Records that a program was refused a code because the shared part is used up; at most once a minute. */
async function recordWait(limits: Limits, program_id: number): Promise<void> {
  await limits.admit([
    { limit: waiting.program, whom: [program_id] },
    { limit: waiting.all, whom: [] },
  ])
}

function createNotifyUse({ limits, bounds, onUsed }: BudgetParts): (used: number) => void {
  const notified = new Map<string, number>()
  return (used) => {
    const most = bounds.messages_per_hour
    const level = budgetLevel(used, most)
    const now_ms = limits.now().getTime()
    if (level === null || Math.abs(now_ms - (notified.get(level) ?? Number.NEGATIVE_INFINITY)) < hour_ms) return
    notified.set(level, now_ms)
    onUsed?.(level, { used, most })
  }
}

/** Gives a function that warns the operator when half, and when nine tenths, of an hour's text messages are sent. */
export function logMessagesUsed(log: Log): NonNullable<BudgetParts['onUsed']> {
  return (level, { used, most }) =>
    log.warn(
      { used, most },
      `${level} of the text messages that an hour may have are sent: NUQTA_SMS_PER_HOUR sets how many`,
    )
}
