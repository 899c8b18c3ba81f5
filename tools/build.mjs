// Compiles src/ to dist/ and builds the dashboard into dist/dashboard/. npm runs it after every install, so that bin/nuqta works right after `npm ci`.
// The result replaces dist/ only when it is complete: a failed build leaves the last good one, and a
// running service never finds half a folder.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
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
else if (existsSync(compiler) && existsSync(bundler)) await build()
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

async function build() {
  // Hash the sources first: if a file changes while the compiler runs, the build must not match it.
  const sources = hashOfSources()
  try {
    const status =
      compile('tsconfig.build.json', fresh) ||
      (await bundlePackages()) ||
      compile('tsconfig.browser.json', `${fresh}/browser`) ||
      bundleDashboard(`${fresh}/dashboard`)
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
  return run(process.execPath, [compiler, '-p', `${root}${project}`, '--noEmit', 'false', '--outDir', folder])
}

/** Bundles the packages of `vendor.config.mjs`, and lets the compiled files import the bundles; gives the exit status. */
async function bundlePackages() {
  // An installed package, which builds nothing, does not have it.
  const { bundled, bundleOf } = await import('./vendor.config.mjs')
  const compiled = filesBelow(fresh).filter((path) => path.endsWith('.js'))
  const vendor = join(fresh, 'vendor')
  const status = runBundler(['--config', `${root}tools/vendor.config.mjs`, '--outDir', vendor])
  if (status !== 0) return status
  const fromPackage = new RegExp(`\\bfrom '(${bundled.join('|')})'`, 'g')
  for (const path of compiled) {
    const folder = relative(dirname(path), vendor)
    const text = readFileSync(path, 'utf8')
    const changed = text.replace(
      fromPackage,
      (_, name) => `from '${folder.startsWith('.') ? '' : './'}${folder}/${bundleOf(name)}.js'`,
    )
    if (changed !== text) writeFileSync(path, changed)
  }
  return 0
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
