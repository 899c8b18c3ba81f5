import { globSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The project's folder, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface SourceFile {
  /** From the project's folder, with slashes. */
  readonly path: string
  readonly text: string
  readonly lines: number
}

/** The matching files of the working tree, without built, generated or installed ones. */
export function readTree(...patterns: readonly string[]): SourceFile[] {
  const found = globSync(patterns, { cwd: root, exclude: ['**/node_modules', 'dist*', 'data', 'coverage', '.git'] })
  const paths = [...new Set(found)].filter((path) => statSync(root + path).isFile())
  return paths.sort().map((path) => {
    const text = readFileSync(root + path, 'utf8')
    return { path, text, lines: text.split('\n').length - 1 }
  })
}

/** The value below which the given share of `values` lies: 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
