import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { Database } from '../../src/db/pool.ts'
import { environment, nuqta, runningService } from '../cli/command.ts'

// What went wrong: a backup was noted when its last byte was written, before the file was on disk and had its name. When
// that failed, the command said so once, and the dashboard showed a backup that nobody has.

const service = runningService()

async function noted() {
  const db = new Database(service.env['DATABASE_URL'] ?? '', { size: 1 })
  const row = await db.one<{ at: Date | null }>({ text: 'select backed_up_at as at from deployment', values: [] })
  await db.close()
  return row?.at
}

test('a backup is noted once its file has its name', async () => {
  const { cwd, env } = service
  let said = ''
  const stderr = {
    isTTY: true,
    // Progress on a terminal is said while the rows are written: then something takes the name of the file.
    write(text: string) {
      said += text
      mkdirSync(join(cwd, 'taken.backup'), { recursive: true })
    },
  }
  const streams = { stdin: Readable.from(['']), stdout: { write: () => undefined }, stderr }
  const shell = { env: environment(env), cwd, ...streams, exitCode: 0 }
  expect(await run(['node', 'nuqta', 'backup', 'taken.backup'], shell)).toBe(1)
  expect(said).toContain('taken.backup was made meanwhile')
  expect(await noted()).toBeNull()

  expect(await nuqta(['backup', 'whole.backup'], { cwd, env })).toMatchObject({ code: 0 })
  expect(await noted()).toBeInstanceOf(Date)
})
