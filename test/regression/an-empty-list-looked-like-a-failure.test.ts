import { expect, test } from 'vitest'
import { runningService } from '../cli/command.ts'

// What went wrong: a list without rows printed nothing at all, on no stream, so that nobody could tell it from a command
// that had failed or still ran. Its standard output stays empty, for scripts that count lines.

const { run } = runningService()

test.each([
  ['deliveries list --state failed', 'No deliveries found.'],
  ['orders list', 'No orders found.'],
  ['webhooks list', 'No webhooks found.'],
  ['proposal list --open', 'No proposals found.'],
  ['settlement list', 'No settlements found.'],
  ['audit list --of merchant:999', 'No changes found.'],
  ['merchant list --after 1', 'No more merchants found.'],
  ['program list --after 1', 'No more programs found.'],
  ['customers list --after 00000000-0000-7000-8000-000000000000', 'No more customers found.'],
])('%s says that there is nothing', async (line, said) => {
  const args = line.split(' ')
  expect(await run(...args)).toMatchObject({ code: 0, stdout: '', stderr: `${said}\n` })
  expect(await run(...args, '--json')).toMatchObject({ code: 0, stdout: '', stderr: '' })
})
