import type { Database } from '../../db/pool.ts'
import { findMergedInto } from '../../db/wallet-state.ts'
import { DomainError } from '../../domain/failures.ts'
import { first_uuid, last_uuid, parseUuid, type Uuid } from '../../domain/ids.ts'
import { parsePhone } from '../../domain/phone.ts'
import { NO_POINTS } from '../../domain/points.ts'
import type { Clock } from '../../lib/clock.ts'
import { findMovements, findOpenHolds, type Movement, type OpenHold } from '../wallet/queries.ts'
import type { CustomerKey } from './block.ts'
import {
  countSignIns,
  findByIds,
  findByPhone,
  findNamed,
  findNewest,
  findOrders,
  findWaiting,
  type PersonOrder,
  type PersonPlace,
  type PersonRow,
  type SignIns,
  type WaitingEarning,
} from './queries.ts'

export interface PersonDetail {
  readonly person: PersonRow
  readonly holds: readonly OpenHold[]
  readonly waiting: readonly WaitingEarning[]
  readonly sign_ins: SignIns
  /** Customers whose numbers were merged into this one. */
  readonly merged: readonly { readonly account_id: Uuid; readonly merged_at: Date }[]
}

/** What operators see of the customers of a program, at all of its merchants. docs/spec/operation.md#customers */
export interface People {
  /**
   * A phone or a uuid finds one customer at most; other words find those whose names begin with them. Without `q` it lists
   * all, the newest first.
   */
  find(
    program_id: number,
    asked: { readonly q: string; readonly after: PersonPlace | null; readonly limit: number },
  ): Promise<readonly PersonRow[]>
  /** @throws DomainError `not_found` */
  read(of: CustomerKey): Promise<PersonDetail>
  entries(
    of: CustomerKey,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<readonly Movement[]>
  orders(
    of: CustomerKey,
    page: { readonly before: string | null; readonly limit: number },
  ): Promise<readonly PersonOrder[]>
}

/** The most waiting earnings that are shown. */
const most_waiting = 100
const no_sign_ins: SignIns = { wallet: 0, remembered: 0, cards: 0 }

export function createPeople(db: Database, clock: Clock): People {
  const mergedInto = ({ program_id, customer_id }: CustomerKey) =>
    db.run(findMergedInto({ program_id, account_id: customer_id }))
  return {
    async find(program_id, { q, after, limit }) {
      const words = q.trim()
      if (words === '') return db.run(findNewest(program_id, after?.customer_id ?? last_uuid, limit))
      const [phone, uuid] = [parsePhone(words), parseUuid(words)]
      if (phone !== null) return db.run(findByPhone(program_id, phone))
      if (uuid !== null) return db.run(findByIds(program_id, [uuid]))
      return db.run(findNamed(program_id, words, { after: after ?? { sorted: '', customer_id: first_uuid }, limit }))
    },
    async read(of) {
      const { program_id, customer_id } = of
      const [person] = await db.run(findByIds(program_id, [customer_id]))
      if (person === undefined) throw new DomainError({ kind: 'not_found' })
      const { phone, held, status } = person
      const [holds, waiting, sign_ins, merged] = await Promise.all([
        held === NO_POINTS ? [] : db.run(findOpenHolds(of)),
        status === 'invited' ? db.run(findWaiting(program_id, customer_id, most_waiting)) : [],
        phone === null
          ? no_sign_ins
          : db.one(countSignIns(program_id, phone, { machine: new Date(), business: clock.now() })),
        mergedInto(of),
      ])
      return { person, holds, waiting, sign_ins: sign_ins ?? no_sign_ins, merged }
    },
    async entries({ program_id, customer_id }, { before, limit }) {
      const until = before === null ? Number.MAX_SAFE_INTEGER : before - 1
      return db.run(findMovements({ program_id, customer_id }, { after: 0, until }, limit))
    },
    async orders(of, { before, limit }) {
      const ids = [of.customer_id, ...(await mergedInto(of)).map(({ account_id }) => account_id)]
      return db.run(findOrders(of.program_id, ids, { before: before ?? last_uuid, limit }))
    },
  }
}
