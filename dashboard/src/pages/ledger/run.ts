import type { DataOf } from '../../api/client.ts'

export const runs_path = '/programs/{programId}/ledger-runs'

/** A verification of a program's ledger. */
export type Run = DataOf<typeof runs_path, 'get'>['runs'][number]
