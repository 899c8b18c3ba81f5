import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../support/tree.ts'

// npm runs the build after every install. Without the compiler, or in an unpacked package without sources, it failed.

const compiler = 'node_modules/typescript/bin/tsc'
const bundler = 'node_modules/vite/bin/vite.js'
const minifier = 'node_modules/vite/dist/node/index.js'
/** Writes what the compiler writes: the scripts of pages. */
const fakeCompiler = `
  const { mkdirSync, writeFileSync } = require('node:fs')
  const folder = process.argv.at(-1)
  mkdirSync(folder, { recursive: true })
  writeFileSync(folder + '/checkout.js', 'true')`

/** Writes what Vite writes: the service, or the pages and scripts of the dashboard. */
const fakeBundler = `
  const { mkdirSync, writeFileSync } = require('node:fs')
  const folder = process.argv[process.argv.indexOf('--outDir') + 1]
  mkdirSync(folder, { recursive: true })
  for (const file of process.argv.includes('--config') ? ['main.js'] : ['index.html', 'app.js'])
    writeFileSync(folder + '/' + file, 'true')`

/** Leaves scripts as they are. */
const fakeMinifier = 'exports.minifySync = (name, code) => ({ code, errors: [] })'

function checkout() {
  const folder = mkdtempSync(join(tmpdir(), 'nuqta-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  mkdirSync(join(folder, 'tools'))
  for (const tool of ['tools/build.mjs', 'tools/minify.mjs']) copyFileSync(root + tool, join(folder, tool))
  write('src/pages/design/base.css', '')
  write('src/pages/texts/en/wallet.json', '{}')
  write('src/features/demo/logos/shop.png', '')
  write('src/main.ts', 'first')
  write('dashboard/index.html', 'first')
  write(compiler, fakeCompiler)
  write(bundler, fakeBundler)
  write(minifier, fakeMinifier)
  const build = () => {
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'tools/build.mjs')], { encoding: 'utf8' })
    return { status, stderr }
  }
  const remove = (path: string) => rmSync(join(folder, path), { recursive: true })
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  return { build, remove, write, read, has: (path: string) => existsSync(join(folder, path)) }
}

const done = { status: 0, stderr: '' }

test('a checkout without the compiler keeps the build of its sources', () => {
  const { build, remove, has } = checkout()
  expect(build()).toEqual(done)
  remove('node_modules')
  expect(build()).toEqual(done)
  expect(
    [
      'main.js',
      'browser/checkout.js',
      'pages/design/base.css',
      'features/demo/logos/shop.png',
      'dashboard/app.js.br',
    ].filter((file) => !has(`dist/${file}`)),
  ).toEqual([])
})

test('it is refused when the sources have changed since, or were never built', () => {
  const { build, remove, write } = checkout()
  expect(build()).toEqual(done)
  remove('node_modules')
  write('src/main.ts', 'second')
  expect(build()).toEqual({ status: 1, stderr: expect.stringMatching(/of other sources.*`npm ci`/) })
  write('src/main.ts', 'first')
  expect(build()).toEqual(done)
  write('dashboard/index.html', 'second')
  expect(build()).toEqual({ status: 1, stderr: expect.stringMatching(/of other sources.*`npm ci`/) })
  write('dashboard/index.html', 'first')
  write('package-lock.json', '{}')
  expect(build()).toEqual({ status: 1, stderr: expect.stringMatching(/of other sources.*`npm ci`/) })
  remove('dist')
  expect(build()).toEqual({ status: 1, stderr: expect.stringMatching(/missing.*`npm ci`/) })
})

test('an unpacked package has no sources and keeps its build', () => {
  const { build, remove } = checkout()
  expect(build()).toEqual(done)
  remove('src')
  remove('dashboard')
  remove('node_modules')
  expect(build()).toEqual(done)
})
