import { beforeAll, expect, test } from 'vitest'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { nuqta, scratch } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { secret_key } from '../support/secret-key.ts'

// What went wrong: beside a production, without NUQTA_ENVIRONMENT, `nuqta program webhook` took a receiver on loopback, as in a
// sandbox, and `nuqta doctor` found nothing, though `nuqta serve` refuses to start with the same settings.

const database = testDatabase()
const { path: cwd } = scratch()

beforeAll(() => claimDeployment(database.db, 'production'))

const run = (...args: string[]) =>
  nuqta(args, { cwd, env: { DATABASE_URL: database.url, NUQTA_SECRET_KEY: secret_key } })

test('a program of a production has no webhook on loopback', async () => {
  const { code, stderr } = await run('program', 'webhook', 'Default', '--url', 'https://127.0.0.1/nuqta')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The url must [^\n]*\n$/)])
})

test('doctor says what serve would refuse', async () => {
  const { code, json } = await run('doctor', '--json')
  expect(code).toBe(1)
  expect(json).toContainEqual({
    check: 'environment',
    ok: false,
    detail: 'the database is a production',
    advice: 'Set NUQTA_ENVIRONMENT=production, or use another database.',
  })
})
