import type { RowOf } from '../../api/client.ts'

export const proposals_path = '/programs/{programId}/proposals'

export type Proposal = RowOf<typeof proposals_path>
