import { expect, test } from 'vitest'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { nuqta, scratch } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'

// `nuqta operator create` in production, in a shell without NUQTA_PUBLIC_URL, printed a link to https://localhost. It opened
// nowhere else, and the person was already made.

const database = testDatabase()
const { path: cwd } = scratch()
const at = ['--email', 'sara@points.example']
const staff = () => database.owner.run({ text: 'select email from staff', values: [] })

test('a link of production is not made without NUQTA_PUBLIC_URL', async () => {
  await claimDeployment(database.db, 'production')
  const env = { DATABASE_URL: database.url }
  for (const args of [
    ['operator', 'create', ...at],
    ['operator', 'recover', ...at, '--yes'],
  ])
    expect(await nuqta(args, { cwd, env })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Set NUQTA_PUBLIC_URL to what the service has: the link begins with it.\n',
    })
  expect(await staff()).toEqual([])
  const named = { ...env, NUQTA_PUBLIC_URL: 'https://localhost:8443' }
  const made = await nuqta(['operator', 'create', ...at, '--json'], { cwd, env: named })
  expect(made.json).toMatchObject([{ link: expect.stringMatching(/^https:\/\/localhost:8443\/dashboard\/link#/) }])
})
