import { execFileSync } from 'node:child_process'
import { chmod, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bin, scratch } from '../cli/command.ts'
import { startService } from '../journeys/service.ts'
import { testDatabase } from '../support/database.ts'

// `nuqta serve 2>&1 | less`, and nobody turns the page: SIGTERM waited for the log to be read, for ever.

const database = testDatabase()
const { path: home } = scratch()

test('a service whose log nobody reads any more ends when it is asked to', async () => {
  const [pipe, program] = [join(home, 'log'), join(home, 'nuqta')]
  execFileSync('mkfifo', [pipe])
  // Opened for both, so that neither side waits for the other. Nobody reads.
  const held = await open(pipe, 'r+')
  try {
    await writeFile(program, `#!/bin/sh\nexec '${bin}' "$@" 2>'${pipe}'\n`)
    await chmod(program, 0o755)
    const service = await startService({ home, database, program })
    const ask = () => service.client.call('GET', '/nothing')
    // A line of more than 200 bytes each: more than a pipe of 64 KiB holds.
    for (let time = 0; time < 40; time += 1) await Promise.all(Array.from({ length: 10 }, ask))
    expect(await service.end('SIGTERM')).toBe('SIGTERM')
  } finally {
    await held.close()
  }
})
