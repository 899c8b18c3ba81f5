import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Decidable, OpenProposals, ProposalKind, SignedIn } from '../../domain/proposal.ts'
import type { Role } from '../../domain/staff.ts'

/** A change that waits for a second person, or did. */
export interface ProposalRow extends Decidable {
  readonly program_id: number
  readonly proposal_uuid: Uuid
  readonly kind: ProposalKind
  /** The action, in the form that its executor reads. */
  readonly payload: object
  /** The facts that the proposal is based on. */
  readonly facts: object
  /** Whose wallet it changes. */
  readonly customer_id: Uuid | null
  /** Why; an erasure of the customer takes it. */
  readonly reason: string | null
  readonly decided_by: string | null
  readonly decided_at: Date | null
  readonly created_at: Date
}

const columns = `p.program_id, p.proposal_uuid, p.kind, p.state, p.payload, p.facts, p.customer_id, p.reason, p.proposed_by,
  p.proposed_uuid, p.decided_by, p.decided_at, p.expires_at, p.created_at`

/** Locks a program, so that its proposals are made one after the other. */
export function lockProgramOf(program_id: number): Statement<{ program_id: number }> {
  return { text: 'select program_id from program where program_id = $1 for no key update', values: [program_id] }
}

/** Ends open proposals whose time is over. */
export function expireProposals(program_id: number, now: Date): Statement<never> {
  return {
    text: `update proposal set state = 'expired' where program_id = $1 and state = 'open' and expires_at <= $2`,
    values: [program_id, now],
  }
}

/**
 * The open proposals of a program, those of merchants' staff, and those of the staff of one merchant; null counts none. Staff
 * propose adjustments alone: the close of a merchant's period names it, and comes from an operator.
 */
export function countOpen(program_id: number, merchant_id: number | null, now: Date): Statement<OpenProposals> {
  return {
    text: `select count(*)::int as program, count(p.made_at)::int as merchants,
        (count(*) filter (where p.made_at = $2::text))::int as merchant
      from (
        select case when kind = 'wallet.adjust' and payload -> 'by_operator' is null then payload ->> 'merchant_id' end as made_at
        from proposal where program_id = $1 and state = 'open' and expires_at > $3
      ) p`,
    values: [program_id, merchant_id === null ? null : String(merchant_id), now],
  }
}

/** A proposal that nobody has decided. */
export type NewProposal = Omit<ProposalRow, 'state' | 'decided_by' | 'decided_at'>

export function insertProposal(fresh: NewProposal): Statement<never> {
  const { program_id, proposal_uuid, kind, customer_id, reason, proposed_by, proposed_uuid } = fresh
  const json = [JSON.stringify(fresh.payload), JSON.stringify(fresh.facts)]
  return {
    text: `insert into proposal (program_id, proposal_uuid, kind, state, payload, facts, customer_id, reason, proposed_by,
        proposed_uuid, expires_at, created_at)
      values ($1, $2, $3, 'open', $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      ...[program_id, proposal_uuid, kind, ...json, customer_id, reason],
      ...[proposed_by, proposed_uuid, fresh.expires_at, fresh.created_at],
    ],
  }
}

/** Locks a proposal until the transaction ends. */
export function lockProposal(program_id: number, proposal_uuid: Uuid): Statement<ProposalRow> {
  return {
    text: `select ${columns} from proposal p where p.program_id = $1 and p.proposal_uuid = $2 for update`,
    values: [program_id, proposal_uuid],
  }
}

export function findProposal(program_id: number, proposal_uuid: Uuid): Statement<ProposalRow> {
  return {
    text: `select ${columns} from proposal p where p.program_id = $1 and p.proposal_uuid = $2`,
    values: [program_id, proposal_uuid],
  }
}

/** A page of proposals, the newest first. */
export interface ProposalPage {
  readonly before: Uuid | null
  readonly limit: number
  /** Only those that wait at this instant; null for all. */
  readonly open_at: Date | null
}

export function findProposals(program_id: number, { before, limit, open_at }: ProposalPage): Statement<ProposalRow> {
  return {
    text: `select ${columns} from proposal p
      where p.program_id = $1 and ($2::uuid is null or p.proposal_uuid < $2)
        ${open_at === null ? '' : `and p.state = 'open' and p.expires_at > $4`}
      order by p.proposal_uuid desc limit $3`,
    values: [program_id, before, limit, ...(open_at === null ? [] : [open_at])],
  }
}

/** Writes the decision on a locked proposal. */
export function decideProposal(
  { program_id, proposal_uuid }: Pick<ProposalRow, 'program_id' | 'proposal_uuid'>,
  decision: {
    readonly state: 'confirmed' | 'rejected'
    readonly by: string
    readonly staff_uuid: Uuid
    readonly now: Date
  },
): Statement<never> {
  return {
    text: `update proposal set state = $3, decided_by = $4, decided_uuid = $5, decided_at = $6
      where program_id = $1 and proposal_uuid = $2`,
    values: [program_id, proposal_uuid, decision.state, decision.by, decision.staff_uuid, decision.now],
  }
}

/** Deletes up to `count` proposals of a program whose time was over before `before`, whatever became of them. */
export function deleteEndedProposals(
  program_id: number,
  before: Date,
  count: number,
): Statement<{ proposal_uuid: Uuid }> {
  return {
    text: `delete from proposal where program_id = $1 and proposal_uuid in (
        select proposal_uuid from proposal where program_id = $1 and expires_at < $2 order by expires_at limit $3
      ) returning proposal_uuid`,
    values: [program_id, before, count],
  }
}

/** The role of somebody in the team of a merchant. They cannot be removed from it before the transaction ends. */
export function lockRole(
  program_id: number,
  merchant_id: number,
  staff_uuid: Uuid,
): Statement<{ readonly role: Role }> {
  return {
    text: 'select role from staff_membership where program_id = $1 and merchant_id = $2 and staff_uuid = $3 for share',
    values: [program_id, merchant_id, staff_uuid],
  }
}

/** People as they are now. They cannot be disabled before the transaction ends. */
export function lockPeople(staff_uuids: readonly Uuid[]): Statement<SignedIn> {
  return {
    text: `select s.staff_uuid, s.email as name, s.is_operator, s.disabled from staff s
      where s.staff_uuid = any($1::uuid[]) order by s.staff_uuid for share`,
    values: [staff_uuids],
  }
}
