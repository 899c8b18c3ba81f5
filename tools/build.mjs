// Compiles src/ to dist/. npm runs it after every install, so that bin/nuqta works right after `npm ci`.
// The result takes the place of dist/ only when it is whole: a mistake leaves the last good build as it was, and a
// service that is running never finds half a folder.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const compiler = `${root}node_modules/typescript/bin/tsc`
const fresh = `${root}dist-${process.pid}`
const previous = `${fresh}-previous`
/** Names the sources of a build, so that a later install without the compiler can tell whether it is theirs. */
const stamp = 'sources.sha256'

if (!existsSync(`${root}src`)) keepBuild()
else if (existsSync(compiler)) build()
else keepBuild(hashOfSources())

/** For an installed package, and a checkout that development packages were pruned from. */
function keepBuild(sources) {
  const isBuilt = existsSync(`${root}dist/main.js`)
  if (isBuilt && (sources === undefined || sources === hashOfBuild())) return
  console.error(
    `nuqta: dist/ is ${isBuilt ? 'of other sources' : 'missing'}, and the compiler is not installed. ` +
      'Run `npm ci`, which installs it and builds; then prune the development packages again.',
  )
  process.exitCode = 1
}

function hashOfBuild() {
  const path = `${root}dist/${stamp}`
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function hashOfSources() {
  const hash = createHash('sha256')
  const entries = readdirSync(`${root}src`, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  for (const path of paths.sort())
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

function build() {
  // Taken first: a file that changes while the compiler runs makes the build one of other sources.
  const sources = hashOfSources()
  try {
    const status = compile('tsconfig.build.json', fresh) || compile('tsconfig.browser.json', `${fresh}/browser`)
    if (status === 0 && !existsSync(`${fresh}/main.js`)) throw new Error('The compiler wrote no main.js.')
    if (status === 0) publish(sources)
    process.exitCode = status
  } finally {
    rmSync(fresh, { recursive: true, force: true })
    rmSync(previous, { recursive: true, force: true })
  }
}

/** Compiles one project into a folder; gives the compiler's exit status. */
function compile(project, folder) {
  const settings = ['-p', `${root}${project}`, '--noEmit', 'false', '--outDir', folder]
  const { status, error } = spawnSync(process.execPath, [compiler, ...settings], { cwd: root, stdio: 'inherit' })
  if (error) throw error
  return status ?? 1
}

function publish(sources) {
  for (const folder of ['pages/design', 'features/demo'])
    cpSync(`${root}src/${folder}`, `${fresh}/${folder}`, { recursive: true, filter: (path) => !path.endsWith('.ts') })
  writeFileSync(`${fresh}/${stamp}`, sources)
  if (existsSync(`${root}dist`)) renameSync(`${root}dist`, previous)
  renameSync(fresh, `${root}dist`)
}
