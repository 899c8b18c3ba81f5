import type { Queryable } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import { availablePoints } from '../../domain/ledger.ts'
import { type CustomerFilter, type CustomerRow, findCustomers } from './queries.ts'
import { type CustomerStatus, statusOf } from './status.ts'

/** A customer, for operators. Times are ISO 8601. */
export interface CustomerView {
  readonly customer_id: Uuid
  readonly program_id: number
  /** Null once the customer is erased or merged, as the name. */
  readonly phone: string | null
  readonly name: string | null
  readonly customer_status: CustomerStatus
  readonly posted: number
  readonly held: number
  readonly available: number
  readonly created_at: string
  readonly activated_at: string | null
  readonly erased_at: string | null
}

/** A page of the customers of some programs, the newest first. */
export async function listCustomers(
  db: Queryable,
  programs: readonly { readonly program_id: number }[],
  { before, size, ...filter }: CustomerFilter & { readonly before?: Uuid | undefined; readonly size: number },
): Promise<CustomerView[]> {
  const found: CustomerRow[] = []
  for (const { program_id } of programs)
    found.push(...(await db.run(findCustomers(program_id, filter, { before, size }))))
  return found
    .sort((a, b) => (a.customer_id < b.customer_id ? 1 : -1))
    .slice(0, size)
    .map(viewCustomer)
}

function viewCustomer(row: CustomerRow): CustomerView {
  const { customer_id, program_id, phone, name, posted, held } = row
  return {
    customer_id,
    program_id,
    phone,
    name,
    customer_status: statusOf(row),
    posted,
    held,
    available: availablePoints({ posted, held }),
    created_at: row.created_at.toISOString(),
    activated_at: row.activated_at?.toISOString() ?? null,
    erased_at: row.erased_at?.toISOString() ?? null,
  }
}
