/** Changes that wait for a second person. docs/spec/two-people.md */
import type { Uuid } from './ids.ts'
import { day_ms } from './spans.ts'
import { isStoppedBySuspension, mayDo, type Standing } from './staff.ts'

/** What can need a second person. */
export const proposalKinds = ['program.rate', 'program.set', 'wallet.adjust', 'settlement.close'] as const
export type ProposalKind = (typeof proposalKinds)[number]

/** `expired`: nobody decided in time. */
export const proposalStates = ['open', 'confirmed', 'rejected', 'expired'] as const
export type ProposalState = (typeof proposalStates)[number]

/** How long a proposal waits. */
export const proposal_ms = 7 * day_ms

/**
 * The most proposals that wait at a time: in a program, at all of its merchants together, and at one merchant. So the staff
 * of a merchant cannot keep other merchants, or operators, from proposing.
 */
export const max_open_proposals = { program: 100, merchants: 80, merchant: 20 } as const

/** How many proposals of a program wait, by the same places. */
export type OpenProposals = { readonly [Place in keyof typeof max_open_proposals]: number }

/** Whether one more may wait, at a merchant or elsewhere in the program. docs/spec/two-people.md#proposals */
export function hasRoom(open: OpenProposals, { at_merchant }: { readonly at_merchant: boolean }): boolean {
  const places = at_merchant ? (['program', 'merchants', 'merchant'] as const) : (['program'] as const)
  return places.every((place) => open[place] < max_open_proposals[place])
}

/** What a program asks of a second person. */
export interface TwoPersonRule {
  readonly two_person_rates: boolean
  readonly two_person_settlements: boolean
  /** Adjustments of more points than this need one; null: no adjustment does. */
  readonly two_person_adjustments_over: number | null
}

/** The largest `two_person_adjustments_over` that a program can set, in points. */
export const max_adjustments_over = 1_000_000_000

/** A change of the rule, by its changed parts. */
export type RuleChange = { readonly [Part in keyof TwoPersonRule]?: TwoPersonRule[Part] | undefined }

/** Whether adding or taking points needs a second person. */
export function adjustmentNeedsTwo({ two_person_adjustments_over: over }: TwoPersonRule, points: number): boolean {
  return over !== null && Math.abs(points) > over
}

/**
 * Gives the parts of a change that make the rule weaker: they need a second person themselves, or one person would switch
 * it off first. docs/spec/two-people.md#rule
 */
export function weakeningOf(rule: TwoPersonRule, change: RuleChange): RuleChange {
  const { two_person_rates: rates, two_person_settlements: settlements, two_person_adjustments_over: over } = change
  const was = rule.two_person_adjustments_over
  return {
    ...(rule.two_person_rates && rates === false ? { two_person_rates: false } : {}),
    ...(rule.two_person_settlements && settlements === false ? { two_person_settlements: false } : {}),
    ...(was !== null && over !== undefined && (over === null || over > was)
      ? { two_person_adjustments_over: over }
      : {}),
  }
}

/** Who proposed a change: a person who was signed in, or a command by the name that it gave. */
export interface Proposer {
  readonly proposed_by: string
  readonly proposed_uuid: Uuid | null
}

/** Somebody who is signed in, with what they may do at this moment. */
export interface SignedIn {
  readonly staff_uuid: Uuid
  /** The e-mail address. */
  readonly name: string
  readonly is_operator: boolean
  readonly disabled: boolean
}

/** The person who proposed a change, as they are now. */
export interface ProposerNow {
  readonly disabled: boolean
  /** Operator, or the role at the merchant of the proposal; null for a person who is neither any more. */
  readonly standing: Standing | null
  /** That merchant is suspended. */
  readonly suspended: boolean
}

/** A proposal, as far as a decision needs it. */
export interface Decidable extends Proposer {
  readonly state: ProposalState
  readonly expires_at: Date
}

/** Why somebody may not confirm. `gone`: the person who proposed it may not propose it any more. */
export type ConfirmRefused = 'not operator' | 'own' | 'ended' | 'expired' | 'gone'

/** The state at an instant: an open proposal expires by itself. */
export function stateAt({ state, expires_at }: Pick<Decidable, 'state' | 'expires_at'>, now: Date): ProposalState {
  return state === 'open' && expires_at.getTime() <= now.getTime() ? 'expired' : state
}

/** True for the person who proposed it, in any session. A command under this person's name counts as theirs. */
export function isOwn({ proposed_by, proposed_uuid }: Proposer, { staff_uuid, name }: SignedIn): boolean {
  return proposed_uuid === staff_uuid || proposed_by.trim().toLowerCase() === name.trim().toLowerCase()
}

/**
 * Decides whether a person may confirm a proposal now: another operator than its proposer, before it expires. Takes the
 * proposer as they are now, null for a command. Gives null if the person may confirm. docs/spec/two-people.md#confirm
 */
export function refuseConfirm(
  proposal: Decidable,
  { by, proposer }: { readonly by: SignedIn; readonly proposer: ProposerNow | null },
  now: Date,
): ConfirmRefused | null {
  if (!by.is_operator || by.disabled) return 'not operator'
  const state = stateAt(proposal, now)
  if (state !== 'open') return state === 'expired' ? 'expired' : 'ended'
  if (isOwn(proposal, by)) return 'own'
  return isProposerGone(proposal, proposer) ? 'gone' : null
}

/** True if the person who proposed a change could not propose it any more. A command always can. */
export function isProposerGone({ proposed_uuid }: Proposer, proposer: ProposerNow | null): boolean {
  return proposed_uuid !== null && (proposer === null || !mayStillPropose(proposer))
}

/** The staff of merchants can propose only adjustments. */
function mayStillPropose({ disabled, standing, suspended }: ProposerNow): boolean {
  return (
    !disabled &&
    standing !== null &&
    mayDo(standing, 'adjust_wallets') &&
    !isStoppedBySuspension(standing, { suspended })
  )
}
