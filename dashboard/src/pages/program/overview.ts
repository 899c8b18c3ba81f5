import type { DataOf } from '../../api/client.ts'

export const overview_path = '/programs/{programId}/overview'

export type ProgramOverview = DataOf<typeof overview_path, 'get'>
