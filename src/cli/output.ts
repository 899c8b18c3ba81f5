/** How a command speaks: results to stdout, everything else to stderr. */
export interface Output {
  /** One result: an object a line with `--json`, else the text. */
  result(object: object, text: string): void
  /** What is being done, for people only. */
  progress(text: string): void
  /** What a person should know besides the result. */
  note(text: string): void
  /** The exit code unless a failure decides another. */
  code: number
}

/** Writes to the process's own streams. */
export function createOutput(json: boolean): Output {
  return {
    result(object, text) {
      process.stdout.write(`${json ? JSON.stringify(object) : text}\n`)
    },
    progress(text) {
      process.stderr.write(`${text} …\n`)
    },
    note(text) {
      process.stderr.write(`${text}\n`)
    },
    code: 0,
  }
}

/** Whoever reads the output may have read enough (`| head`): what is still said goes nowhere, and the command ends in order. */
export function endQuietlyWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}

/** Names and values one below the other, values aligned. */
export function describe(object: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(object).map((name) => name.length))
  return Object.entries(object)
    .map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`)
    .join('\n')
}

function plain(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if ('rawJSON' in value) return String(value.rawJSON)
  return Object.entries(value)
    .map(([name, part]) => `${name} ${onOff(part)}`)
    .join(', ')
}

function onOff(value: unknown): string {
  if (typeof value !== 'boolean') return String(value)
  return value ? 'on' : 'off'
}
