import fs from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLog, type Log, logStream } from '../../src/observability/log.ts'

// The log was flushed ten times a second, also while it had nothing to write: each time a thread wrote nothing to it.

let file: string
let log: Log

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  file = join(await mkdtemp(join(tmpdir(), 'nuqta-log-')), 'log')
  log = createLog({ level: 'info', stream: logStream(fs.openSync(file, 'a')) })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const lines = async () => (await readFile(file, 'utf8')).match(/"line":\d/g)?.length ?? 0

it('writes what was logged, and then does nothing until the next line', async () => {
  const write = vi.spyOn(fs, 'write')
  expect(vi.getTimerCount()).toBe(0)
  for (const line of [1, 2]) {
    log.info({ line }, 'logged')
    vi.advanceTimersByTime(100)
    await expect.poll(lines).toBe(line)
    // The next flush finds nothing, and is the last one.
    await expect.poll(() => vi.advanceTimersByTime(100).getTimerCount()).toBe(0)
    expect(write.mock.calls.filter(([, text]) => String(text) !== '')).toHaveLength(line)
    expect(write).toHaveBeenCalledTimes(2 * line)
  }
})

it('goes on when a line comes during a flush that found nothing', async () => {
  const original = fs.write
  const held: (() => void)[] = []
  log.info({ line: 1 }, 'logged')
  vi.advanceTimersByTime(100)
  await expect.poll(lines).toBe(1)
  const write = vi.spyOn(fs, 'write')
  write.mockImplementation((...given: unknown[]) => void held.push(() => Reflect.apply(original, fs, given)))
  await expect.poll(() => vi.advanceTimersByTime(100) && held.length).toBe(1)
  write.mockRestore()
  log.info({ line: 2 }, 'logged')
  held[0]?.()
  await expect.poll(() => vi.advanceTimersByTime(100) && lines()).toBe(2)
})
