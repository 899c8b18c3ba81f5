import { spawnSync } from 'node:child_process'
import fs, { existsSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLog, logStream } from '../../src/observability/log.ts'
import { root } from '../support/tree.ts'

// A log that could not be written (a full disk, a closed terminal) threw. The end of the process then tried to write its last
// lines for ever: the port stayed open, nobody got an answer, and SIGTERM had no effect.

afterEach(() => vi.restoreAllMocks())

it('writes what waited, once there is room', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'nuqta-log-')), 'log')
  const log = createLog({ level: 'info', stream: logStream(fs.openSync(file, 'a')) })
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const write = vi.spyOn(fs, 'write')
  write.mockImplementation((...given: unknown[]) => {
    const done = given.at(-1)
    if (typeof done === 'function') setImmediate(() => Reflect.apply(done, undefined, [full]))
  })
  for (const line of [1, 2]) {
    log.info({ line }, 'logged')
    await expect.poll(() => write.mock.calls.length).toBeGreaterThan(line)
  }
  write.mockRestore()
  const lines = async () => (await readFile(file, 'utf8')).match(/"line":\d/g)
  await expect.poll(lines).toEqual(['"line":1', '"line":2'])
})

// Where there is no such device, nothing is always full.
describe.skipIf(!existsSync('/dev/full'))('on a disk that stays full', () => {
  it('ends the process with its own code', () => {
    const script = `
      import { createLog, flushLog, logStream } from '${root}src/observability/log.ts'
      const log = createLog({ level: 'info', stream: logStream('/dev/full') })
      for (let line = 0; line < 200; line += 1) log.info({ line }, 'logged')
      await flushLog(log)
      log.info('the last line')
      process.exit(3)
    `
    const args = ['--input-type=module', '-e', script]
    const { status, signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 20_000 })
    expect([status, signal, stderr]).toEqual([3, null, ''])
  })
})
