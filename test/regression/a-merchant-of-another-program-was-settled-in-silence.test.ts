import { expect, it } from 'vitest'
import { runningService } from '../cli/command.ts'

// `settlement close --merchant A --program B` printed nothing and exited with 0 where A is in another program.

const { run } = runningService()

it('a merchant that is not in the named program is refused', async () => {
  await run('merchant', 'create', '--name', 'Elsewhere', '--program', 'Mall', '--json')
  for (const command of ['preview', 'close']) {
    const yes = command === 'close' ? ['--yes'] : []
    const { code, stdout, stderr } = await run(
      ...['settlement', command, '--merchant', 'Elsewhere', '--program', 'Default', ...yes],
    )
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('The merchant Elsewhere is in another program than Default.')
  }
})
