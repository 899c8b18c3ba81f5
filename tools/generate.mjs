// Generates openapi.json, types/openapi.d.ts, their counterparts of the dashboard, docs/errors.md, docs/settings.md,
// man/nuqta.1, schema.sql and src/db/schema.ts from the code and the migrations. CI runs it and fails when a file changes.
// It reads src/, not dist/, so that the types of new columns can be generated before the code that uses them compiles.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDataDirectory } from '../src/config/data-directory.ts'
import { renderSchemaSql, renderSchemaTypes } from '../src/db/catalogue.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { Database } from '../src/db/pool.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs `work` on a temporary, migrated database. */
async function withDatabase(work) {
  const folder = await mkdtemp(join(tmpdir(), 'nuqta-generate-'))
  const server = await startEmbedded(await openDataDirectory(folder), { fsync: false, shared: false })
  const db = new Database(server.connection('owner'), { size: 2 })
  try {
    await migrate(db)
    return await work(db)
  } finally {
    await db.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function write(path, text) {
  if (text.trim().length < 100) throw new Error(`${path} would be all but empty`)
  await writeFile(root + path, text)
  console.log(`${path}: ${text.split('\n').length - 1} lines`)
}

// The schema comes first: it can be generated while the rest does not run yet.
await withDatabase(async (db) => {
  await write('schema.sql', await renderSchemaSql(db))
  await write('src/db/schema.ts', await renderSchemaTypes(db))
})
const { renderErrorList } = await import('../src/http/api/error-list.ts')
await write('docs/errors.md', renderErrorList())
const { renderSettingsList } = await import('../src/config/settings-list.ts')
await write('docs/settings.md', renderSettingsList())
const { renderManPage } = await import('../src/cli/man-page.ts')
const { buildProgram } = await import('../src/cli/run.ts')
await write('man/nuqta.1', renderManPage(await buildProgram()))
await write('openapi.json', execFileSync(process.execPath, [`${root}src/main.ts`, 'openapi'], { encoding: 'utf8' }))

const { buildDashboardOpenApi } = await import('../src/http/dashboard/openapi.ts')
const { dashboardRoutes } = await import('../src/dashboard-routes.ts')
await write('dashboard/openapi.json', `${JSON.stringify(buildDashboardOpenApi(dashboardRoutes), null, 2)}\n`)

// Run it from tools/, because it needs the TypeScript there.
const renderer = `${root}tools/node_modules/openapi-typescript/bin/cli.js`
if (!existsSync(renderer)) throw new Error('openapi-typescript is not installed: run `npm ci --prefix tools`')
const typesOf = (description) =>
  execFileSync(process.execPath, [renderer, root + description], { encoding: 'utf8', maxBuffer: 1 << 26 })
await write('types/openapi.d.ts', typesOf('openapi.json'))
await write('dashboard/src/api/schema.d.ts', typesOf('dashboard/openapi.json'))
