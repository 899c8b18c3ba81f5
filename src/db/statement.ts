import type { CompiledQuery } from 'kysely'

declare const prepares: unique symbol
/** Only the functions of this file give a name, so that a test finds every prepared statement. */
type PreparedName = string & { readonly [prepares]: true }

/** One SQL statement with its values. A named statement is prepared once per connection. */
export interface Statement<Row> {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name?: PreparedName
  /** Carries the type of the rows; never set. */
  readonly row?: Row
}

/**
 * Defines a statement of a hot path, prepared under `name` on every connection.
 * @returns a function that takes the values of `$1, $2, …`
 */
export function prepared<Row>(name: string, text: string): (...values: readonly unknown[]) => Statement<Row> {
  return (...values) => ({ name: name as PreparedName, text, values })
}

/** Prepares a compiled query of Kysely under `name`. Its text must not depend on its values. */
export function preparedAs<Row>(name: string, { sql, parameters }: CompiledQuery<Row>): Statement<Row> {
  return { name: name as PreparedName, text: sql, values: parameters }
}

/**
 * SQL for the rows of lists that a prepared statement takes, to be put behind FROM: `rowsOfLists('$2::uuid[]', 'k(order_uuid)')`.
 * PostgreSQL expects ten rows of a list whose values it does not know, and then plans a statement for one row anew at every
 * call. The `limit` makes it expect one row, so it keeps the plan.
 */
export function rowsOfLists(lists: Lists, as: Columns): string {
  const [first] = lists.split('::', 1)
  const [alias] = as.split('(', 1)
  return `(select * from unnest(${lists}) as ${as} limit cardinality(${first})) ${alias}`
}

/** The lists of a statement: for each of these columns, its values in all rows. */
export function columnsOf<Row>(rows: readonly Row[], ...names: readonly (keyof Row)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]))
}

type Lists = `$${number}::${string}`
type Columns = `${string}(${string})`

/** Writes the rows of lists, to be put behind FROM: `rows('$2::uuid[]', 'k(order_uuid)')`. */
export type WriteRows = (lists: Lists, as: Columns) => string

/** Up to this many rows have a text of their own: a request that comes alone posts two entries. */
const few = 2

interface TextForRows {
  readonly name: string
  readonly text: string
  /** Takes the values of `$1, $2, …`, with lists; gives the values of this text. */
  readonly valuesOf: (values: readonly unknown[]) => readonly unknown[]
}

/** A list of values: its number and the type of its values. */
const list = /\$(\d+)::(\w+)\[\]/g

/** The texts of a statement for one row, for two rows, and last for any number of rows; `first` is the number of a list. */
export function textsForRows(
  name: string,
  textOf: (rows: WriteRows) => string,
): { readonly texts: readonly TextForRows[]; readonly first: number } {
  const found = new Set<number>()
  const text = textOf((lists, as) => {
    for (const [, number] of lists.matchAll(list)) found.add(Number(number))
    return rowsOfLists(lists, as)
  })
  const last = Math.max(...Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)))
  const numbers = [...found]
  // The values of the first row stand where the lists stood, those of further rows behind all others.
  const place = (number: number, row: number) =>
    row === 0 ? number : last + (row - 1) * numbers.length + numbers.indexOf(number) + 1
  const rowOf = (lists: Lists, row: number) =>
    lists.replace(list, (_, number, type) => `$${place(Number(number), row)}::${type}`)
  const textOfFew = (rows: number): TextForRows => ({
    name: `${name}.${rows}`,
    text: textOf((lists, as) => {
      const listed = Array.from({ length: rows }, (_, row) => `(${rowOf(lists, row)})`)
      return `(values ${listed.join(', ')}) as ${as}`
    }),
    valuesOf(values) {
      const flat = values.map((value, index) => (found.has(index + 1) ? (value as unknown[])[0] : value))
      for (let row = 1; row < rows; row += 1)
        for (const number of numbers) flat.push((values[number - 1] as unknown[])[row])
      return flat
    },
  })
  const texts = Array.from({ length: few }, (_, index) => textOfFew(index + 1))
  return { texts: [...texts, { name, text, valuesOf: (values) => values }], first: numbers[0] ?? 0 }
}

/**
 * Defines a statement of a hot path whose lists, written by `rows`, give a row each. Few rows have texts of their own, without
 * lists: PostgreSQL parses an array and prepares a function for each list, which takes longer than a row.
 * @returns a function that takes the values of `$1, $2, …`, the lists as arrays of one length
 */
export function preparedRows<Row>(
  name: string,
  textOf: (rows: WriteRows) => string,
): (...values: readonly unknown[]) => Statement<Row> {
  const { texts, first } = textsForRows(name, textOf)
  return (...values) => {
    const rows = (values[first - 1] as unknown[]).length
    const chosen = texts[rows === 0 ? few : Math.min(rows - 1, few)]
    if (chosen === undefined) throw new Error(`${name} has no text for ${rows} rows`)
    return { name: chosen.name as PreparedName, text: chosen.text, values: chosen.valuesOf(values) }
  }
}

/** What `Database.run` takes: a statement of ours, or a compiled query of Kysely. */
export type Runnable<Row> = Statement<Row> | CompiledQuery<Row>

/** Converts a statement for the driver. */
export function toDriver(runnable: Runnable<unknown>): { text: string; values: unknown[]; name?: string } {
  if ('sql' in runnable) return { text: runnable.sql, values: [...runnable.parameters] }
  const { text, values, name } = runnable
  return name === undefined ? { text, values: [...values] } : { text, values: [...values], name }
}

/** A string, a quoted name, a comment, a dollar-quoted text, a semicolon, or other text up to the next of these. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|;|[^'"$;/-]+|[\s\S]/g
const comment = /^(--|\/\*)/

/**
 * Splits an SQL text into its statements, without comments. Citus sends the text of a schema change to its nodes as it
 * came, so each statement must be sent alone.
 */
export function statementsOf(sql: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const [part] of `${sql}\n;`.matchAll(token)) {
    if (part === ';') {
      if (statement.trim() !== '') statements.push(statement.trim())
      statement = ''
    } else if (!comment.test(part)) statement += part
  }
  return statements
}
