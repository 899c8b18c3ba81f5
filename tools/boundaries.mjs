// Checks the boundaries between the rooms of src/ (boundaries.config.mjs), that neither the imports between rooms nor those of the
// dashboard form a cycle, and that the checker saw every file: with an unknown TypeScript, dependency-cruiser finds no module and
// reports success.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const cruiser = `${root}tools/node_modules/dependency-cruiser/bin/dependency-cruiser.mjs`

if (!existsSync(cruiser)) fail('dependency-cruiser is not installed: run `npm ci --prefix tools`')

const settings = ['src', 'dashboard/src', '--config', 'tools/boundaries.config.mjs', '--output-type', 'json']
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
const rooms = roomGraph(modules)
if (rooms.size < 10 || arrowsOf(rooms) < rooms.size)
  fail(`it saw only ${rooms.size} rooms with ${arrowsOf(rooms)} arrows`)
const cycles = findCycles(rooms)
for (const { names, imports } of cycles) {
  console.error(`no-room-cycles: ${names.join(', ')} import each other`)
  for (const line of imports) console.error(`  ${line}`)
}
if (summary.violations.length > 0) fail(`${summary.violations.length} imports cross a boundary`)
if (cycles.length > 0) fail(`${cycles.length} groups of rooms import each other`)
console.log(`boundaries: ${files.length} files, ${imports} imports, none crosses a boundary`)
console.log(`boundaries: ${rooms.size} rooms, ${arrowsOf(rooms)} arrows, no cycle`)

/** The room of a file: a folder of features/, http/ or pages/, or a top folder. A file outside of these is its own room. */
function roomOf(path) {
  const [, top, name] = path.split('/')
  return ['features', 'http', 'pages'].includes(top) ? `${top}/${name}` : top
}

/** Each room with the rooms that it imports, and the imports; imports of types alone do not count. */
function roomGraph(modules) {
  const own = modules.filter(({ source }) => source.startsWith('src/'))
  const graph = new Map(own.map(({ source }) => [roomOf(source), new Map()]))
  for (const { source, dependencies } of own) {
    for (const { resolved, dependencyTypes } of dependencies) {
      const [from, to] = [roomOf(source), roomOf(resolved)]
      if (!resolved.startsWith('src/') || dependencyTypes.includes('type-only') || from === to) continue
      const arrows = graph.get(from)
      arrows.set(to, [...(arrows.get(to) ?? []), `${source} → ${resolved}`])
    }
  }
  return graph
}

function arrowsOf(graph) {
  return [...graph.values()].reduce((sum, arrows) => sum + arrows.size, 0)
}

/** The groups of rooms that reach each other, with the imports between them. */
function findCycles(graph) {
  const reach = new Map([...graph.keys()].map((room) => [room, reachableFrom(graph, room)]))
  const grouped = new Set()
  return [...graph.keys()].flatMap((room) => {
    if (grouped.has(room) || !reach.get(room).has(room)) return []
    const names = [...reach.get(room)].filter((other) => reach.get(other).has(room)).sort()
    for (const name of names) grouped.add(name)
    const imports = names.flatMap((from) => names.flatMap((to) => graph.get(from).get(to) ?? []))
    return [{ names, imports }]
  })
}

/** The rooms that a room imports, directly or through others; itself only by a cycle. */
function reachableFrom(graph, room) {
  const reached = new Set()
  const next = [...graph.get(room).keys()]
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    if (reached.has(one)) continue
    reached.add(one)
    next.push(...(graph.get(one)?.keys() ?? []))
  }
  return reached
}

function fail(reason) {
  console.error(`boundaries: ${reason}`)
  process.exit(1)
}
