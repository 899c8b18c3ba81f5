/**
 * SQL of a JSON column whose members SQL reads. PostgreSQL refuses the whole value for an escape that JSON allows (NUL, lone
 * surrogates), wherever it is, and `metadata` may have one: all escapes by number are left out.
 */
export function readableJson(column: string): string {
  return String.raw`regexp_replace(${column}::text, '(\\\\)|\\u[0-9a-fA-F]{4}', '\1', 'g')::json`
}
