import { readFileSync } from 'node:fs'

/** The version of this package, as its package.json says. */
export function packageVersion(): string {
  const file: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return typeof file === 'object' && file !== null && 'version' in file ? String(file.version) : 'unknown'
}
