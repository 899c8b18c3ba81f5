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

/** A readable text table: one row a line, cells apart by two spaces or more, lines that begin with # left out. */
export function rowsOf(table: string): string[][] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/\s{2,}/))
}

/** Reads rows of a body, a status and the keys of `errors`. The body may contain any spaces. */
export function inputRowsOf(table: string): string[][] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, sent = '', status = '', keys = ''] = /^(.*?)\s{2,}(\d{3})(?:\s{2,}(\S+))?$/.exec(line) ?? []
      if (status === '') throw new Error(`a row without a status: ${line}`)
      return [sent, status, keys]
    })
}

/** A JSON text with `×N` after a character in quotes for a string of that many: `"x×256"`. */
export function readJson(text: string): unknown {
  const long = text.replace(/"(.)×(\d+)"/gu, (_, character: string, times: string) =>
    JSON.stringify(character.repeat(Number(times))),
  )
  return JSON.parse(long)
}

/** The last column of the tables: the status, then the keys of `errors` in alphabetical order. */
export function outcomeOf({ status, body }: Reply): string {
  return [String(status), ...Object.keys(body.errors ?? {}).sort()].join(' ')
}

/** A valid body with one field changed: `absent` leaves it out, anything else is JSON for `readJson`. Dots lead into objects and lists. */
export function withField(valid: Readonly<Record<string, unknown>>, field: string, value: string): object {
  const body: Record<string, unknown> = structuredClone(valid)
  const names = field.split('.')
  const last = names.pop() ?? ''
  let place: Record<string, unknown> = body
  for (const name of names) place = place[name] as Record<string, unknown>
  if (value === 'absent') delete place[last]
  else place[last] = readJson(value)
  return body
}
