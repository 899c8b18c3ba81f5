import { describe, expect, it } from 'vitest'
import { readTree } from '../support/tree.ts'

// Rules for the text of migrations, so that they work on one PostgreSQL and on a cluster.

/**
 * Reference tables: small, rarely written, copied to every node. Their keys need no program_id, and they have no
 * foreign keys.
 */
const referenceTables = [
  ...['deployment', 'program', 'merchant', 'api_key', 'staff', 'staff_membership', 'staff_session'],
  ...['staff_recovery_code', 'staff_passkey', 'staff_link', 'staff_used', 'shown_mail'],
]

/** Tables without a program: counters by hash, the write probe, and processes. */
const deploymentTables = ['limit_counter', 'write_probe', 'service_process']

const migrations = readTree('migrations/*.sql').map(({ path, text }) => ({
  path,
  sql: text
    .replace(/--.*$/gm, '')
    .replace(/'[^']*'/g, "''")
    .toLowerCase(),
}))
const all = migrations.map(({ sql }) => sql).join('\n')
const statements = all.split(';').map((text) => text.trim().replace(/\s+/g, ' '))
const tables = statements
  .map((text) => /^create table (?:if not exists )?(\w+) \((.*)/.exec(text))
  .filter((match) => match !== null)
  .map(([, name = '', body = '']) => ({ name, body }))
const distributed = tables.filter(({ name }) => ![...referenceTables, ...deploymentTables].includes(name))

/** Gives `table: text` for each match of `pattern` in the tables. */
function inTables(of: typeof tables, pattern: RegExp): string[] {
  return of.flatMap(({ name, body }) => [...body.matchAll(pattern)].map((match) => `${name}: ${match[0]}`))
}

describe('migrations', () => {
  it('are found, with the tables that they create', () => {
    expect(migrations.length).toBeGreaterThan(3)
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...referenceTables, 'customer', 'account', 'transfer', 'entry', 'orders', 'hold']),
    )
  })

  it('are numbered without gaps', () => {
    const numbers = migrations.map(({ path }) => Number(/^migrations\/(\d{4})_[a-z_]+\.sql$/.exec(path)?.[1]))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })

  it('create no triggers, functions or rules', () => {
    expect(all).not.toMatch(/\b(trigger|create (or replace )?function|create rule|notify|advisory)\b/)
  })

  it('number rows by bigint identities, never by serial or a smaller integer', () => {
    expect(all).not.toMatch(/\b(small|big)?serial\d?\b|\b(integer|smallint|int|int4|int2)\b[^,;]*\bas identity/)
    expect(all).not.toMatch(/add (column )?\w+ [^;]*\bidentity\b/)
  })

  it('have no foreign key that sets null or a default', () => {
    expect(all).not.toMatch(/set (null|default)\s*[,)]|on delete set|on update/)
  })

  it('take ids and times from the application', () => {
    expect(all).not.toMatch(
      /default\s+(now\(|current_|clock_|gen_random|uuid|transaction_timestamp|statement_timestamp)/,
    )
  })

  it('name every constraint', () => {
    expect(inTables(tables, /(?<!constraint \w+ )\b(primary key|foreign key|unique|check)\b \(/g)).toEqual([])
    // REFERENCES in a column makes an unnamed foreign key.
    expect(inTables(tables, /(?<!foreign key \([^)]*\) )\breferences \w+/g)).toEqual([])
  })

  it('add one constraint per ALTER, and none with a column', () => {
    const alters = statements.filter((text) => text.startsWith('alter table'))
    expect(alters.filter((text) => text.split('add constraint').length > 2)).toEqual([])
    expect(
      alters.filter((text) => /add column [^,]*\b(references|check|unique|primary key|constraint)\b/.test(text)),
    ).toEqual([])
  })

  it('begin every key of a program with program_id', () => {
    expect(inTables(distributed, /\b(primary key|foreign key|unique) \((?!program_id[,)])[^)]*\)/g)).toEqual([])
    expect(inTables(distributed, /\breferences \w+ \((?!program_id[,)])[^)]*\)/g)).toEqual([])
    const unique = statements.filter((text) => text.startsWith('create unique index'))
    const own = unique.filter((text) => !referenceTables.some((name) => text.includes(` on ${name} (`)))
    expect(own.filter((text) => !/ on \w+ \(program_id[,)]/.test(text))).toEqual([])
  })

  it('have a primary key on every table', () => {
    expect(tables.filter(({ body }) => !body.includes('primary key (')).map(({ name }) => name)).toEqual([])
  })

  it('have no foreign key on a reference table', () => {
    expect(
      inTables(
        tables.filter(({ name }) => referenceTables.includes(name)),
        /foreign key/g,
      ),
    ).toEqual([])
  })
})
