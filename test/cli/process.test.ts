import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { bin, environment, nuqta, nuqtaProcess, runningService } from './command.ts'

// These tests need a separate process: bin/nuqta, its exit code, its streams, and a reader that leaves early. The other
// tests run commands in the test process.

const dist = new URL('../../dist/', import.meta.url).href
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

test('a check with findings exits with 1, with its report on stdout', async () => {
  const env = { ...service.env, NUQTA_SECRET_KEY: 'not the key of this database, of 32 and more' }
  const { code, json, stderr } = await nuqtaProcess(['doctor', '--json'], { cwd: service.cwd, env })
  expect([code, stderr]).toEqual([1, ''])
  expect(json).toContainEqual(expect.objectContaining({ check: 'secret key', ok: false }))
})

test('a command ends quietly when its reader stops early', async () => {
  await service.run('merchant', 'create', '--name', 'Shop', '--count', '2000')
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
  const script = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    const { run } = await import('${dist}cli/run.js')
    const loaded = () => console.error(JSON.stringify(urls.filter((url) => url.startsWith('file:'))))
    await run(['node', 'nuqta', '--version'])
    loaded()
    await run(['node', 'nuqta', 'ledger', 'verify', '--help'])
    loaded()
    await import('${dist}serve.js')
    loaded()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'pipe'] })
  const lines = (await text(child.stderr)).trim().split('\n')
  const [version = [], command = [], service = []] = lines.map((line) => JSON.parse(line) as string[])
  expect(packagesOf(version)).toEqual(['commander'])
  expect(command).toContain(`${dist}cli/ledger.js`)
  expect(command.filter((url) => /\/dist\/(http|pages|providers|serve\.js|cli\/merchant\.js)/.test(url))).toEqual([])
  const ofService = /^(fastify|typebox|pino|undici|nodemailer|prom-client)$/
  expect(packagesOf(command).filter((name) => ofService.test(name))).toEqual([])
  expect(command).not.toContain(`${dist}vendor/typebox.js`)
  const later =
    /^(kysely|typebox|nodemailer|markdown-it|reflect-metadata|@(simplewebauthn|peculiar|opentelemetry\/(sdk|exporter).*)\/.*)$/
  expect(packagesOf(service)).toContain('fastify')
  expect(service).toContain(`${dist}vendor/typebox.js`)
  expect(packagesOf(service).filter((name) => later.test(name))).toEqual([])
})

/** The packages of files. */
function packagesOf(urls: readonly string[]): string[] {
  const names = urls.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))]
}
