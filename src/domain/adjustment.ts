/** Changes of a wallet by hand. docs/spec/points-and-money.md#adjustments */
import type { Wallet } from './ledger.ts'
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
