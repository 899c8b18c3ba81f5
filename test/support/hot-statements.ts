import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

/** The files of the source that prepare statements, with the names of those. */
export function filesThatPrepare(): { readonly file: string; readonly names: readonly string[] }[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'db/statement.ts')
    .flatMap((name) => {
      const names = Array.from(
        readFileSync(`${source}${name}`, 'utf8').matchAll(/\bprepared(?:As)?(?:<.*>)?\(\s*'([^']+)'/g),
        ([, found]) => found ?? '',
      )
      return names.length === 0 ? [] : [{ file: `${source}${name}`, names }]
    })
}
