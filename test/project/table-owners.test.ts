import { existsSync, readFileSync } from 'node:fs'
import type { Node } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { type Parsed, parseFile, place, walk } from '../support/syntax.ts'
import { readTree, root } from '../support/tree.ts'

/** The tables that each folder owns. Only its `queries.ts` and `*-queries.ts` write them; in `src/db`, any file does. */
const owners: Readonly<Record<string, string>> = {
  'src/db': 'account transfer entry event delivery_queue audit merchant_audit schema_migration write_probe',
  'src/features/activity': 'activity_program activity_window activity_day merchant_customer',
  'src/features/customers': 'customer consent sms_queue',
  'src/features/deployment': 'deployment service_process ledger_run',
  'src/features/earning': 'pending_earning order_rating',
  'src/features/erasure': 'erasure_request',
  'src/features/idempotency': 'idempotency',
  'src/features/liability': 'liability_report liability_month',
  'src/features/limits': 'limit_counter message_count',
  'src/features/merchants':
    'program program_rate program_terms merchant merchant_logo merchant_wide_logo merchant_payment_account api_key earning_lock',
  'src/features/orders':
    'orders order_payment payment_task order_refund hold checkout_session translation provider_money',
  'src/features/otp': 'otp rate_limit remembered_browser remembered_spend',
  'src/features/proposals': 'proposal',
  'src/features/payments': 'sandbox_payment sandbox_refund reconciliation_finding',
  'src/features/requests': 'request_log',
  'src/features/review': 'merchant_note merchant_document',
  'src/features/settlement':
    'settlement settlement_line settlement_exclusion settlement_run program_webhook settlement_notice',
  'src/features/staff':
    'staff staff_membership staff_session staff_recovery_code staff_passkey staff_link staff_used shown_mail',
  'src/features/wallet': 'wallet_session card_session',
  'src/features/webhooks': 'webhook webhook_rotation delivery delivery_attempt delivery_queue',
}

/**
 * An erasure clears columns of many tables, which `personal-data.ts` lists. The rotation of the secret key re-encrypts those
 * that `sealed-columns.ts` lists.
 */
const anyTable = ['src/features/deployment/secret-key-queries.ts', 'src/features/erasure/queries.ts']

/** The tables of `schema.sql`, without default partitions. */
const tables = [...readFileSync(`${root}schema.sql`, 'utf8').matchAll(/^create table (\w+)/gm)]
  .map(([, name = '']) => name)
  .filter((name) => !name.endsWith('_default'))

/** All source files except the benchmark, which may write any table. */
const service = readTree('src/**/*.ts')
  .filter(({ path }) => !path.startsWith('src/bench/') && !path.endsWith('.test.ts'))
  .map(parseFile)

interface Write {
  readonly path: string
  readonly at: string
  readonly table: string
}

/** A write in an SQL text, where `$` stands for an expression. `do update set` names no table. */
const written =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|update|truncate(?:\s+table)?)\s+(?:only\s+)?(?!set\b)([\w$]+)(\s+(?:as\s+)?\w+)?(\s+set\b)?/gi
const builders = ['insertInto', 'updateTable', 'deleteFrom', 'mergeInto']
const computed = '$'

/** The tables that an SQL text writes. */
function tablesIn(sql: string): string[] {
  return [...sql.matchAll(written)].flatMap(([text, name = '', alias, set]) => {
    const isSet = set !== undefined || /^\s+set$/i.test(alias ?? '')
    if (/^update/i.test(text) && !isSet) return []
    const table = name.replace(/_default$/, '')
    return table === computed || tables.includes(table) ? [table] : []
  })
}

/** The text of a literal, with `$` for each expression of a template; undefined for any other node. */
function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type !== 'TemplateLiteral') return undefined
  return node.quasis.map(({ value }) => value.cooked ?? '').join(computed)
}

/** The last name of a call: `run` for `db.run()`. */
function calleeOf(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined
  const { callee } = node
  if (callee.type === 'Identifier') return callee.name
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : undefined
}

/** The tables that a node itself writes; `$` for one that is known only when the program runs. */
function tablesAt(node: Node): string[] {
  if (node.type === 'CallExpression' && builders.includes(calleeOf(node) ?? '')) {
    const name = textOf(node.arguments[0])?.split(' ')[0]
    return [name !== undefined && tables.includes(name) ? name : computed]
  }
  return tablesIn(textOf(node) ?? '')
}

/** Every write that names its table. */
function namedWrites({ file, program }: Parsed): Write[] {
  return [...walk(program)].flatMap((node) =>
    tablesAt(node)
      .filter((table) => table !== computed)
      .map((table) => ({ path: file.path, at: place(file, node.start), table })),
  )
}

/** A file that computes the name of a table that it writes, and the functions in which it does. */
function computingFunctions({ program }: Parsed): readonly string[] | undefined {
  const isComputed = (node: Node) => tablesAt(node).includes(computed)
  if (![...walk(program)].some(isComputed)) return undefined
  return [...walk(program)].flatMap((node) => {
    const isFunction = node.type === 'VariableDeclarator' && /Function/.test(node.init?.type ?? '')
    if ((!isFunction && node.type !== 'FunctionDeclaration') || node.id?.type !== 'Identifier') return []
    return [...walk(node)].some(isComputed) ? [node.id.name] : []
  })
}

const readers = /^(selectFrom|\w*[jJ]oin)$/

/**
 * Every table that a string of the file names, unless the string is part of a statement that names its table itself.
 */
function tablesNamed({ file, program }: Parsed): Write[] {
  const nodes = [...walk(program)]
  const elsewhere = new Set<Node>(
    nodes.flatMap((node) => {
      const callee = node.type === 'CallExpression' ? calleeOf(node) : undefined
      return node.type === 'CallExpression' &&
        callee !== undefined &&
        (readers.test(callee) || builders.includes(callee))
        ? node.arguments
        : []
    }),
  )
  return nodes.filter((node) => !elsewhere.has(node)).flatMap((node) => namedBy(file, node))
}

/** The tables that are passed to functions which compute the name of a table. */
function tablesPassed({ file, program }: Parsed, computing: ReadonlySet<string>): Write[] {
  return [...walk(program)].flatMap((node) =>
    node.type === 'CallExpression' && computing.has(calleeOf(node) ?? '')
      ? node.arguments.flatMap((argument) => [...walk(argument)]).flatMap((inner) => namedBy(file, inner))
      : [],
  )
}

function namedBy(file: Parsed['file'], node: Node): Write[] {
  const table = node.type === 'Literal' && typeof node.value === 'string' ? node.value : ''
  return tables.includes(table) ? [{ path: file.path, at: place(file, node.start), table }] : []
}

/**
 * Every write of the files. In a file that computes the name of a table, each table that it names counts as written.
 */
function writesOf(files: readonly Parsed[]): Write[] {
  const writing = files.filter(({ file }) => new RegExp(`${written.source}|${builders.join('|')}`, 'i').test(file.text))
  const computing = new Map(writing.map((parsed) => [parsed, computingFunctions(parsed)] as const))
  const names = new Set([...computing.values()].flatMap((functions) => functions ?? []))
  return files.flatMap((parsed) => {
    const named = computing.has(parsed) ? namedWrites(parsed) : []
    const isComputing = computing.get(parsed) !== undefined && !parsed.file.path.startsWith('src/db/')
    if (!isComputing) return [...named, ...(callsAny(parsed, names) ? tablesPassed(parsed, names) : [])]
    const unknown = { path: parsed.file.path, at: parsed.file.path, table: computed }
    const found = tablesNamed(parsed)
    return [...named, ...(found.length === 0 ? [unknown] : found)]
  })
}

function callsAny({ file }: Parsed, names: ReadonlySet<string>): boolean {
  return [...names].some((name) => file.text.includes(`${name}(`))
}

const ownersOf = (table: string) => Object.keys(owners).filter((folder) => owners[folder]?.split(' ').includes(table))

/** The writes that stand outside the queries of an owner of their table. */
function strays(writes: readonly Write[]): string[] {
  const isOwn = ({ path, table }: Write) =>
    ownersOf(table).some(
      (folder) => path.startsWith(`${folder}/`) && (folder === 'src/db' || /[/-]queries\.ts$/.test(path)),
    )
  const found = writes.filter((write) => !isOwn(write) && !(write.table === computed && anyTable.includes(write.path)))
  return found.map(({ at, table }) =>
    table === computed
      ? `${at} writes a table that it does not name`
      : `${at} writes ${table}, which belongs to ${ownersOf(table).join(' and ')}`,
  )
}

const writes = writesOf(service)

describe('every table belongs to one room', () => {
  it('and each table of schema.sql has an owner', () => {
    expect(tables.length).toBeGreaterThan(30)
    expect(tables.filter((table) => ownersOf(table).length === 0)).toEqual([])
  })

  it('and the owners and their tables exist', () => {
    expect(Object.keys(owners).filter((folder) => !existsSync(root + folder))).toEqual([])
    const owned = Object.values(owners).flatMap((names) => names.split(' '))
    expect(owned.filter((table) => !tables.includes(table))).toEqual([])
  })

  it('and only its queries write it', () => {
    expect(strays(writes)).toEqual([])
  })
})

describe('the search for writes', () => {
  it('finds a write of every table', () => {
    const found = new Set(writes.map(({ table }) => table))
    expect(tables.filter((table) => !found.has(table))).toEqual([])
  })

  const planted: Readonly<Record<string, readonly [text: string, table: string]>> = {
    'an insertion': ["run('insert into otp (program_id) values ($1)')", 'otp'],
    'an update under another name': ['run(`update orders as o set paid_at = $1`)', 'orders'],
    'an update of a few words': ["run('UPDATE ONLY orders o\\n SET paid_at = $1')", 'orders'],
    'a deletion in a template': ['run(`delete from hold where <where>`)', 'hold'],
    'a deletion from a default partition': ['run(`delete from delivery_default`)', 'delivery'],
    'a built update': ["builder.updateTable('customer as c').set({})", 'customer'],
    'a table chosen in the same file': ["const of = { table: 'consent' }; run(`delete from <of.table>`)", 'consent'],
    'a table passed on to a builder': ["const purge = (t) => builder.deleteFrom(t); purge('otp')", 'otp'],
  }
  /** A file with this code, in which `<x>` stands for an expression of a template. */
  const fileOf = (path: string, code: string) =>
    parseFile({ path, text: code.replaceAll(/<([\w.]+)>/g, `\${$1}`), lines: 1 })

  it.each(Object.entries(planted))('finds %s outside of its room', (_, [text, table]) => {
    expect(strays(writesOf([fileOf('src/features/checkout/queries.ts', text)]))).toEqual([
      `src/features/checkout/queries.ts:1 writes ${table}, which belongs to ${ownersOf(table).join(' and ')}`,
    ])
  })

  it('finds a table passed to a helper of another file', () => {
    const helper = fileOf('src/db/programs.ts', 'export function purge(table) { run(`delete from <table> where old`) }')
    const caller = fileOf('src/features/checkout/queries.ts', "purge('otp', before)")
    expect(strays(writesOf([helper, caller]))).toHaveLength(1)
  })

  it('finds a table whose name is known at run time only', () => {
    const text = 'export const reseal = (of) => run(`update <of.table> set secret = $1`)'
    expect(strays(writesOf([fileOf('src/features/otp/queries.ts', text)]))).toHaveLength(1)
    expect(strays(writesOf(anyTable.map((path) => fileOf(path, text))))).toEqual([])
    expect(writes.filter(({ table }) => table === computed).map(({ path }) => path)).toEqual(anyTable)
  })

  it('finds a write of the right room outside of its queries', () => {
    const text = "run('insert into otp (program_id) values ($1)')"
    expect(strays(writesOf([fileOf('src/features/otp/service.ts', text)]))).toHaveLength(1)
    expect(strays(writesOf([fileOf('src/features/otp/queries.ts', text)]))).toEqual([])
  })

  it.each([
    'run(`select * from otp for no key update of otp`)',
    'run(`insert into translation (text) values ($1) on conflict (text) do update set text = excluded.text`)',
    "builder.selectFrom('otp').innerJoin('orders', 'a', 'b')",
  ])('ignores a statement that writes nothing else: %s', (text) => {
    expect(strays(writesOf([fileOf('src/features/orders/queries.ts', text)]))).toEqual([])
  })
})
