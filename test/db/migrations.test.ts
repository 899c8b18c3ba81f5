import { describe, expect, it } from 'vitest'
import { readTree } from '../support/tree.ts'

// What holds on one PostgreSQL and on several (docs/decisions): the rules that can be read off the text.

/** Small and rarely written: copied to every server, so their keys need no program and no foreign key starts there. */
const referenceTables = ['deployment', 'program', 'merchant', 'api_key']

/** Of the deployment and not of a program: counters led by a keyed hash of whom they count, and the probe of writes. */
const deploymentTables = ['limit_counter', 'write_probe']

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

/** What is wrong, as `table: text`, for each match of `pattern` in the tables. */
function inTables(of: typeof tables, pattern: RegExp): string[] {
  return of.flatMap(({ name, body }) => [...body.matchAll(pattern)].map((match) => `${name}: ${match[0]}`))
}

describe('migrations', () => {
  it('are found, and so are the tables they make', () => {
    expect(migrations.length).toBeGreaterThan(3)
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...referenceTables, 'customer', 'account', 'transfer', 'entry', 'orders', 'hold']),
    )
  })

  it('are numbered without a gap, so that their order is never in doubt', () => {
    const numbers = migrations.map(({ path }) => Number(/^migrations\/(\d{4})_[a-z_]+\.sql$/.exec(path)?.[1]))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })

  it('make no trigger, function, rule, or anything else that acts unseen', () => {
    expect(all).not.toMatch(/\b(trigger|create (or replace )?function|create rule|notify|advisory)\b/)
  })

  it('number rows by bigint identities made with the table, never by serial or a smaller integer', () => {
    expect(all).not.toMatch(/\b(small|big)?serial\d?\b|\b(integer|smallint|int|int4|int2)\b[^,;]*\bas identity/)
    expect(all).not.toMatch(/add (column )?\w+ [^;]*\bidentity\b/)
  })

  it('never change a key by themselves: no foreign key sets null or a default', () => {
    expect(all).not.toMatch(/set (null|default)\s*[,)]|on delete set|on update/)
  })

  it('take ids and times from the application', () => {
    expect(all).not.toMatch(
      /default\s+(now\(|current_|clock_|gen_random|uuid|transaction_timestamp|statement_timestamp)/,
    )
  })

  it('name every constraint', () => {
    expect(inTables(tables, /(?<!constraint \w+ )\b(primary key|foreign key|unique|check)\b \(/g)).toEqual([])
    // A column's own REFERENCES is a foreign key without a name.
    expect(inTables(tables, /(?<!foreign key \([^)]*\) )\breferences \w+/g)).toEqual([])
  })

  it('add one constraint per ALTER, and none with a column', () => {
    const alters = statements.filter((text) => text.startsWith('alter table'))
    expect(alters.filter((text) => text.split('add constraint').length > 2)).toEqual([])
    expect(
      alters.filter((text) => /add column [^,]*\b(references|check|unique|primary key|constraint)\b/.test(text)),
    ).toEqual([])
  })

  it('lead every key of a program with program_id', () => {
    expect(inTables(distributed, /\b(primary key|foreign key|unique) \((?!program_id[,)])[^)]*\)/g)).toEqual([])
    expect(inTables(distributed, /\breferences \w+ \((?!program_id[,)])[^)]*\)/g)).toEqual([])
    const unique = statements.filter((text) => text.startsWith('create unique index'))
    const own = unique.filter((text) => !referenceTables.some((name) => text.includes(` on ${name} (`)))
    expect(own.filter((text) => !/ on \w+ \(program_id[,)]/.test(text))).toEqual([])
  })

  it('have a primary key on every table', () => {
    expect(tables.filter(({ body }) => !body.includes('primary key (')).map(({ name }) => name)).toEqual([])
  })

  it('start no foreign key at a reference table', () => {
    expect(
      inTables(
        tables.filter(({ name }) => referenceTables.includes(name)),
        /foreign key/g,
      ),
    ).toEqual([])
  })
})
