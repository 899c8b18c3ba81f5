// Bundles src/ into dist/ and the dashboard into dist/dashboard/. npm runs it after every install, so that bin/nuqta works
// right after `npm ci`. The result replaces dist/ only when it is complete: a failed build leaves the last good one, and a
// running service never finds half a folder.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const compiler = `${root}node_modules/typescript/bin/tsc`
const bundler = `${root}node_modules/vite/bin/vite.js`
const fresh = `${root}dist-${process.pid}`
const previous = `${fresh}-previous`
/** Names the sources of a build, so that a later install without the compiler can tell whether it is theirs. */
const stamp = 'sources.sha256'

if (!existsSync(`${root}src`)) keepBuild()
else if (existsSync(compiler) && existsSync(bundler)) build()
else keepBuild(hashOfSources())

/** For an installed package, and for a checkout without its development packages. */
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
  // The lock file has the versions of the packages that are bundled.
  const lock = [`${root}package-lock.json`].filter((path) => existsSync(path))
  const paths = [...filesBelow(`${root}src`), ...filesBelow(`${root}dashboard`), ...lock]
  for (const path of paths.sort())
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

function build() {
  // Hash the sources first: if a file changes while the compiler runs, the build must not match it.
  const sources = hashOfSources()
  try {
    const status =
      runBundler(['--config', `${root}tools/server.config.mjs`, '--outDir', fresh]) ||
      compileScripts(`${fresh}/browser`) ||
      bundleDashboard(`${fresh}/dashboard`)
    if (status === 0 && !existsSync(`${fresh}/main.js`)) throw new Error('The bundler wrote no main.js.')
    if (status === 0) publish(sources)
    process.exitCode = status
  } finally {
    rmSync(fresh, { recursive: true, force: true })
    rmSync(previous, { recursive: true, force: true })
  }
}

/** Compiles and shortens the scripts of the pages; gives an exit status. */
function compileScripts(folder) {
  const project = `${root}tsconfig.browser.json`
  return (
    run(process.execPath, [compiler, '-p', project, '--noEmit', 'false', '--outDir', folder]) ||
    run(modernNode(), [`${root}tools/minify.mjs`, folder])
  )
}

/** Builds the dashboard, compressed once here instead of at each request; gives the exit status. */
function bundleDashboard(folder) {
  const status = runBundler([`${root}dashboard`, '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'])
  if (status !== 0) return status
  for (const path of filesBelow(folder).filter((name) => /\.(js|css|svg)$/.test(name))) {
    const content = readFileSync(path)
    writeFileSync(`${path}.br`, brotliCompressSync(content))
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
  }
  return 0
}

function runBundler(settings) {
  return run(modernNode(), [bundler, 'build', ...settings])
}

/** The installed Node.js, because npm may run on one that is too old for the bundler. */
function modernNode() {
  const names = ['node', 'node-bin'].map((name) => `${name}-${process.platform}-${process.arch}`)
  const places = names.map((name) => `${root}node_modules/${name}/bin/node`)
  return places.find((path) => existsSync(path)) ?? process.execPath
}

/** Gives the exit status of a program. */
function run(program, settings) {
  const { status, error } = spawnSync(program, settings, { cwd: root, stdio: 'inherit' })
  if (error) throw error
  return status ?? 1
}

function publish(sources) {
  for (const folder of ['pages/design', 'pages/texts', 'features/demo'])
    cpSync(`${root}src/${folder}`, `${fresh}/${folder}`, { recursive: true, filter: (path) => !path.endsWith('.ts') })
  writeFileSync(`${fresh}/${stamp}`, sources)
  if (existsSync(`${root}dist`)) renameSync(`${root}dist`, previous)
  renameSync(fresh, `${root}dist`)
}
