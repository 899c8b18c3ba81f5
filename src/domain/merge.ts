/** Merges the two numbers of one person. docs/spec/customers.md#merge */
import { refuseAdjustment } from './adjustment.ts'
import type { Uuid } from './ids.ts'
import type { Wallet } from './ledger.ts'
import type { LocalText } from './locale.ts'
import { asPoints, NO_POINTS, type Points } from './points.ts'

/** The reasons of the two movements. They are stored in the program's language; the wallet shows them in the reader's. */
export const mergeReasons: Readonly<Record<'out' | 'in', LocalText>> = {
  out: { en: 'Moved to another number', ar: 'انتقلت إلى رقم آخر' },
  in: { en: 'From an earlier number', ar: 'من رقم سابق' },
}

/** A customer of a merge, with the wallet. */
export interface MergedCustomer extends Pick<Wallet, 'posted' | 'held'> {
  readonly customer_id: Uuid
  readonly status: 'invited' | 'active'
  readonly blocked: boolean
  /** The points of earnings that wait until the customer joins. */
  readonly waiting: Points
}

/** Why a merge is refused. `room`: how many points the other wallet may still get, or lose. */
export type MergeRefused =
  | { readonly kind: 'same' | 'not joined' | 'blocked' | 'held' }
  | { readonly kind: 'too many' | 'too few'; readonly room: Points }

/**
 * Decides whether a customer (`from`) may be merged into another (`into`), who has to have joined. Held points belong to an order
 * under way, and a customer cannot escape a block by a merge. Gives null when the merge is allowed.
 */
export function refuseMerge(from: MergedCustomer, into: MergedCustomer): MergeRefused | null {
  if (from.customer_id === into.customer_id) return { kind: 'same' }
  if (into.status !== 'active') return { kind: 'not joined' }
  if (from.blocked) return { kind: 'blocked' }
  if (from.held !== NO_POINTS) return { kind: 'held' }
  // Pending points are added to the balance before it moves.
  return refuseAdjustment(into, { points: asPoints(from.posted + from.waiting), waiting: into.waiting })
}
