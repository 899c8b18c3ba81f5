import { expect, test } from 'vitest'
import { nuqta, scratch } from '../cli/command.ts'

// What went wrong: `nuqta clock set 2026-02-30` moved the clock to 2 March. The same happened to `--since` and `--at`.

const { path: cwd } = scratch()

test.each([
  ['clock', 'set', '2026-02-30'],
  ['clock', 'set', '2026-02-31T09:00:00Z'],
  ['audit', 'list', '--since', '2026-04-31'],
  ['webhooks', 'rotate', '0193e7a1-0000-7def-8123-456789abcdef', '--at', '2025-02-29T12:00+03:00'],
])('%s %s of a day that there is not is wrong use', async (...args) => {
  const { code, stdout, stderr } = await nuqta(args, { cwd })
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('It must be an instant like 2027-01-31')])
})

test.each(['2028-02-29', '2026-12-31T23:59:59.999+03:00'])('%s is an instant', async (instant) => {
  expect(await nuqta(['clock', 'set', instant], { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no database/),
  })
})
