import { expect, it } from 'vitest'
import { checkWrites } from '../../src/doctor/database.ts'
import { nuqta } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'

// With a full disk, or a synchronous standby that did not answer, /readyz was 503 and every request failed, and `nuqta doctor`
// found nothing wrong: it only read.

const database = testDatabase()

const failing = (code: string, message: string) => ({
  tryWrite: () => Promise.reject(Object.assign(new Error(message), { code })),
})

it('a write that fails is a problem', async () => {
  const url = new URL(database.owner_url)
  // Writes spill to a temporary file, as a query with a large result does.
  url.searchParams.set('options', '-c temp_file_limit=0')
  const env = { DATABASE_URL: url.href, NUQTA_SECRET_KEY: '0123456789abcdef'.repeat(4) }
  const { code, json } = await nuqta(['doctor', '--json', '--role', 'worker'], { cwd: '/', env })
  expect(code).toBe(1)
  expect(json).toContainEqual(
    expect.objectContaining({ check: 'writes', ok: false, detail: expect.stringContaining('temp_file_limit') }),
  )
})

it('a disk without room is named', async () => {
  expect(await checkWrites(failing('53100', 'No space left on device'))).toEqual([
    {
      check: 'writes',
      ok: false,
      detail: 'there is no room for them (No space left on device)',
      advice: 'Make room as docs/production.md says.',
    },
  ])
})

it('a write that waits is a problem, also if it is stored in the end', async () => {
  const [late] = await checkWrites(database.db, -1)
  expect(late).toMatchObject({ ok: false, advice: expect.stringContaining('synchronous standby') })
  const unanswered = database.connect({ size: 1, query_timeout_ms: 200 })
  await database.owner.transaction(async (tx) => {
    await tx.script('lock table write_probe in exclusive mode')
    expect(await checkWrites(unanswered)).toMatchObject([{ ok: false, detail: 'one takes longer than 2 s' }])
  })
})

it('a write that is stored is none, and a read-only database is told as such', async () => {
  expect(await checkWrites(database.db)).toEqual([])
  expect(await checkWrites(failing('25006', 'cannot execute INSERT'))).toEqual([])
})
