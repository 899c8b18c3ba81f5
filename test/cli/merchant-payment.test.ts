import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nuqta, runningService } from './command.ts'

const { cwd, env, run } = runningService()

function fileOf(name: string, lines: readonly string[]): string {
  const path = join(cwd, name)
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 })
  return path
}

const server_key = 'SJJN-the-key-that-nobody-may-see'

test('a merchant gets its own credentials, sells with them in one step or two, and has them removed', async () => {
  const refused = await run('merchant', 'set', '1', '--payment', 'paytabs')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/NUQTA_PAYMENT_PAYTABS_PROFILE_ID and NUQTA_PAYMENT_PAYTABS_SERVER_KEY/)

  const file = fileOf('paytabs.env', ['# of our shop', 'profile_id=47170', `server_key=${server_key}`])
  const given = await run('merchant', 'payment', '1', '--provider', 'paytabs', '--credentials', file, '--json')
  expect(given.json).toEqual([
    { merchant_id: 1, program_id: 1, name: 'Demo Store', provider: 'paytabs', own_credentials: true },
  ])
  const set = await run('merchant', 'set', '1', '--payment', 'paytabs', '--payment-flow', 'two-step', '--json')
  expect(set.json).toEqual([expect.objectContaining({ payment_provider: 'paytabs', payment_flow: 'two_step' })])
  const shown = await run('merchant', 'show', '1')
  expect(shown.stdout).toMatch(/payment_provider +paytabs\npayment_flow +two_step/)

  const removed = await run('merchant', 'payment', '1', '--provider', 'paytabs', '--remove', '--json')
  expect(removed.json).toEqual([expect.objectContaining({ own_credentials: false })])
  expect(await run('merchant', 'payment', '1', '--provider', 'paytabs', '--remove')).toMatchObject({ code: 1 })
  for (const { stdout, stderr } of [given, set, shown, removed]) expect(stdout + stderr).not.toContain(server_key)
})

test.each([
  [['--provider', 'paytabs'], 2, /Nothing to do: give --credentials or --remove/],
  [['--provider', 'stripe', '--remove'], 2, /Allowed choices are paytabs, moyasar/],
  [['--remove'], 2, /required option '--provider <provider>'/],
  [['--provider', 'paytabs', '--credentials', 'nowhere.env'], 1, /cannot be read \(ENOENT\)/],
])('%j is refused', async (args, code, sentence) => {
  const refused = await run('merchant', 'payment', '1', ...args)
  expect(refused).toMatchObject({ code, stdout: '' })
  expect(refused.stderr).toMatch(sentence)
})

test('credentials are read from the standard input too', async () => {
  const given = ['merchant', 'payment', '1', '--provider', 'moyasar', '--credentials', '-', '--json']
  const input = 'secret_key=sk_test_x\nwebhook_secret=y\n'
  expect((await nuqta(given, { cwd, env, input })).json).toEqual([
    expect.objectContaining({ provider: 'moyasar', own_credentials: true }),
  ])
})

test('incomplete credentials are refused, and not printed', async () => {
  const file = fileOf('half.env', ['secret_key=sk_live_that-nobody-may-see'])
  const refused = await run('merchant', 'payment', '1', '--provider', 'moyasar', '--credentials', file)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/webhook_secret missing/)
  expect(refused.stderr).not.toContain('nobody-may-see')
})

test('checkouts name the accepted ways to pay, each once and in our order', async () => {
  const set = async (...flags: string[]) => run('merchant', 'set', '1', ...flags, '--json')
  const flags = ['--payment-method', 'visa', 'mada', '--payment-method', 'apple_pay', 'visa']
  const named = { payment_methods: ['mada', 'visa', 'apple_pay'] }
  expect((await set(...flags)).json).toEqual([expect.objectContaining(named)])
  expect((await set('--payment-method', 'cash')).code).toBe(2)
  expect((await run('merchant', 'show', '1')).stdout).toMatch(/payment_methods +mada, visa, apple_pay\n/)
  expect((await set('--no-payment-method')).json).toEqual([expect.objectContaining({ payment_methods: [] })])
})
