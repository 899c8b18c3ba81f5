import { expect, test } from 'vitest'
import { explainFailure } from '../../src/cli/failure.ts'
import { call, nuqta, runningService } from '../cli/command.ts'

// What went wrong: everybody may open a checkout with a shop's public key, and its `order_number` may hold control
// characters. `nuqta orders list` wrote them to the operator's terminal, which obeyed: it took another title, put a text
// into the clipboard, or showed a row that no order had.

const service = runningService()
const { client, run } = service

const fake = '0193e7a1-4b2c-7def-8123-456789abcdef  FAKEFAKEFA  paid  approved  (replacing, 9999.00 SAR, 0 points)'

const commands = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

test.each([
  ['a title and the clipboard', 'A\u001b]0;owned\u0007\u001b]52;c;cm0gLXJmIH4=\u0007', 'A\\u001b]0;owned\\u0007'],
  ['a cleared screen', 'B\u001b[2J\u001b[H', 'B\\u001b[2J\\u001b[H'],
  ['a command of one byte', 'C\u009b2J\u007f', 'C\\u009b2J\\u007f'],
  ['a row of its own', `D\n${fake}`, `D\\n${fake}`],
  ['a line that begins again', `E\r${fake}`, `E\\r${fake}`],
  ['a row that reads backwards', 'F\u202e00.9999\u2028G', 'F\\u202e00.9999\\u2028G'],
])('an order number with %s is shown, not obeyed', async (_, order_number, shown) => {
  const { body } = await call(client(), {
    path: `/api/v1/orders/checkout/${client().NUQTA_PUBLIC_KEY}`,
    body: { total_price: 5, order_number },
  })
  const uuid = String(body.data?.['order_uuid'])
  const list = await run('orders', 'list', '--limit', '1')
  const show = await run('orders', 'show', uuid)
  for (const { stdout } of [list, show]) {
    expect(stdout).toContain(shown)
    expect(stdout.split('\n').filter((line) => commands.test(line))).toEqual([])
    expect(stdout).not.toMatch(/^0193e7a1-4b2c-7def-8123-456789abcdef/m)
  }
  // One order, one line.
  expect(list.stdout.trimEnd().split('\n')).toHaveLength(1)
  const json = await run('orders', 'list', '--limit', '1', '--json')
  expect(json.stdout.trimEnd()).not.toMatch(commands)
  expect(json.json).toMatchObject([{ uuid, order_number }])
})

test('a wrong argument and an unexpected error are shown in the same way', async () => {
  const typed = await nuqta(['orders', 'show', `x\u001b[2J\n${fake}`], service)
  expect(typed.stderr).toBe(`There is no order x\\u001b[2J\\n${fake}.\n`)
  const unknown = await nuqta(['a\u001b[2J'], service)
  expect(unknown.stderr).toContain('a\\u001b[2J')
  const [first] = [explainFailure(new Error(`odd\n${fake}`)).lines].flat()
  expect(first).toBe(`Error: odd\\n${fake}`)
})
