/** The facts that are kept of an answered request: nothing that a person wrote. docs/spec/operation.md#request-log */
import type { FailureKind } from './failures.ts'
import type { Uuid } from './ids.ts'

/** A request of a merchant, once it is answered. */
export interface AnsweredRequest {
  readonly request_id: Uuid
  readonly program_id: number
  readonly merchant_id: number
  readonly method: string
  /** The pattern of the path, never the path. */
  readonly route: string
  readonly order_uuid: Uuid | null
  readonly status: number
  readonly duration_ms: number
  readonly failure: FailureKind | null
  /** The names of the fields that were refused. */
  readonly fields: readonly string[]
  readonly body_bytes: number | null
  /** Known only for a refused request. */
  readonly body: BodyShape | null
}

/** Takes answered requests. It neither waits nor throws. */
export type KeepRequest = (request: AnsweredRequest) => void

/** The fields of a body with their kinds: `number`, `text:13`, `list:2`, `object:4`. */
export interface BodyShape {
  readonly fields: Readonly<Record<string, string>>
  /** How many fields the request does not have by its description. Their names may be anything, so they are not kept. */
  readonly unknown: number
}
