import type { DataOf } from '../../api/client.ts'

export const report_path = '/programs/{programId}/liability/{day}'

/** What a program owes its customers at the end of a day. */
export type Report = DataOf<typeof report_path, 'get'>
