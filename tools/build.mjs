// Compiles src/ to dist/. npm runs it after every install, so that bin/nuqta works right after `npm ci`.
// The result takes the place of dist/ only when it is whole: a mistake leaves the last good build as it was, and a
// service that is running never finds half a folder.
import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const fresh = `${root}dist-${process.pid}`
const previous = `${fresh}-previous`

try {
  const compiler = `${root}node_modules/typescript/bin/tsc`
  const settings = ['-p', `${root}tsconfig.build.json`, '--outDir', fresh]
  const { status, error } = spawnSync(process.execPath, [compiler, ...settings], { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status === 0 && !existsSync(`${fresh}/main.js`)) throw new Error('The compiler wrote no main.js.')
  if (status === 0) {
    if (existsSync(`${root}dist`)) renameSync(`${root}dist`, previous)
    renameSync(fresh, `${root}dist`)
  }
  process.exitCode = status ?? 1
} finally {
  rmSync(fresh, { recursive: true, force: true })
  rmSync(previous, { recursive: true, force: true })
}
