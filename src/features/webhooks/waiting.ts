import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import {
  countWaiting,
  type DeliveryPage,
  findNewestWaiting,
  type WaitingKey,
  type WaitingOwner,
} from './waiting-queries.ts'

/** Deliveries that are sorted for a page of them. */
const most_sorted = 5_000
/** Events that are looked at for a page of a longer queue. */
const most_events = 20_000
/** Found beyond a page, for those that end before they are read. */
const spare = 20

/**
 * A page of deliveries, some of which may wait for `webhooks`. If the queue of these is too long to sort, `read` is given the
 * keys of the newest; undefined if it is shorter, or if events do not lead to enough of them.
 */
export async function readWithWaiting<Row>(
  db: Database,
  owner: WaitingOwner,
  webhooks: readonly Uuid[],
  page: DeliveryPage,
  read: (waiting: readonly WaitingKey[] | undefined) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const waiting = await newestWaiting(db, owner, webhooks, page)
  const rows = await read(waiting)
  // More than the spare ones have ended meanwhile: a short page would be taken for the last.
  return waiting === undefined || rows.length >= page.size ? rows : read(undefined)
}

async function newestWaiting(
  db: Database,
  owner: WaitingOwner,
  webhooks: readonly Uuid[],
  { before, size }: DeliveryPage,
): Promise<readonly WaitingKey[] | undefined> {
  const waiting = await db.one(countWaiting(owner.program_id, webhooks, most_sorted + 1))
  if ((waiting?.count ?? 0) <= most_sorted) return undefined
  const found = await db.run(findNewestWaiting(owner, webhooks, { before, size: size + spare, events: most_events }))
  return found.length < size + spare ? undefined : found
}
