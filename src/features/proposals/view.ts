import Type from 'typebox'
import { proposalKinds } from '../../domain/proposal.ts'
import { oneOf } from '../../http/api/fields.ts'
import type { ProposalRow } from './queries.ts'

/** A proposal, as the answer to a change that waits for a second person. */
export const waitingSchema = Type.Object({
  proposal_uuid: Type.String({ format: 'uuid' }),
  kind: oneOf([...proposalKinds]),
  expires_at: Type.String({ format: 'date-time' }),
})

export function viewWaiting({ proposal_uuid, kind, expires_at }: ProposalRow) {
  return { proposal_uuid, kind, expires_at: expires_at.toISOString() }
}
