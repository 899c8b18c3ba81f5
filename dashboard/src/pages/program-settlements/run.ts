import type { DataOf } from '../../api/client.ts'

export const runs_path = '/programs/{programId}/settlement-runs'

/** A preview or a close of a program's open period. */
export type Run = DataOf<typeof runs_path, 'get'>[number]
