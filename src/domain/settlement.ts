/** What a merchant and its program owe each other. Sums of many wallets are of any size: they are bigints. */
import type { MicroSarPerPoint } from './points.ts'

/** Of the orders of one settlement. */
export interface SettlementSums {
  readonly orders: number
  /** Earned at the merchant and not reversed. */
  readonly issued_points: bigint
  /** Redeemed at the merchant and not returned. */
  readonly redeemed_points: bigint
}

export interface SettlementNet {
  /** Issued less redeemed: above 0 the merchant owes the program for points, below 0 the program owes the merchant. */
  readonly net_points: bigint
  /** The net points at the program's point value, rounded half away from zero. */
  readonly net_halalas: bigint
}

/** Takes what the orders of a settlement come to and the value of a point; gives the net of both. */
export function settlementNet(sums: SettlementSums, value: MicroSarPerPoint): SettlementNet {
  const net_points = sums.issued_points - sums.redeemed_points
  const micro = (net_points < 0n ? -net_points : net_points) * BigInt(value)
  const magnitude = (micro + 5_000n) / 10_000n
  return { net_points, net_halalas: net_points < 0n ? -magnitude : magnitude }
}
