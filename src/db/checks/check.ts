/** One rule of the ledger as a query: its rows are the places where the rule does not hold. */
export interface Check {
  readonly name: string
  /** Takes the program as `$1`, and the oldest order whose events are still kept as `$2`; gives `id` and `detail`. */
  readonly sql: string
}

/** A check whose query asks for nothing but the program. */
export function check(name: string, sql: string): Check {
  return { name, sql }
}
