/** What a merchant and its program owe each other. Decisions §3, "settlement_status". */
import { asHalalas, type Halalas } from './money.ts'
import { asPoints, type MicroSarPerPoint, type Points } from './points.ts'

/** Of the orders of one settlement. */
export interface SettlementSums {
  readonly orders: number
  /** Earned at the merchant and not reversed. */
  readonly issued_points: number
  /** Redeemed at the merchant and not returned. */
  readonly redeemed_points: number
}

export interface SettlementNet {
  /** Issued less redeemed: above 0 the merchant owes the program for points, below 0 the program owes the merchant. */
  readonly net_points: Points
  /** The net points at the program's point value, rounded half away from zero. */
  readonly net_halalas: Halalas
}

/** Takes what the orders of a settlement come to and the value of a point; gives the net of both. */
export function settlementNet(sums: SettlementSums, value: MicroSarPerPoint): SettlementNet {
  const net_points = asPoints(sums.issued_points - sums.redeemed_points)
  const micro = BigInt(Math.abs(net_points)) * BigInt(value)
  const magnitude = Number((micro + 5_000n) / 10_000n)
  return { net_points, net_halalas: asHalalas(Math.sign(net_points) * magnitude) }
}
