import type { CompiledQuery } from 'kysely'

/** One SQL statement with its values. A named one is prepared once per connection. */
export interface Statement<Row> {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name?: string
  /** Only for the type of the rows; never set. */
  readonly row?: Row
}

/**
 * A statement of a hot path: its text is fixed and prepared under `name` on every connection.
 * @returns a function that takes the values, in the order of `$1, $2, …`.
 */
export function prepared<Row>(name: string, text: string): (...values: readonly unknown[]) => Statement<Row> {
  return (...values) => ({ name, text, values })
}

/** Prepares what Kysely has compiled under `name`: whatever its values, its text has to be the same each time. */
export function preparedAs<Row>(name: string, { sql, parameters }: CompiledQuery<Row>): Statement<Row> {
  return { name, text: sql, values: parameters }
}

/** What `Database.run` takes: our own statements, or those that Kysely has compiled. */
export type Runnable<Row> = Statement<Row> | CompiledQuery<Row>

/** The statement as the driver wants it. */
export function toDriver(runnable: Runnable<unknown>): { text: string; values: unknown[]; name?: string } {
  if ('sql' in runnable) return { text: runnable.sql, values: [...runnable.parameters] }
  const { text, values, name } = runnable
  return name === undefined ? { text, values: [...values] } : { text, values: [...values], name }
}
