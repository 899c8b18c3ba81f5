import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { bin, environment, nuqta, nuqtaProcess, runningService } from './command.ts'

// These tests need a separate process: bin/nuqta, its exit code, its streams, and a reader that leaves early. The other
// tests run commands in the test process.

const dist = new URL('../../dist/', import.meta.url).href
const bundles = readdirSync(new URL(dist)).filter((name) => name.endsWith('.js') && name !== 'main.js')
const service = runningService()
const options = () => ({ cwd: service.cwd, env: service.env })

test.each([
  [0, ['merchant', 'show', 'Demo Store', '--json']],
  [0, ['merchant', '--help']],
  [0, ['--version']],
  [1, ['merchant', 'show', 'Nobody']],
  [2, ['merchant', 'show']],
  [2, ['frobnicate']],
  [2, ['serve', '--port', 'abc']],
] as const)('ends with %i and prints the same as in a process of others: %j', async (code, args) => {
  const real = await nuqtaProcess(args, options())
  const here = await nuqta(args, options())
  expect(real.code).toBe(code)
  expect([real.code, real.stdout, real.stderr]).toEqual([here.code, here.stdout, here.stderr])
})

test('a command says nothing about compiled code that it cannot keep', async () => {
  const { code, stderr } = await nuqtaProcess(['--version'], { cwd: service.cwd, env: { NODE_COMPILE_CACHE: bin } })
  expect([code, stderr]).toEqual([0, ''])
})

test('a check with findings exits with 1, with its report on stdout', async () => {
  const env = { ...service.env, NUQTA_SECRET_KEY: 'not the key of this database, of 32 and more' }
  const { code, json, stderr } = await nuqtaProcess(['doctor', '--json'], { cwd: service.cwd, env })
  expect([code, stderr]).toEqual([1, ''])
  expect(json).toContainEqual(expect.objectContaining({ check: 'secret key', ok: false }))
})

test('a command ends quietly when its reader stops early', async () => {
  await service.run('merchant', 'create', '--name', 'Shop', '--count', '500')
  const { cwd, env } = options()
  const shell = { cwd, env: environment(env) }
  const script = 'set -o pipefail; "$0" merchant list --limit 10000 --json | head -n 1'
  const child = spawn('bash', ['-c', script, bin], { ...shell, stdio: ['ignore', 'pipe', 'pipe'] })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect([out.split('\n').length, err, await code]).toEqual([2, '', 0])
  // The reader is gone before the first output.
  const late = 'exec 3> >(true); wait $!; exec "$0" merchant list --limit 10000 >&3'
  const deaf = spawn('bash', ['-c', late, bin], { ...shell, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => deaf.once('close', resolve))
  expect([await text(deaf.stderr), await ended]).toEqual(['', 0])
})

test('a command loads only what it needs, and the service loads a package at its first use', async () => {
  const [version = [], command = [], service = []] = await Promise.all([
    modulesOf('main.js', '--version'),
    modulesOf('main.js', 'ledger', 'verify', '--help'),
    modulesOf(bundles.find((name) => name.startsWith('serve-')) ?? ''),
  ])
  expect(packagesOf(version)).toEqual(['commander'])
  expect(command).toContain('src/cli/ledger.ts')
  expect(command.filter((path) => /^src\/(http|pages|providers|serve\.ts|cli\/merchant\.ts)/.test(path))).toEqual([])
  const ofService = /^(fastify|typebox|pino|undici|nodemailer|prom-client)$/
  expect(packagesOf(command).filter((name) => ofService.test(name))).toEqual([])
  const later =
    /^(nodemailer|markdown-it|reflect-metadata|@(simplewebauthn|peculiar|opentelemetry\/(sdk|exporter).*)\/.*)$/
  expect(packagesOf(service)).toEqual(expect.arrayContaining(['fastify', 'typebox']))
  expect(packagesOf(service).filter((name) => later.test(name))).toEqual([])
})

test('each bundle finds what it loads', () => {
  const script = `for (const name of ${JSON.stringify(bundles)}) await import('${dist}' + name)`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect([status, stderr, bundles.length > 50]).toEqual([0, '', true])
})

/** What a bundle of dist/ loads, by the modules in it: `src/cli/ledger.ts`, `node_modules/pg/lib/index.js`. */
async function modulesOf(entry: string, ...args: readonly string[]): Promise<readonly string[]> {
  const script = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    process.on('exit', () => console.error(JSON.stringify(urls.filter((url) => url.startsWith('file:')))))
    process.argv.splice(1, 0, 'nuqta')
    await import('${dist}${entry}')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const urls = JSON.parse((await text(child.stderr)).trim()) as string[]
  return urls.flatMap((url) => {
    // A bundle says above each module where it comes from.
    const parts = readFileSync(new URL(url), 'utf8').matchAll(/^\/\/ ((?:src|node_modules)\/\S+)$/gm)
    return url.startsWith(dist) ? [...parts].map(([, path = '']) => path) : [url]
  })
}

/** The packages of modules. */
function packagesOf(paths: readonly string[]): string[] {
  const names = paths.map((path) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))]
}
