import { readMigrations } from './migrate.ts'
import type { Database } from './pool.ts'

/** Renders the schema from the database's catalogues: `schema.sql`, and the types in `src/db/schema.ts`. */

interface Column {
  table: string
  column: string
  type: string
  nullable: boolean
  default: string | null
  identity: string
}

interface Definition {
  table: string
  name: string
  definition: string
}

const tables = `select c.oid, c.relname, c.relkind from pg_catalog.pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
  and (not c.relispartition or c.relname like '%\\_default')`

function columns(db: Database): Promise<Column[]> {
  return db.run<Column>({
    text: `select t.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as nullable, pg_get_expr(d.adbin, d.adrelid) as default, a.attidentity as identity
      from (${tables}) t join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_catalog.pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
      order by t.relname collate "C", a.attnum`,
    values: [],
  })
}

function constraints(db: Database): Promise<Definition[]> {
  // Skip the NOT NULL constraints of PostgreSQL 18: the columns show them.
  return db.run<Definition>({
    text: `select t.relname as table, k.conname as name, pg_get_constraintdef(k.oid, true) as definition
      from (${tables}) t join pg_catalog.pg_constraint k on k.conrelid = t.oid and k.contype <> 'n'
      order by t.relname collate "C", array_position(array['p', 'u', 'f', 'c'], k.contype::text), k.conname collate "C"`,
    values: [],
  })
}

function indexes(db: Database): Promise<Definition[]> {
  return db.run<Definition>({
    text: `select t.relname as table, i.relname as name, pg_get_indexdef(i.oid) as definition
      from (${tables}) t join pg_catalog.pg_index x on x.indrelid = t.oid
      join pg_catalog.pg_class i on i.oid = x.indexrelid
      where not exists (select from pg_catalog.pg_constraint k where k.conindid = i.oid)
      and not i.relispartition
      order by t.relname collate "C", i.relname collate "C"`,
    values: [],
  })
}

function partitioning(db: Database): Promise<Definition[]> {
  return db.run<Definition>({
    text: `select t.relname as table, t.relname as name, pg_get_partkeydef(t.oid) as definition
      from (${tables}) t where t.relkind = 'p'`,
    values: [],
  })
}

/** Gives the schema as SQL, ordered by table name, without the monthly partitions. */
export async function renderSchemaSql(db: Database): Promise<string> {
  const [allColumns, allConstraints, allIndexes, partitions] = await Promise.all([
    columns(db),
    constraints(db),
    indexes(db),
    partitioning(db),
  ])
  const names = [...new Set(allColumns.map(({ table }) => table))]
  const texts = names.map((table) => {
    const own = allColumns.filter((column) => column.table === table)
    const lines = own.map(columnLine)
    for (const constraint of allConstraints.filter((one) => one.table === table))
      lines.push(`  constraint ${constraint.name} ${constraint.definition}`)
    const key = partitions.find((one) => one.table === table)?.definition
    const tail = key === undefined ? ';' : ` partition by ${key};`
    const made = allIndexes.filter((one) => one.table === table).map((one) => `${one.definition};`)
    return [`create table ${table} (\n${lines.join(',\n')}\n)${tail}`, ...made].join('\n')
  })
  const head = '-- Generated from the migrations by `npm run generate`. Read it; change the migrations.\n'
  return `${head}-- Up to ${(await readMigrations()).at(-1)?.name}.\n\n${texts.join('\n\n')}\n`
}

function columnLine({ column, type, nullable, default: standard, identity }: Column): string {
  const made = identity === 'a' ? ' generated always as identity' : ''
  return `  ${column} ${type}${nullable ? '' : ' not null'}${standard === null ? '' : ` default ${standard}`}${made}`
}

const typescriptTypes: Readonly<Record<string, string>> = {
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  // Unbounded, so a string.
  numeric: 'string',
  text: 'string',
  'text[]': 'string[]',
  uuid: 'Uuid',
  boolean: 'boolean',
  bytea: 'Buffer',
  json: 'unknown',
  jsonb: 'unknown',
  date: 'string',
  'timestamp with time zone': 'Date',
  'timestamp with time zone[]': 'Date[]',
  'integer[]': 'number[]',
  'uuid[]': 'Uuid[]',
}

/**
 * Gives the TypeScript types for Kysely: one interface per table. Throws on a column type without a TypeScript type.
 */
export async function renderSchemaTypes(db: Database): Promise<string> {
  const all = (await columns(db)).filter(({ table }) => !table.endsWith('_default'))
  const names = [...new Set(all.map(({ table }) => table))]
  const interfaces = names.map((table) => {
    const lines = all.filter((column) => column.table === table).map(typeLine)
    return `export interface ${pascal(table)}Table {\n${lines.join('\n')}\n}`
  })
  const map = names.map((table) => `  ${table}: ${pascal(table)}Table`)
  return [
    '// Generated from the migrations by `npm run generate`. Do not edit.',
    "import type { Generated, GeneratedAlways } from 'kysely'",
    "import type { Uuid } from '../domain/ids.ts'\n",
    `${interfaces.join('\n\n')}\n`,
    `/** Every table of the database, by name. */\nexport interface Schema {\n${map.join('\n')}\n}\n`,
  ].join('\n')
}

function typeLine({ column, type, nullable, default: standard, identity }: Column): string {
  const base = typescriptTypes[type]
  if (base === undefined) throw new Error(`no TypeScript type for the column type ${type}`)
  const whole = nullable ? `${base} | null` : base
  if (identity === 'a') return `  ${column}: GeneratedAlways<${whole}>`
  return `  ${column}: ${standard === null ? whole : `Generated<${whole}>`}`
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
