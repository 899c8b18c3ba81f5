import { statementsOf } from '../../src/db/statement.ts'

/** A migration file. */
export interface MigrationText {
  readonly name: string
  readonly sql: string
}

/** A statement that would hold back requests for as long as it takes to read or write a large table. */
export interface LongLock {
  readonly name: string
  readonly statement: string
  readonly rule: string
}

/** Tables that stay small in the largest deployment: a few rows for each merchant at most. Any other table may be large. */
const smallTables = [
  'deployment',
  'program',
  'merchant',
  'api_key',
  'earning_lock',
  'webhook',
  'webhook_rotation',
  'merchant_logo',
  'merchant_payment_account',
  'schema_migration',
  'write_probe',
]
const partitionedTables = ['event', 'delivery', 'delivery_attempt']

/** One alteration of an existing large table, without its `alter table` and name. */
interface Alteration {
  readonly table: string
  readonly text: string
  /** The other statements of the migration, and those of all before it. */
  readonly here: readonly string[]
  readonly before: readonly string[]
}

type Rule = readonly [rule: string, isBroken: (alteration: Alteration) => boolean]

/** A default that PostgreSQL keeps in the catalogue: a literal, also with a cast. */
const constant = /\bdefault\s+(-?[\d.]+|''(::\w+(\[\])?)?|true|false|null)(?=\s|,|$)/

const alterations: readonly Rule[] = [
  [
    'ADD COLUMN rewrites the table: give a constant default, or none',
    ({ text }) => /^add (column )?/.test(text) && !text.startsWith('add constraint') && rewrites(text),
  ],
  ['TYPE rewrites the table: add another column', ({ text }) => /^alter (column )?\w+ (set data )?type\b/.test(text)],
  [
    'ADD CONSTRAINT reads the table: add it NOT VALID, and validate it in a later migration',
    ({ text }) => /^add constraint \w+ (check|foreign key)\b/.test(text) && !/\bnot valid$/.test(text),
  ],
  [
    'VALIDATE CONSTRAINT in the migration that adds it reads the table under the lock of ADD CONSTRAINT: use a later one',
    ({ text, here }) => {
      const [, constraint] = /^validate constraint (\w+)/.exec(text) ?? []
      return constraint !== undefined && here.some((other) => other.includes(`add constraint ${constraint} `))
    },
  ],
  [
    'a unique key builds its index under a lock: build it CONCURRENTLY, then add the constraint USING INDEX',
    ({ text }) => /^add constraint \w+ (unique|primary key)\b/.test(text) && !/\busing index \w+$/.test(text),
  ],
  [
    'SET NOT NULL reads the table: validate CHECK (column IS NOT NULL) in an earlier migration',
    ({ table, text, before }) => {
      const [, column] = /^alter (?:column )?(\w+) set not null/.exec(text) ?? []
      return column !== undefined && !isChecked(table, column, before)
    },
  ],
]

function rewrites(text: string): boolean {
  if (/\bgenerated (always|by default)\b/.test(text)) return true
  return /\bdefault\b/.test(text) && !constant.test(text)
}

/** Whether earlier migrations have added and validated a check that a column is not null. */
function isChecked(table: string, column: string, before: readonly string[]): boolean {
  const added = before
    .map((text) =>
      new RegExp(`^alter table ${table} add constraint (\\w+) check \\( ?${column} is not null ?\\)`).exec(text),
    )
    .find((match) => match !== null)
  return (
    added !== null && added !== undefined && before.includes(`alter table ${table} validate constraint ${added[1]}`)
  )
}

/** Finds the statements of migrations that would lock a large table for long. Tables made by the same migration are empty. */
export function findLongLocks(migrations: readonly MigrationText[]): LongLock[] {
  const before: string[] = []
  return migrations.flatMap(({ name, sql }) => {
    const here = statementsOf(sql).map(normal)
    const created = here.flatMap((text) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? [])
    const isLarge = (table: string): boolean => !created.includes(table) && !smallTables.includes(table)
    const found = here.flatMap((statement) =>
      rulesBroken(statement, { here, before, isLarge }).map((rule) => ({ name, statement, rule })),
    )
    before.push(...here)
    return found
  })
}

interface Surroundings extends Pick<Alteration, 'here' | 'before'> {
  readonly isLarge: (table: string) => boolean
}

function rulesBroken(statement: string, { here, before, isLarge }: Surroundings): string[] {
  const [, altered, text = ''] = /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/.exec(statement) ?? []
  if (altered !== undefined) {
    if (!isLarge(altered)) return []
    const parts = splitAtTop(text)
    return alterations
      .filter(([, isBroken]) => parts.some((part) => isBroken({ table: altered, text: part, here, before })))
      .map(([rule]) => rule)
  }
  const [, alone, indexed] = /^create (?:unique )?index (concurrently )?.*? on (?:only )?(\w+)/.exec(statement) ?? []
  if (indexed !== undefined) return isLarge(indexed) ? indexRules(alone !== undefined, indexed, here) : []
  const [, written] = /^(?:update|delete from|insert into|truncate(?: table)?) (?:only )?(\w+)/.exec(statement) ?? []
  if (written !== undefined && isLarge(written))
    return ['writing all rows of a table keeps their locks until the end: let the service do it in parts']
  const [, locked] = /^(?:lock table|reindex table|cluster|vacuum full) (?:only )?(\w+)/.exec(statement) ?? []
  return locked !== undefined && isLarge(locked) ? ['the statement locks the whole table'] : []
}

const concurrent = /^(create (unique )?index concurrently|drop index concurrently if exists) \w+/

function indexRules(isConcurrent: boolean, table: string, here: readonly string[]): string[] {
  if (partitionedTables.includes(table))
    return [
      'an index of a partitioned table locks all its partitions: make it ON ONLY, and for each month by the service',
    ]
  if (!isConcurrent) return ['CREATE INDEX holds back writes: build it CONCURRENTLY, in a migration of its own']
  const dropped = here.flatMap((text) => /^drop index concurrently if exists (\w+)/.exec(text)?.[1] ?? [])
  const made = here.flatMap((text) => /^create (?:unique )?index concurrently (\w+)/.exec(text)?.[1] ?? [])
  if (here.every((text) => concurrent.test(text)) && made.every((index) => dropped.includes(index))) return []
  return [
    'a migration that builds CONCURRENTLY can be interrupted: it has nothing else, and first drops each index IF EXISTS',
  ]
}

function normal(statement: string): string {
  return statement
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

/** Splits at commas outside brackets. */
function splitAtTop(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of text) {
    if (letter === '(' || letter === '[') depth += 1
    if (letter === ')' || letter === ']') depth -= 1
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}
