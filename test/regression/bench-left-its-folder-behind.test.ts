import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { makeScratch } from '../../src/bench/scratch.ts'
import { nuqta, scratch } from '../cli/command.ts'
import { isRunning } from '../faults/processes.ts'
import { waitFor } from '../support/wait.ts'

// What went wrong: an interrupted bench left its data directory in the temporary folder and, when only the bench got the
// signal, a running server in it.

const { path: home } = scratch()
const bin = fileURLToPath(new URL('../../bin/nuqta', import.meta.url))
const makesOne = `
  import { spawn } from 'node:child_process'
  import { makeScratch } from ${JSON.stringify(new URL('../../src/bench/scratch.ts', import.meta.url).href)}
  const { path, endWith } = await makeScratch('nuqta-try-')
  const worker = spawn('sleep', ['1000'], { cwd: path })
  endWith(worker.pid)
  console.log(JSON.stringify({ path, worker: worker.pid }))`

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('there is no output')
  for await (const line of createInterface(stdout)) return line
  throw new Error('it said nothing')
}

describe('a folder of this process alone', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('is gone after %s, with the processes in it', async (signal) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', makesOne], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const { path, worker } = JSON.parse(await firstLine(child)) as { path: string; worker: number }
    expect([existsSync(path), isRunning(worker)]).toEqual([true, true])
    child.kill(signal)
    await once(child, 'exit')
    await waitFor('the folder to go', () => !existsSync(path))
    await waitFor('the worker to end', () => !isRunning(worker))
  })

  test('is gone when it is no longer needed', async () => {
    const { path, remove } = await makeScratch('nuqta-try-')
    expect(existsSync(path)).toBe(true)
    await remove()
    expect(existsSync(path)).toBe(false)
  })
})

describe('a bench', () => {
  const tmp = join(home, 'tmp')
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, TMPDIR: tmp }

  test.each([['earning'], ['webhooks']])('of %s that is interrupted leaves nothing', async (name) => {
    mkdirSync(tmp, { recursive: true })
    const child = spawn(bin, ['bench', name, '--seconds', '1'], { cwd: home, env, stdio: 'ignore' })
    const folders = () => readdirSync(tmp).filter((folder) => folder.startsWith('nuqta-bench-'))
    const record = () => folders().some((folder) => existsSync(join(tmp, folder, 'data/postgres.json')))
    await waitFor('its database to run', record)
    child.kill('SIGINT')
    await once(child, 'exit')
    await waitFor('its folder to go', () => readdirSync(tmp).length === 0)
  })

  test('that does not exist makes none', async () => {
    expect(await nuqta(['bench', 'Nothing'], { cwd: home, env: { TMPDIR: home } })).toMatchObject({ code: 2 })
  })
})
