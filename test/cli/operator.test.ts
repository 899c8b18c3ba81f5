import { expect, test } from 'vitest'
import { runningService } from './command.ts'

// What the operator of a deployment does about the people of the dashboard, beside a running service.

const { client, run } = runningService()

test('a link leads to the service where it runs, whatever its port is', async () => {
  const { json: rows } = await run('operator', 'create', '--email', 'sara@points.example', '--json')
  const { origin } = new URL(client().NUQTA_BASE_URL)
  expect(rows).toEqual([
    { email: 'sara@points.example', link: expect.stringMatching(new RegExp(`^${origin}/dashboard/link#`)) },
  ])
})

test('a person is disabled and enabled, and an unknown address is refused', async () => {
  const email = ['--email', 'sara@points.example', '--json']
  expect((await run('operator', 'disable', ...email)).json).toEqual([{ email: 'sara@points.example', disabled: true }])
  // Its link would not have worked.
  const again = await run('operator', 'create', ...email)
  expect([again.code, again.stdout, again.stderr]).toEqual([
    1,
    '',
    'sara@points.example is kept out of the dashboard: let them in first, with nuqta operator enable.\n',
  ])
  expect((await run('operator', 'enable', ...email)).json).toEqual([{ email: 'sara@points.example', disabled: false }])
  const nobody = await run('operator', 'disable', '--email', 'nobody@points.example')
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('Nobody has the address')])
})
