/** What a merchant and its program owe each other. Sums over many wallets have no bound, so they are bigints. */
import type { MicroSarPerPoint } from './points.ts'

/** Sums over the orders of one settlement. */
export interface SettlementSums {
  readonly orders: number
  /** Earned at the merchant and not reversed. */
  readonly issued_points: bigint
  /** Redeemed at the merchant and not returned. */
  readonly redeemed_points: bigint
}

export interface SettlementNet {
  /** Issued − redeemed. Above 0 the merchant owes the program, below 0 the program owes the merchant. */
  readonly net_points: bigint
  /** The value of the net points, rounded half away from zero. */
  readonly net_halalas: bigint
}

/** Takes the sums of a settlement and the value of a point; gives the net in points and halalas. */
export function settlementNet(sums: SettlementSums, value: MicroSarPerPoint): SettlementNet {
  const net_points = sums.issued_points - sums.redeemed_points
  const micro = (net_points < 0n ? -net_points : net_points) * BigInt(value)
  const magnitude = (micro + 5_000n) / 10_000n
  return { net_points, net_halalas: net_points < 0n ? -magnitude : magnitude }
}
