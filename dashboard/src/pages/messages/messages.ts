import type { DataOf } from '../../api/client.ts'

/** Messages that were sent, what is left of the budget, and what failed. */
export type Messages = DataOf<'/operator/messages', 'get'>
