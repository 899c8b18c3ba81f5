import type { CompiledQuery } from 'kysely'

/** One SQL statement with its values. A named statement is prepared once per connection. */
export interface Statement<Row> {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name?: string
  /** Carries the type of the rows; never set. */
  readonly row?: Row
}

/**
 * Defines a statement of a hot path, prepared under `name` on every connection.
 * @returns a function that takes the values of `$1, $2, …`
 */
export function prepared<Row>(name: string, text: string): (...values: readonly unknown[]) => Statement<Row> {
  return (...values) => ({ name, text, values })
}

/** Prepares a compiled query of Kysely under `name`. Its text must not depend on its values. */
export function preparedAs<Row>(name: string, { sql, parameters }: CompiledQuery<Row>): Statement<Row> {
  return { name, text: sql, values: parameters }
}

/**
 * SQL for the rows of lists that a prepared statement takes, to be put behind FROM: `rowsOfLists('$2::uuid[]', 'k(order_uuid)')`.
 * Of lists whose values it does not know PostgreSQL expects ten rows, so it would plan a statement for a single row anew
 * at every call. Of these it expects one row in each case, and keeps its plan.
 */
export function rowsOfLists(lists: `$${number}::${string}`, as: `${string}(${string})`): string {
  const [first] = lists.split('::', 1)
  const [alias] = as.split('(', 1)
  return `(select * from unnest(${lists}) as ${as} limit cardinality(${first})) ${alias}`
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
