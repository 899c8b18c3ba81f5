// Compiles src/ to dist/. npm runs it after every install, so that bin/nuqta works right after `npm ci`.
// The result takes the place of dist/ only when it is whole: a mistake leaves the last good build as it was, and a
// service that is running never finds half a folder.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const fresh = `${root}dist-${process.pid}`
const previous = `${fresh}-previous`

/** Compiles one project into a folder; gives the compiler's exit status. */
function compile(project, folder) {
  const compiler = `${root}node_modules/typescript/bin/tsc`
  const settings = ['-p', `${root}${project}`, '--noEmit', 'false', '--outDir', folder]
  const { status, error } = spawnSync(process.execPath, [compiler, ...settings], { cwd: root, stdio: 'inherit' })
  if (error) throw error
  return status ?? 1
}

try {
  const status = compile('tsconfig.build.json', fresh) || compile('tsconfig.browser.json', `${fresh}/browser`)
  if (status === 0 && !existsSync(`${fresh}/main.js`)) throw new Error('The compiler wrote no main.js.')
  if (status === 0) {
    for (const folder of ['pages/design', 'features/demo'])
      cpSync(`${root}src/${folder}`, `${fresh}/${folder}`, { recursive: true, filter: (path) => !path.endsWith('.ts') })
    if (existsSync(`${root}dist`)) renameSync(`${root}dist`, previous)
    renameSync(fresh, `${root}dist`)
  }
  process.exitCode = status
} finally {
  rmSync(fresh, { recursive: true, force: true })
  rmSync(previous, { recursive: true, force: true })
}
