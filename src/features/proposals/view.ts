import Type from 'typebox'
import { proposalKinds } from '../../domain/proposal.ts'
import { instant, oneOf, uuid } from '../../http/api/fields.ts'
import type { ProposalRow } from './queries.ts'

/** A proposal, as the answer to a change that waits for a second person. */
export const waitingSchema = Type.Object({
  proposal_uuid: uuid(),
  kind: oneOf([...proposalKinds]),
  expires_at: instant(),
})

export function viewWaiting({ proposal_uuid, kind, expires_at }: ProposalRow) {
  return { proposal_uuid, kind, expires_at: expires_at.toISOString() }
}
