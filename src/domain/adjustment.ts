/** Changes of a wallet by hand. docs/spec/points-and-money.md#adjustments */
import { availablePoints, type Wallet } from './ledger.ts'
import { asPoints, MAX_WALLET_POINTS, type Points, pointsRoom } from './points.ts'

/** Why an adjustment is refused; `room` is how many points may still be added or taken. */
export type AdjustmentRefused = { readonly kind: 'too many' | 'too few'; readonly room: Points }

/**
 * Decides whether points may be added to a wallet (above 0) or taken from it (below 0). Takes the points of its pending
 * earnings too. Gives null when they may: the wallet stays within its bound, above and below zero.
 * docs/spec/points-and-money.md#wallet-bound
 */
export function refuseAdjustment(
  { posted }: Pick<Wallet, 'posted'>,
  { points, waiting }: { readonly points: Points; readonly waiting: Points },
): AdjustmentRefused | null {
  if (points >= 0) {
    const room = pointsRoom({ posted, waiting })
    return points <= room ? null : { kind: 'too many', room }
  }
  const room = asPoints(Math.max(0, MAX_WALLET_POINTS + posted))
  return -points <= room ? null : { kind: 'too few', room }
}

/** Why an adjustment by staff is refused. `limit`: the most points of one adjustment; `room`: those there still are. */
export type StaffAdjustmentRefused =
  | { readonly kind: 'none' }
  | { readonly kind: 'over limit'; readonly added: boolean; readonly limit: number }
  | { readonly kind: 'below zero' | 'too many'; readonly room: Points }

/**
 * Decides whether staff may add points to a wallet, or take them: at most as many as their role allows (null: any number), and
 * no more than the wallet can spend. Gives null when they may. docs/spec/dashboard-orders.md#adjustments
 */
export function refuseStaffAdjustment(
  wallet: Pick<Wallet, 'posted' | 'held'>,
  asked: { readonly points: Points; readonly waiting: Points; readonly limit: number | null },
): StaffAdjustmentRefused | null {
  const { points, limit } = asked
  if (points === 0) return { kind: 'none' }
  if (limit !== null && Math.abs(points) > limit) return { kind: 'over limit', added: points > 0, limit }
  const room = asPoints(Math.max(0, availablePoints(wallet)))
  if (points < 0 && -points > room) return { kind: 'below zero', room }
  const refused = refuseAdjustment(wallet, asked)
  return refused === null ? null : { kind: 'too many', room: refused.room }
}
