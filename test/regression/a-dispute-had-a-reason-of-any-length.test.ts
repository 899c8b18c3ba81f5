import { expect, it } from 'vitest'
import { runningService } from '../cli/command.ts'

// A command stored 90,000 characters as the reason of a dispute, which the dashboard refuses from 501 on. Lists of disputes show
// the whole reason.

const { run } = runningService()

it('the reason of a dispute has as many characters as in the dashboard', async () => {
  const order = '0193e7a1-4b2c-7def-8123-456789abcdef'
  const exclude = (reason: string) => run('settlement', 'exclude', order, '--reason', reason)
  for (const reason of ['x'.repeat(501), '  ']) {
    const { code, stderr } = await exclude(reason)
    expect(code).toBe(2)
    expect(stderr).toMatch(/1 to 500 characters|is empty/)
  }
  expect((await exclude('x'.repeat(500))).stderr).toContain(`There is no order ${order}.`)
})
