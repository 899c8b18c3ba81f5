import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError, refuseFields } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import { newUuid } from '../../lib/ids.ts'
import { lockCustomerById } from '../customers/queries.ts'
import { findRunning } from '../deployment/processes.ts'
import { erasure_job } from './job.ts'
import {
  deleteOldRequests,
  type ErasureRequestRow,
  endRequest,
  findLastRequest,
  findWaitingRequests,
  insertRequest,
  lockRequest,
  lockWaitingRequest,
} from './request-queries.ts'

/** Ended requests about a customer that are kept. */
const most_kept = 10

export interface CustomerOfRequest {
  readonly program_id: number
  readonly customer_id: Uuid
}

/** The request, and who makes it. */
interface Asking {
  /** As typed once more: it has to be the customer's. */
  readonly phone: Phone
  readonly reason: string
  readonly by: Actor
  readonly keep?: BeforeCommit<ErasureRequestRow> | undefined
}

/** Operators ask for erasures. `job.ts`, or a command, makes them with the owner's rights. docs/erasure.md */
export interface ErasureRequests {
  /** The last request about a customer. */
  readonly read: (of: CustomerOfRequest) => Promise<ErasureRequestRow | undefined>
  /** A program's requests that wait, the oldest first. */
  readonly waiting: (program_id: number, limit: number) => Promise<readonly ErasureRequestRow[]>
  /** Whether no process may erase, so that requests wait for a command. */
  readonly needCommand: () => Promise<boolean>
  /** Asks for an erasure; gives the request that waits already. @throws DomainError `not_found`, `validation` of `phone` */
  readonly ask: (of: CustomerOfRequest, how: Asking) => Promise<ErasureRequestRow>
  /** Takes back what waits. @throws DomainError `not_found` */
  readonly cancel: (of: CustomerOfRequest, by: Actor) => Promise<ErasureRequestRow>
}

export function createErasureRequests(db: Database): ErasureRequests {
  return {
    read: ({ program_id, customer_id }) => db.one(findLastRequest(program_id, customer_id)),
    waiting: (program_id, limit) => db.run(findWaitingRequests(program_id, limit)),
    async needCommand() {
      const running = await findRunning(db)
      return !running.some(({ facts }) => facts.jobs.some(({ name }) => name === erasure_job))
    },
    ask: (of, how) => db.transaction((tx) => ask(tx, of, how)),
    cancel: (of, by) => db.transaction((tx) => cancel(tx, of, by)),
  }
}

async function ask(
  tx: Transaction,
  { program_id, customer_id }: CustomerOfRequest,
  { phone, reason, by, keep }: Asking,
): Promise<ErasureRequestRow> {
  const customer = await tx.one(lockCustomerById(program_id, customer_id))
  if (customer === undefined) throw new DomainError({ kind: 'not_found' })
  if (customer.phone !== phone) refuseFields({ field: 'phone', rule: 'phone_other' })
  const asker = { asked_by: by.name, asked_uuid: by.staff_uuid ?? null }
  const fresh = await tx.one(
    insertRequest({ program_id, request_uuid: newUuid(), customer_id, reason, ...asker }, new Date()),
  )
  if (fresh !== undefined) {
    void tx.run(deleteOldRequests(program_id, customer_id, most_kept))
    const change = { program_id, action: 'customers.ask-erasure', object: `customer:${customer_id}` } as const
    audit(tx, by, [{ ...change, before: null, after: { reason } }])
  }
  const row = found(await tx.one(findLastRequest(program_id, customer_id)))
  await keep?.(tx, row)
  return row
}

async function cancel(tx: Transaction, of: CustomerOfRequest, by: Actor): Promise<ErasureRequestRow> {
  const { program_id, customer_id } = of
  const waiting = found(await tx.one(lockWaitingRequest(program_id, customer_id)))
  const { erased_at } = found(await tx.one(lockRequest({ program_id, ...waiting })))
  // What is erased stays erased: the request has to find the rest.
  if (erased_at !== null) throw new DomainError({ kind: 'not_found' })
  found(await tx.one(endRequest(of, { state: 'cancelled', by: by.name }, new Date())))
  const change = { program_id, action: 'customers.cancel-erasure', object: `customer:${customer_id}` } as const
  audit(tx, by, [{ ...change, before: null, after: null }])
  return found(await tx.one(findLastRequest(program_id, customer_id)))
}

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new DomainError({ kind: 'not_found' })
  return row
}
