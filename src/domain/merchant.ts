import type { Flow } from './failures.ts'
import type { Uuid } from './ids.ts'
import type { Locale } from './locale.ts'
import type { MicroSarPerPoint, Points, PointsPerSarE4 } from './points.ts'

/** Which of a merchant's two keys. docs/spec/api.md#keys */
export type KeyKind = 'private' | 'public'

/** What a program decides for all its merchants and customers (decisions §1). */
export interface Program {
  readonly program_id: number
  readonly account_id: Uuid
  /** `automatic`: an unknown phone becomes an active customer; `required`: it becomes an invited one. */
  readonly activation: 'automatic' | 'required'
  readonly micro_sar_per_point: MicroSarPerPoint
  readonly locale: Locale
}

/** A merchant as its requests meet it: standing, flows and rates of this moment (decisions §1). */
export interface Merchant {
  readonly program: Program
  readonly program_id: number
  readonly merchant_id: number
  readonly account_id: Uuid
  readonly name: string
  readonly verified: boolean
  readonly published: boolean
  readonly flows: Readonly<Record<Flow, boolean>>
  readonly points_per_sar_e4: PointsPerSarE4
  readonly product_rating_points: Points
  readonly store_rating_points: Points
  readonly refund_window_days: number
  readonly integration_active: boolean
}
