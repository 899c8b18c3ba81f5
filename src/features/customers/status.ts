import type { CustomerRow } from './queries.ts'

export const customerStatuses = ['invited', 'active', 'erased', 'merged'] as const

export type CustomerStatus = (typeof customerStatuses)[number]

/** The status of a customer now. The row of an erased or merged customer keeps the status from before. */
export function statusOf({
  status,
  erased_at,
  merged_into,
}: Pick<CustomerRow, 'status' | 'erased_at' | 'merged_into'>): CustomerStatus {
  if (merged_into !== null) return 'merged'
  return erased_at === null ? status : 'erased'
}
