import type { Reply } from '../http/client.ts'

// Cases as text tables, one row each. The last column is the expected result.

export type Row = Readonly<Record<string, string>>

/** Reads a table whose cells are separated by `|`, the first line naming the columns. Blank lines are passed over. */
export function readTable(text: string): Row[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const [head = [], ...rows] = lines.map((line) => line.split('|').map((cell) => cell.trim()))
  return rows.map((cells) => {
    if (cells.length !== head.length)
      throw new Error(`a row has ${cells.length} cells, not ${head.length}: ${cells.join(' | ')}`)
    return Object.fromEntries(head.map((name, index) => [name, cells[index] ?? '']))
  })
}

/** The last column of the tables: the status, then the keys of `errors` in alphabetical order. */
export function outcomeOf({ status, body }: Reply): string {
  return [String(status), ...Object.keys(body.errors ?? {}).sort()].join(' ')
}

/** A valid body with one field changed: `absent` leaves it out, anything else is JSON. Dots lead into objects and lists. */
export function withField(valid: Readonly<Record<string, unknown>>, field: string, value: string): object {
  const body: Record<string, unknown> = structuredClone(valid)
  const names = field.split('.')
  const last = names.pop() ?? ''
  let place: Record<string, unknown> = body
  for (const name of names) place = place[name] as Record<string, unknown>
  if (value === 'absent') delete place[last]
  else place[last] = expand(JSON.parse(value))
  return body
}

/** Expands `"x*256"` to a text of that many characters, which is too long for a table. */
function expand(value: unknown): unknown {
  const match = typeof value === 'string' ? /^(.+)\*(\d+)$/.exec(value) : null
  return match === null ? value : (match[1] ?? '').repeat(Number(match[2]))
}
