import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../support/tree.ts'

// The files of `npm pack`. `.ci/package.mjs` installs the result and starts it.

interface Packed {
  readonly files: readonly { readonly path: string }[]
}

function packed(): string[] {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [result] = JSON.parse(printed) as [Packed]
  return result.files.map(({ path }) => path)
}

describe('the package', () => {
  const files = packed()

  test.each([
    'package.json',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bin/nuqta',
    'dist/main.js',
    'dist/browser/checkout.js',
    'dist/pages/design/base.css',
    'dist/bench/receiver.js',
    'docs/settings.md',
    'openapi.json',
    'tools/build.mjs',
    'types/api.d.ts',
    'types/openapi.d.ts',
  ])('has %s', (path) => expect(files).toContain(path))

  test('has the bundle of the service, whose name has a hash', () => {
    expect(files).toContainEqual(expect.stringMatching(/^dist\/serve-[\w-]+\.js$/))
  })

  test('has every migration', () => {
    const migrations = readdirSync(`${root}migrations`).map((name) => `migrations/${name}`)
    expect(files.filter((path) => path.startsWith('migrations/')).sort()).toEqual(migrations.sort())
  })

  // npm links the pages of `man` for everybody, and passes over `directories.man`.
  test('has the manual page, and names it to npm', () => {
    const { man } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly man?: readonly string[] }
    expect(man).toEqual(['man/nuqta.1'])
    expect(files).toEqual(expect.arrayContaining(['man/nuqta.1']))
  })

  test('has no sources, tests, source maps or files of a checkout', () => {
    const unwanted = files.filter((path) =>
      /^(src|test|\.ci|\.github|data|dist\/compiled)\/|\.map$|\.npmrc$|\.env$|lock\.json$/.test(path),
    )
    expect(unwanted).toEqual([])
  })

  test('has builds that name no folder of this machine and load no file of src/', () => {
    const built = files.filter((path) => /^dist\/.*\.js$/.test(path))
    expect(built.length).toBeGreaterThan(50)
    const outside = built.filter((path) => {
      const text = readFileSync(root + path, 'utf8')
      return text.includes(root) || /['"`](\.\.?\/)+src\//.test(text)
    })
    expect(outside).toEqual([])
  })
})

describe('the licences of packages', () => {
  const check = (...lockfile: readonly string[]) =>
    spawnSync(process.execPath, [`${root}tools/licences.mjs`, '--check', ...lockfile], { encoding: 'utf8' })

  test('are all on the list', () => {
    const { status, stderr } = check()
    expect([status, stderr]).toEqual([0, ''])
  })

  test('stop the package when one is copyleft or unknown, unless it is for development', () => {
    const folder = mkdtempSync(join(tmpdir(), 'nuqta-licences-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const lockfile = join(folder, 'package-lock.json')
    const packages = {
      '': { license: 'MIT' },
      'node_modules/fine': { version: '1.0.0', license: '(GPL-3.0-only OR MIT)' },
      'node_modules/@a/copyleft': { version: '2.0.0', license: 'AGPL-3.0-only' },
      'node_modules/fine/node_modules/unknown': { version: '3.0.0', optional: true },
      'node_modules/for-tests': { version: '4.0.0', license: 'MPL-2.0', dev: true },
    }
    writeFileSync(lockfile, JSON.stringify({ packages }))
    const { status, stderr } = check(lockfile)
    expect(status).toBe(1)
    expect(stderr).toBe('@a/copyleft 2.0.0: the licence is AGPL-3.0-only\nunknown 3.0.0: the licence is unknown\n')
  })
})
