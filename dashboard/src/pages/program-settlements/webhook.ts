import type { DataOf } from '../../api/client.ts'

export const webhook_path = '/programs/{programId}/webhook'

/** The webhook of a program, and how the last notices went. */
export type ProgramWebhook = DataOf<typeof webhook_path, 'get'>
