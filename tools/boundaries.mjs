// Checks the boundaries between the rooms of src/ (boundaries.config.mjs), and that the checker saw every file:
// with a TypeScript that it does not know, dependency-cruiser finds no module and is content.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const cruiser = `${root}tools/node_modules/dependency-cruiser/bin/dependency-cruiser.mjs`

if (!existsSync(cruiser)) fail('dependency-cruiser is not installed: run `npm ci --prefix tools`')

const settings = ['src', '--config', 'tools/boundaries.config.mjs', '--output-type', 'json']
const { stdout, stderr, error } = spawnSync(process.execPath, [cruiser, ...settings], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 28,
})
if (error) throw error
if (!stdout.startsWith('{')) fail(`dependency-cruiser gave no result: ${stderr || stdout}`)

const { modules, summary } = JSON.parse(stdout)
const seen = new Map(modules.map((module) => [module.source, module.dependencies.length]))
const files = globSync('src/**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
const unseen = files.filter((path) => !seen.has(path))
const imports = files.reduce((sum, path) => sum + (seen.get(path) ?? 0), 0)

for (const { rule, from, to, cycle } of summary.violations) {
  const way = cycle ? [from, ...cycle.map((step) => step.name)].join(' → ') : `${from} → ${to}`
  console.error(`${rule.name}: ${way}`)
}
if (files.length === 0 || unseen.length > 0) fail(`it did not see ${unseen.join(', ') || 'any file'}`)
if (!files.some((path) => path.startsWith('src/domain/'))) fail('it saw no file of src/domain')
if (imports < files.length / 2) fail(`it saw only ${imports} imports in ${files.length} files`)
if (summary.violations.length > 0) fail(`${summary.violations.length} imports cross a boundary`)
console.log(`boundaries: ${files.length} files, ${imports} imports, none crosses a boundary`)

function fail(reason) {
  console.error(`boundaries: ${reason}`)
  process.exit(1)
}
