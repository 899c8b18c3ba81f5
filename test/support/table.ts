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

/** A JSON text with `×N` after a letter in quotes for a string of that many letters: `"x×256"`. */
export function readJson(text: string): unknown {
  const long = text.replace(/"(\p{L})×(\d+)"/gu, (_, letter: string, times: string) =>
    JSON.stringify(letter.repeat(Number(times))),
  )
  return JSON.parse(long)
}
