import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { textsForRows } from '../../src/db/statement.ts'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

/** The names of the statements that `leasedQueue()` prepares for a queue. */
const ofQueue = (name: string) => ['programs', 'lease', 'write', 'postpone'].map((what) => `${name}.${what}`)

/** The names of the statements that `quickCheck()` prepares for a check. */
const ofCheck = (name: string) => [`verify_${name}`, `verify_${name}_end`]

/** The names of the statements that `preparedRows()` prepares. */
const ofRows = (name: string) => textsForRows(name, () => '').texts.map((one) => one.name)

/** The source files that prepare statements, with the names of the statements. */
export function filesThatPrepare(): { readonly file: string; readonly names: readonly string[] }[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'db/statement.ts')
    .flatMap((name) => {
      const text = readFileSync(`${source}${name}`, 'utf8')
      const prepared = text.matchAll(/\bprepared(?:As)?(?:<.*>)?\(\s*'([^']+)'/g)
      const rows = text.matchAll(/\bpreparedRows(?:<.*>)?\(\s*'([^']+)'/g)
      const queues = text.matchAll(/\bleasedQueue<.*>\(\{\s*name: '([^']+)'/g)
      const checks = text.matchAll(/\bquickCheck\(\{\s*name: '([^']+)'/g)
      const names = [
        ...Array.from(prepared, ([, found]) => found ?? ''),
        ...Array.from(rows, ([, found]) => ofRows(found ?? '')).flat(),
        ...Array.from(queues, ([, found]) => ofQueue(found ?? '')).flat(),
        ...Array.from(checks, ([, found]) => ofCheck(found ?? '')).flat(),
      ]
      return names.length === 0 ? [] : [{ file: `${source}${name}`, names }]
    })
}
