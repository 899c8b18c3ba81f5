import type { TextKey } from '../../texts/catalogue.ts'
import type { Translate } from '../../texts/translate.ts'

const advice: Readonly<Record<string, TextKey>> = {
  validation: 'requests.todo_validation',
  merchant_not_verified: 'requests.todo_standing',
  merchant_not_published: 'requests.todo_standing',
  flow_disabled: 'requests.todo_flow_disabled',
  order_not_found: 'requests.todo_order_not_found',
  webhook_not_found: 'requests.todo_webhook_not_found',
  malformed_json: 'requests.todo_malformed',
  malformed_request: 'requests.todo_malformed',
  unsupported_media_type: 'requests.todo_malformed',
  body_too_large: 'requests.todo_body_too_large',
  earning_in_progress: 'requests.todo_repeat',
  order_number_repeated: 'requests.todo_repeat',
  request_in_flight: 'requests.todo_repeat',
  too_many_checkouts: 'requests.todo_repeat',
  order_already_paid: 'requests.todo_state',
  not_a_replacing_order: 'requests.todo_state',
  cannot_complete: 'requests.todo_state',
  cannot_authorize: 'requests.todo_state',
  cannot_capture: 'requests.todo_state',
  cannot_cancel: 'requests.todo_state',
  cannot_refund: 'requests.todo_refund',
  refund_window_over: 'requests.todo_refund',
  order_settled: 'requests.todo_refund',
  refund_exceeds_left: 'requests.todo_refund',
  refund_amount_zero: 'requests.todo_refund',
  insufficient_points: 'requests.todo_insufficient_points',
  database_unavailable: 'requests.todo_ours',
  stopping: 'requests.todo_ours',
  unexpected: 'requests.todo_ours',
}

/** What to do about a failure; undefined where the API's own sentence says it all. */
export function adviceOf(failure: string): TextKey | undefined {
  return advice[failure]
}

const counted: Readonly<Record<string, TextKey>> = {
  text: 'requests.kind_text',
  list: 'requests.kind_list',
  object: 'requests.kind_object',
}
const plain: Readonly<Record<string, TextKey>> = {
  number: 'requests.kind_number',
  boolean: 'requests.kind_boolean',
  null: 'requests.kind_null',
}

/** Says the kind of a field: `text:13` is a text of 13 letters. */
export function kindText(kind: string, t: Translate): string {
  const [word = '', size] = kind.split(':')
  const withSize = counted[word]
  if (withSize !== undefined && size !== undefined) return t(withSize, { count: Number(size) })
  return t(plain[word] ?? 'requests.kind_mixed')
}
