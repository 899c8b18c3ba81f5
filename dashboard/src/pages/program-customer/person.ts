import type { DataOf } from '../../api/client.ts'
import { usePathParam } from '../../app/merchant.ts'
import { useProgram } from '../../app/program.ts'

export const person_path = '/programs/{programId}/customers/{customerId}'

export const erasure_path = `${person_path}/erasure` as const

/** Answers that a change of a customer makes stale. */
export const stale_paths = [
  person_path,
  `${person_path}/entries`,
  `${person_path}/orders`,
  erasure_path,
  '/programs/{programId}/customers',
  '/programs/{programId}/erasures',
]

export type PersonDetail = DataOf<typeof person_path, 'get'>

/** The path's parameters, as every request about the customer takes them. */
export function useParamsOfPerson() {
  const { programId } = useProgram()
  return { path: { programId, customerId: usePathParam('customerId') } }
}
