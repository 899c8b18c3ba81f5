import Type, { type Static } from 'typebox'
import { refuseFields } from '../../domain/failures.ts'
import { parseUuid } from '../../domain/ids.ts'
import { isOwn, proposalKinds, proposalStates, stateAt } from '../../domain/proposal.ts'
import type { Session } from '../../domain/staff.ts'
import { instant, nullable, oneOf, uuid } from '../../http/api/fields.ts'
import { limitOf, listPagination, listQuery, pageOf } from '../../http/dashboard/list.ts'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ProposalRow } from './queries.ts'
import type { Proposals } from './service.ts'

export interface ProposalServices {
  readonly clock: Clock
  readonly proposals: Proposals
}

const values = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

const proposalSchema = {
  proposal_uuid: uuid(),
  kind: oneOf([...proposalKinds]),
  state: oneOf(proposalStates),
  change: values('What is to be done, by the kind.'),
  facts: values('What the proposal rests on, by the kind: it is confirmed only while that is so.'),
  customer_id: nullable(uuid()),
  reason: nullable(Type.String()),
  proposed_by: Type.String(),
  created_at: instant(),
  expires_at: instant(),
  decided_by: nullable(Type.String()),
  decided_at: nullable(instant()),
  own: Type.Boolean({ description: 'You proposed it: somebody else confirms it.' }),
}

function view(row: ProposalRow, session: Session, now: Date) {
  const { proposal_uuid, kind, payload: change, facts, customer_id, reason, proposed_by, decided_by } = row
  const me = { staff_uuid: session.staff_uuid, name: session.email, is_operator: true, disabled: false }
  return {
    ...{ proposal_uuid, kind, state: stateAt(row, now), change, facts, customer_id, reason, proposed_by },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_by,
    decided_at: row.decided_at?.toISOString() ?? null,
    own: isOwn(row, me),
  }
}

const query = Type.Object({ ...listQuery, state: Type.Optional(oneOf(['open'])) })

export const listProgramProposals = {
  tag: 'Proposals',
  summary: 'List changes of a program that wait for a second person, or did, the newest first',
  query,
  data: Type.Array(Type.Object(proposalSchema)),
  pagination: listPagination,
  async handle(
    { program, query: sent, session }: ProgramRequest<undefined, never, Static<typeof query>>,
    { proposals, clock }: ProposalServices,
  ) {
    const limit = limitOf(sent)
    const before = sent.after === undefined ? null : parseUuid(sent.after)
    if (sent.after !== undefined && before === null) return refuseFields({ field: 'after', rule: 'list_place' })
    const page = { before, limit: limit + 1, open_at: sent.state === 'open' ? clock.now() : null }
    return pageOf(await proposals.list(program.program_id, page), {
      limit,
      view: (row) => view(row, session, clock.now()),
      cursor: ({ proposal_uuid }) => proposal_uuid,
    })
  },
} as const

export const readProgramProposal = {
  tag: 'Proposals',
  summary: 'Read a proposal, and whether what it rests on and who proposed it are still so',
  data: Type.Object({ ...proposalSchema, current: Type.Boolean() }),
  failures: ['not_found'],
  async handle(
    { program, params, session }: ProgramRequest<undefined, 'proposalUuid'>,
    { proposals, clock }: ProposalServices,
  ) {
    const { proposal, current } = await proposals.read(program.program_id, params.proposalUuid)
    return { ...view(proposal, session, clock.now()), current }
  },
} as const

const decided = { tag: 'Proposals', data: Type.Object(proposalSchema) } as const

export const confirmProposal = {
  ...decided,
  summary: 'Confirm a proposal of somebody else: the change is made',
  failures: ['not_found', 'proposal_own', 'proposal_ended', 'proposal_stale', 'not_permitted', 'validation'],
  async handle(request: ProgramRequest<undefined, 'proposalUuid'>, { proposals, clock }: ProposalServices) {
    return view(await proposals.confirm(decidingOf(request)), request.session, clock.now())
  },
} as const

export const rejectProposal = {
  ...decided,
  summary: 'Reject a proposal, or take back one of your own',
  failures: ['not_found', 'proposal_ended'],
  async handle(request: ProgramRequest<undefined, 'proposalUuid'>, { proposals, clock }: ProposalServices) {
    return view(await proposals.reject(decidingOf(request)), request.session, clock.now())
  },
} as const

/** Needs no Idempotency-Key: the same decision is refused the second time. */
function decidingOf({ program, params, actor, session }: ProgramRequest<undefined, 'proposalUuid'>) {
  const { program_id } = program
  return { program_id, proposal_uuid: params.proposalUuid, by: { ...actor, staff_uuid: session.staff_uuid } }
}
