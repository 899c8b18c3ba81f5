import type { Database } from '../../src/db/pool.ts'
import type { Transaction } from '../../src/db/transaction.ts'

/** How a statement finds its rows: one line for each table that it reads, in the order in which they are read. */
export type Plan = readonly string[]

/** A part of a plan, as `explain (format json)` gives it. */
export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Parent Relationship'?: string
  readonly 'Relation Name'?: string
  readonly Alias?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Scan Direction'?: string
  readonly 'TID Cond'?: string
  readonly 'Conflict Arbiter Indexes'?: readonly string[]
  readonly Plans?: readonly PlanNode[]
}

/** The cached plans of statements: how each finds its rows. */
export async function plansOf(db: Database, statements: ReadonlyMap<string, string>): Promise<Map<string, Plan>> {
  const roots = await readPlans(db, statements)
  return new Map([...roots].map(([name, root]) => [name, scansOf(root)]))
}

/**
 * The cached plans of statements on a connection like the service's: generic plans, from the current statistics
 * of the tables.
 * @param settings what the service sets in the transactions of a statement, by its name
 */
export async function readPlans(
  db: Database,
  statements: ReadonlyMap<string, string>,
  settings: Readonly<Record<string, readonly string[]>> = {},
): Promise<Map<string, PlanNode>> {
  return db.transaction(async (tx) => {
    await tx.script('set local plan_cache_mode = force_generic_plan')
    const roots = new Map<string, PlanNode>()
    await prepareEach(tx, statements, settings, async (name, text) => void roots.set(name, await rootOf(tx, text)))
    return roots
  })
}

/** Prepares each statement as `asked`, with its settings, while `work` looks at it. */
async function prepareEach(
  tx: Transaction,
  statements: ReadonlyMap<string, string>,
  settings: Readonly<Record<string, readonly string[]>>,
  work: (name: string, text: string) => Promise<void>,
): Promise<void> {
  for (const [name, text] of statements) {
    await tx.script(['savepoint settings', ...(settings[name] ?? []), `prepare asked as ${text}`].join(';'))
    await work(name, text)
    await tx.script('deallocate asked; rollback to savepoint settings')
  }
}

/** A value of each type that a statement takes. Lists have one. */
const samples: Readonly<Record<string, string>> = {
  bigint: '1',
  integer: '1',
  smallint: '1',
  numeric: '1',
  boolean: 'true',
  text: "'a'",
  uuid: "'01900000-0000-7000-8000-000000000000'",
  bytea: "'\\x00'",
  date: "'2026-01-01'",
  'timestamp with time zone': "'2026-01-01T00:00:00Z'",
  json: "'{}'",
  jsonb: "'{}'",
}

/**
 * The statements that PostgreSQL plans at every call, because a plan for the values given looks cheaper to it than the
 * one for all values. It tries five of the former before it decides.
 */
export async function plannedAnew(
  db: Database,
  statements: ReadonlyMap<string, string>,
  settings: Readonly<Record<string, readonly string[]>> = {},
): Promise<string[]> {
  return db.transaction(async (tx) => {
    await tx.script('set local plan_cache_mode = auto')
    const found: string[] = []
    await prepareEach(tx, statements, settings, async (name) => {
      const types = await tx.run<{ type: string }>({
        text: `select format_type(type, null) as type from pg_prepared_statements, unnest(parameter_types::oid[]) as type
          where name = 'asked'`,
        values: [],
      })
      const given = types.length === 0 ? '' : `(${types.map(({ type }) => sampleOf(type)).join(', ')})`
      for (let call = 1; call <= 6; call += 1) await tx.script(`explain execute asked${given}`)
      const kept = "select from pg_prepared_statements where name = 'asked' and custom_plans <= 5"
      if ((await tx.run({ text: kept, values: [] })).length === 0) found.push(name)
    })
    return found
  })
}

function sampleOf(type: string): string {
  const one = type.replace(/\[\]$/, '')
  const value = samples[one]
  if (value === undefined) throw new Error(`no value of the type ${type}`)
  return type === one ? `${value}::${one}` : `array[${value}]::${type}`
}

async function rootOf(tx: Transaction, text: string): Promise<PlanNode> {
  const count = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, digits]) => Number(digits)))
  const values = count === 0 ? '' : `(${new Array(count).fill('null').join(', ')})`
  const rows = await tx.run<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>({
    text: `explain (format json, costs off) execute asked${values}`,
    values: [],
  })
  const root = rows[0]?.['QUERY PLAN'][0]?.Plan
  if (root === undefined) throw new Error(`no plan: ${text}`)
  return root
}

/** The scans that a row comparison bounds at their end: from above if they go forwards, from below if backwards. */
export function endBoundByRow(node: PlanNode): string[] {
  const below = (node.Plans ?? []).flatMap(endBoundByRow)
  const index = node['Index Name']
  const end = node['Scan Direction'] === 'Backward' ? />=? ROW\(/ : /<=? ROW\(/
  return index !== undefined && end.test(node['Index Cond'] ?? '')
    ? [`by ${index}: ${node['Index Cond']}`, ...below]
    : below
}

/** How a plan finds its rows. */
export function scansOf(node: PlanNode, above?: PlanNode): string[] {
  // A bitmap is only another way through the same index.
  const table = monthless(node['Relation Name'] ?? above?.['Relation Name'] ?? node.Alias ?? '')
  const below = (node.Plans ?? []).flatMap((one) => scansOf(one, node))
  const arbiter = node['Conflict Arbiter Indexes']
  if (arbiter !== undefined) return [...below, `conflict on ${arbiter.join()}`]
  const index = node['Index Name']
  if (index !== undefined) return [`${table} by ${monthless(index)} (${columnsOf(node['Index Cond'] ?? '')})`, ...below]
  if (node['Node Type'] === 'Seq Scan' || node['Node Type'] === 'Tid Scan') return [`${table} whole`, ...below]
  return below
}

/** Treats the partitions of all months as one. */
const monthless = (name: string): string => name.replace(/_(\d{4}_\d{2}|default)(?=_|$)/, '')

/** A name as `folded()` compares it. */
const foldedName = /\(translate\(lower\((\w+)\), '[^']*'::text, '[^']*'::text\)\)::text/g

/** The columns that an index condition compares. */
function columnsOf(index_condition: string): string {
  const condition = index_condition.replace(foldedName, 'folded_$1')
  const single = Array.from(
    condition.matchAll(/\((\w+|\(lower\(\w+\)\)::text) (?:=|<|>|<=|>=) /g),
    ([, column]) => column ?? '',
  )
  const rows = Array.from(
    condition.matchAll(/\(ROW\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\) (?:<|>|<=|>=) /g),
    ([, list]) => (list ?? '').split(', '),
  )
  return [...new Set([...single, ...rows.flat()])].sort().join(', ')
}
