/**
 * A quick look at part of a ledger. It says whether some rule may not hold there, and never overlooks one that does not;
 * which rule, and where, is then asked of the checks that it stands for.
 */
export interface Screen {
  /** What it looks at, for people. */
  readonly name: string
  /** The checks that are asked when it finds something. */
  readonly checks: readonly string[]
  /** The table whose key is walked, and that key; the rows of a part are those with keys from `$2` up to `$3`. */
  readonly table: string
  readonly key: string
  /**
   * Takes the program as `$1`, the part as `$2` and `$3`, the oldest order whose events are kept as `$4`, and as `$5` and
   * `$6` the part with some seconds around it, in which nearly all is found that was written with its rows. Gives how many rows it has looked at, as `transfers`, `entries` or `wallets`, and how many look wrong, as `suspects`.
   */
  readonly sql: string
}

/** The rows that were written at about the same time as a part. */
export const around = (key: string): string => `${key} >= $5 and ${key} < $6`

/**
 * Joins the order that `of` names, as `o`: most are among those of the same time, which are read in one go; each of the
 * others is looked up.
 */
export const joinOrder = (of: string, columns: readonly string[]): string => `
    left join orders near on near.program_id = $1 and near.order_uuid = ${of} and ${around('near.order_uuid')}
    left join lateral (
      select far.* from orders far
      where near.order_uuid is null and far.program_id = $1 and far.order_uuid = ${of}
        and (far.program_id, far.order_uuid) >= ($1, ${of}) limit 1
    ) far on true
    cross join lateral (
      select ${columns.map((column) => `coalesce(near.${column}, far.${column}) as ${column}`).join(', ')}
    ) o`

/** The rows of a part: from the first key up to, and without, the next part's. */
export const within = (key: string): string => `${key} >= $2 and ${key} < $3`
