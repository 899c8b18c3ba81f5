import type { Route } from './route.ts'

export function buildOpenApi<Services>(rows: readonly Route<Services>[]): object {
  return { rows: rows.length }
}
