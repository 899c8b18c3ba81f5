import type { RowOf } from '../../api/client.ts'

export type Finding = RowOf<'/programs/{programId}/findings'>
