import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWithCluster } from '../support/fresh-cluster.ts'
import { bin, call, earn, environment, nuqta, readClientEnv, type Served, scratch, serve } from './command.ts'

// With the embedded database, whose key is a file in the data directory.
const { path: cwd } = scratch()
let embedded: Served
const run = (...args: string[]) => nuqta(args, { cwd })
const client = () => readClientEnv(join(cwd, 'data/sandbox.env'))

beforeAll(async () => {
  await openWithCluster(join(cwd, 'data'))
  embedded = await serve([], { cwd })
})
afterAll(() => embedded.end('SIGTERM'))

const key = { NUQTA_SECRET_KEY_FILE: 'data/secret.key' }
const wallet = ['wallet', 'show', '0533333333', '--json']

describe('a backup', () => {
  test('is made while the service runs, and restored into a new data directory that it serves', async () => {
    const { body } = await earn(client())
    const made = await run('backup', 'one.backup', '--json')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const file = join(cwd, 'one.backup')
    const sums = {
      tables: expect.any(Number),
      rows: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    }
    expect(made.json).toEqual([{ file: 'one.backup', ...sums, bytes: statSync(file).size }])
    expect([statSync(file).mode & 0o777, existsSync(`${file}.part`)]).toEqual([0o600, false])

    const args = ['restore', 'one.backup', '--data-dir', 'restored', '--json']
    const restored = await nuqta(args, { cwd, env: key })
    expect(restored.code).toBe(0)
    const { rows, sha256 } = made.json[0] ?? {}
    expect(restored.json).toEqual([
      expect.objectContaining({
        file: 'one.backup',
        rows,
        sha256,
        environment: 'sandbox',
        applied: [],
        differences: [],
      }),
    ])
    copyFileSync(join(cwd, 'data/secret.key'), join(cwd, 'restored/secret.key'))
    const place = ['--data-dir', 'restored']
    expect((await nuqta([...wallet, ...place], { cwd })).json).toEqual((await run(...wallet)).json)

    const service = await serve(place, { cwd })
    const env = readClientEnv(join(cwd, 'restored/sandbox.env'))
    const order = { path: `/api/v1/orders/${String(body.data?.['uuid'])}`, key: env.NUQTA_PRIVATE_KEY }
    const { uuid, order_number, total_points } = body.data ?? {}
    expect((await call(env, order)).body.data).toMatchObject({ uuid, order_number, total_points })
    expect(await earn(env)).toMatchObject({ status: 200 })
    expect(await nuqta(['ledger', 'verify', ...place], { cwd })).toMatchObject({ code: 0 })
    const refused = await nuqta(['restore', 'one.backup', ...place], { cwd })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('nuqta serve is running') })
    expect(await service.end('SIGTERM')).toBe(0)
    const used = await nuqta(['restore', 'one.backup', ...place], { cwd })
    expect(used).toMatchObject({
      code: 1,
      stderr: 'This database is in use: restore into an empty one, or into a new data directory.\n',
    })
  })

  test('replaces a file only on request', async () => {
    writeFileSync(join(cwd, 'mine'), 'mine')
    const refused = await run('backup', 'mine')
    expect(refused).toMatchObject({ code: 1, stderr: 'mine exists: give another name, or --force.\n' })
    expect(readFileSync(join(cwd, 'mine'), 'utf8')).toBe('mine')
    expect(await run('backup', 'mine', '--force')).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, 'mine'), 'latin1')).toMatch(/^NUQTA BACKUP 2\n/)
    // Nor is --force offered for a folder, which it does not replace.
    for (const args of [
      ['backup', 'data'],
      ['backup', 'data', '--force'],
    ])
      expect(await run(...args)).toMatchObject({ code: 1, stderr: 'data is not a file: give another name.\n' })
    const beneath = await run('backup', 'mine/file')
    expect(beneath).toMatchObject({ code: 1, stderr: expect.stringMatching(/^mine\/file cannot be written: ENOTDIR/) })
    const nowhere = await run('backup', 'nowhere/file')
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringMatching(/^nowhere\/file cannot be written: /) })
  })

  test('goes from a pipe into a pipe', async () => {
    await openWithCluster(join(cwd, 'piped'))
    const line = `"$0" backup - | NUQTA_SECRET_KEY_FILE=data/secret.key "$0" restore - --data-dir piped --json`
    const child = spawn('/bin/sh', ['-c', line, bin], { cwd, env: environment(), stdio: ['ignore', 'pipe', 'ignore'] })
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    expect(JSON.parse(printed)).toMatchObject({ file: '-', differences: [] })
  })
})

describe('before anything is made, a restore is refused', () => {
  const dir = ['--data-dir', 'fresh']
  const refused = async (file: string, env: Readonly<Record<string, string>> = key) => {
    const { code, stdout, stderr } = await nuqta(['restore', file, ...dir], { cwd, env })
    expect([code, stdout, existsSync(join(cwd, 'fresh'))]).toEqual([1, '', false])
    return stderr
  }

  test('for a missing or wrong key, the other environment, or a damaged file', async () => {
    await run('backup', 'two.backup')
    expect(await refused('two.backup', {})).toMatch(/^The secret key is missing: .*copy its secret\.key/)
    const wrong = { NUQTA_SECRET_KEY: 'another key that is as long as one has to be' }
    expect(await refused('two.backup', wrong)).toMatch(/^The secret key is not the one/)
    const production = { ...key, NUQTA_ENVIRONMENT: 'production' }
    expect(await refused('two.backup', production)).toMatch(/set NUQTA_ENVIRONMENT=sandbox/)
    const bytes = readFileSync(join(cwd, 'two.backup'))
    writeFileSync(join(cwd, 'short'), bytes.subarray(0, -100))
    expect(await refused('short')).toBe('The backup is damaged or incomplete (its end is missing): use another one.\n')
    expect(await refused('data/sandbox.env')).toBe('This file is no backup of Nuqta.\n')
    expect(await refused('nothing')).toMatch(/^nothing cannot be read: /)
  })

  test('and so is a backup with a wrong key', async () => {
    const env = { NUQTA_SECRET_KEY: 'another key that is as long as one has to be' }
    const { code, stderr } = await nuqta(['backup', 'three.backup'], { cwd, env })
    expect([code, existsSync(join(cwd, 'three.backup')), existsSync(join(cwd, 'three.backup.part'))]).toEqual([
      1,
      false,
      false,
    ])
    expect(stderr).toMatch(/^The secret key is not the one/)
  })
})
