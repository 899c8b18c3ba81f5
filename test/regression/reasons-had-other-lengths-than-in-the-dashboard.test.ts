import { expect, it } from 'vitest'
import { runningService } from '../cli/command.ts'

// A command stored 90,000 characters as the reason of a dispute, which the dashboard refuses from 501 on. Lists of disputes show
// the whole reason. And that of an adjustment was refused from 256 on.

const { run } = runningService()

const order = '0193e7a1-4b2c-7def-8123-456789abcdef'

it.each([
  { of: 'a dispute', command: ['settlement', 'exclude', order], unknown: `There is no order ${order}.` },
  { of: 'an adjustment', command: ['wallet', 'adjust', '0512345678', '5'], unknown: 'has the phone 0512345678.' },
])('the reason of $of has as many characters as in the dashboard', async ({ command, unknown }) => {
  const tried = (reason: string) => run(...command, '--reason', reason)
  for (const reason of ['x'.repeat(501), '  ']) {
    const { code, stderr } = await tried(reason)
    expect(code).toBe(2)
    expect(stderr).toMatch(/1 to 500 characters|is empty/)
  }
  expect((await tried('x'.repeat(500))).stderr).toContain(unknown)
})
