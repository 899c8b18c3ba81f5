/**
 * Statements by key have one plan for all values, so the first call of a connection makes it, instead of the sixth: a shop
 * with few requests rarely gets that far in the 60 s of a connection. On Citus the claim of deliveries fails with such a
 * plan.
 */
const planOnce = `select set_config('plan_cache_mode', case when to_regclass('pg_catalog.pg_dist_partition') is null
  then 'force_generic_plan' else 'auto' end, false)`
/** Other plans are kept as PostgreSQL decides, whatever the default of its server. */
const planAsDecided = 'set plan_cache_mode = auto'

// Up to PostgreSQL 17, a plan of a disabled type has such a high cost that JIT compiles it, for tens of milliseconds.
const planSettings = {
  by_key: `set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off; ${planOnce}`,
  by_order: `set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set jit = off; ${planAsDecided}`,
  // JIT costs more than it saves on a part of a table. The entries of a wallet are on pages all over the table: read by the
  // index they cost three times as much as page by page, even in memory. A report says itself how many of its
  // statements run at a time: parallel workers of PostgreSQL would take the processors of the service.
  whole_tables: `set enable_nestloop = off; set work_mem = '64MB'; set jit = off; set enable_memoize = off;
    set random_page_cost = 4; set max_parallel_workers_per_gather = 0; ${planAsDecided}`,
} as const
/**
 * Lets the nodes of a cluster, which make the plans there, learn the settings that follow in the transaction. Any other
 * PostgreSQL accepts it as an unknown custom setting.
 */
export const setOnNodes = `set local citus.propagate_set_commands = 'local'`
/** The settings of `whole_tables` as those of a transaction: nodes learn no others. */
export const setForTables = [
  setOnNodes,
  'set local enable_nestloop = off',
  `set local work_mem = '64MB'`,
  'set local jit = off',
]

export interface SessionOptions {
  /** A statement that takes longer ends its connection. */
  readonly query_timeout_ms?: number
  /**
   * Planner settings. `by_key`, for requests: no sequential scans, even in plans made while a table was empty.
   * `whole_tables`, for reports: no nested loops over whole tables without statistics. `by_order`, for lists: use the
   * index that has the order, instead of sorting all rows.
   */
  readonly plans?: keyof typeof planSettings
  /** A commit does not wait for the disk, so a crash may lose the last ones. For work that can be resumed. */
  readonly commits_early?: boolean
}

/** The limit of a statement, unless a pool has another. */
export const query_timeout_ms = 15_000

/**
 * Work that takes longer than a request has its own limit, and none that an administrator has set for requests.
 * PostgreSQL 15 and 16 have no transaction_timeout.
 */
const longLimits = (limit_ms: number): string => `set statement_timeout = ${limit_ms}; set lock_timeout = 0;
  set idle_in_transaction_session_timeout = ${limit_ms};
  select set_config(name, '0', false) from pg_catalog.pg_settings where name = 'transaction_timeout'`

/**
 * Gives the settings of new sessions: planner settings, and server time-outs for requests. Without them, the locks of a
 * process that froze or lost its network would outlive it by hours. docs/spec/earning.md#lock
 */
export function sessionSettings({
  plans,
  query_timeout_ms: limit_ms = query_timeout_ms,
  commits_early = false,
}: SessionOptions): string | undefined {
  const limits = `set statement_timeout = ${limit_ms}; set idle_in_transaction_session_timeout = ${limit_ms}`
  const settings = [
    ...(plans === undefined ? [] : [planSettings[plans]]),
    ...(plans === 'by_key' ? [limits] : []),
    ...(plans !== 'by_key' && limit_ms > query_timeout_ms ? [longLimits(limit_ms)] : []),
    ...(commits_early ? ['set synchronous_commit = off'] : []),
  ]
  return settings.length === 0 ? undefined : settings.join('; ')
}
