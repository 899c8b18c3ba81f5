import { readFileSync, writeFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { leavesOf } from '../../src/cli/command.ts'
import { buildProgram } from '../../src/cli/run.ts'
import { auditUuidKinds } from '../../src/domain/audit.ts'
import { answers, startReceiver } from '../support/receiver.ts'
import { root } from '../support/tree.ts'
import { waitFor } from '../support/wait.ts'
import { call, earn, nuqta, runningService } from './command.ts'

// Every command that changes something leaves a row in the audit log, in the transaction of the change: who, what, before and
// after. Nothing in it is a secret or a phone number.

const service = runningService({
  env: { NUQTA_WEBHOOK_RETRY_DELAYS_S: '1' },
  leaves: ['due deliveries'],
})
const { cwd, client, run } = service
const phone = '0533333333'
let webhook = ''
let delivery = ''
let order = ''

async function audited(...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, json, stderr } = await run('audit', 'list', '--json', ...args)
  expect([code, stderr.replace(/^There are more: .*\n$/, '')]).toEqual([0, ''])
  return json
}

beforeAll(async () => {
  const receiver = await startReceiver({ answer: answers.status(500) })
  const body = { name: 'Test', url: receiver.url }
  const made = await call(client(), { path: '/api/v1/webhooks', key: client().NUQTA_PRIVATE_KEY, body })
  webhook = String(made.body.data?.['uuid'])
  expect((await run('merchant', 'create', '--name', 'Tea House', '--verified')).code).toBe(0)
  const earned = await earn(client(), client().NUQTA_PRIVATE_KEY, phone)
  expect(earned.status).toBe(200)
  order = String(earned.body.data?.['uuid'])
  const failed = async () => (await run('deliveries', 'list', '--state', 'failed', '--json')).json
  await waitFor('a failed delivery', async () => (await failed()).length === 1)
  delivery = String((await failed())[0]?.['delivery_id'])
  await receiver.stop()
  writeFileSync(
    join(cwd, 'moyasar.env'),
    'secret_key=sk_live_that-nobody-may-see\nwebhook_secret=nor-this-one-either\n',
  )
})

/** The arguments of each command, and what the log says of it. */
const changes: Readonly<Record<string, { args: () => string[]; logged: object }>> = {
  'merchant create': {
    args: () => ['--name', 'Corner Café', '--published'],
    logged: { object: 'merchant:3', before: null, after: { name: 'Corner Café', verified: false, published: true } },
  },
  'merchant set': {
    args: () => [
      'Tea House',
      '--verified',
      'off',
      '--earning',
      'on',
      '--key-status',
      'off',
      '--return-host',
      'a.example',
    ],
    logged: {
      object: 'merchant:2',
      before: { verified: true, key_status: true, return_hosts: [] },
      after: { verified: false, key_status: false, return_hosts: ['a.example'] },
    },
  },
  'merchant suspend': {
    args: () => ['Tea House', '--reason', 'The contract has ended', '--keys-off'],
    logged: {
      object: 'merchant:2',
      before: { published: false },
      after: { reason: 'The contract has ended', published: false, key_status: false },
    },
  },
  'merchant resume': {
    args: () => ['Tea House'],
    logged: { object: 'merchant:2', before: { reason: 'The contract has ended' }, after: { published: false } },
  },
  'merchant brand': {
    args: () => ['Tea House', '--colour', '#0b6b4f'],
    logged: { object: 'merchant:2', before: { colour: null }, after: { colour: '#0b6b4f' } },
  },
  'merchant payment': {
    args: () => ['Tea House', '--provider', 'moyasar', '--credentials', 'moyasar.env'],
    logged: {
      object: 'merchant:2',
      before: { provider: 'moyasar', own_credentials: false },
      after: { provider: 'moyasar', own_credentials: true },
    },
  },
  'merchant rotate-checkout-secret': {
    args: () => ['Tea House'],
    logged: { object: 'merchant:2', before: null, after: null },
  },
  'keys regenerate': {
    args: () => ['Tea House', '--public'],
    logged: {
      object: 'merchant:2',
      before: { public_key: expect.stringMatching(/^pk_test_/) },
      after: { public_key: expect.stringMatching(/^pk_test_/) },
    },
  },
  'operator create': {
    args: () => ['--email', 'Omar@Tea.Example', '--merchant', 'Tea House'],
    logged: {
      object: expect.stringMatching(/^staff:/),
      before: null,
      after: { email: 'omar@tea.example', role: 'owner', merchant_id: 2, program_id: 1 },
    },
  },
  'operator recover': {
    args: () => ['--email', 'omar@tea.example'],
    logged: {
      object: expect.stringMatching(/^staff:/),
      before: {},
      after: { email: 'omar@tea.example' },
    },
  },
  'operator disable': {
    args: () => ['--email', 'omar@tea.example'],
    logged: {
      object: expect.stringMatching(/^staff:/),
      before: { disabled: false },
      after: { email: 'omar@tea.example', disabled: true },
    },
  },
  'operator enable': {
    args: () => ['--email', 'omar@tea.example'],
    logged: {
      object: expect.stringMatching(/^staff:/),
      before: { disabled: true },
      after: { email: 'omar@tea.example', disabled: false },
    },
  },
  'program create': {
    args: () => ['Mall'],
    logged: { object: 'program:2', before: null, after: { name: 'Mall' } },
  },
  'program set': {
    args: () => ['Mall', '--sar-per-point', '0.01', '--locale', 'en'],
    logged: {
      action: 'program.rate',
      object: 'program:2',
      before: { micro_sar_per_point: 5_000 },
      after: { micro_sar_per_point: 10_000, begins_on: expect.any(String) },
    },
  },
  'program webhook': {
    args: () => ['Mall', '--url', 'https://198.51.101.7/told'],
    logged: {
      object: 'program:2',
      before: null,
      after: { url: 'https://198.51.101.7/told', secret: expect.any(String) },
    },
  },
  'wallet adjust': {
    args: () => [phone, '-30', '--reason', 'Given twice'],
    logged: {
      object: expect.stringMatching(/^customer:/),
      before: { posted: 100 },
      after: { posted: 70, points: -30, reason: 'Given twice' },
    },
  },
  'customers activate': {
    args: () => [phone],
    logged: { before: { status: 'active' }, after: { status: 'active', orders_created: 0 } },
  },
  'customers block': {
    args: () => [phone, '--reason', 'The phone was stolen'],
    logged: {
      object: expect.stringMatching(/^customer:/),
      before: { blocked: false },
      after: { blocked: true, reason: 'The phone was stolen', sessions_ended: 0 },
    },
  },
  'customers unblock': {
    args: () => [phone],
    logged: { before: { blocked: true }, after: { blocked: false } },
  },
  'customers merge': {
    args: () => ['0500000001', phone],
    logged: { object: expect.stringMatching(/^customer:/), after: { points: 10_000 } },
  },
  'settlement exclude': {
    args: () => [order, '--reason', 'The customer denies it'],
    logged: { object: expect.stringMatching(/^order:/), before: { left_out: false }, after: { left_out: true } },
  },
  'settlement include': {
    args: () => [order],
    logged: { before: { left_out: true }, after: { left_out: false } },
  },
  'settlement close': {
    args: () => ['--merchant', '1'],
    logged: {
      object: expect.stringMatching(/^settlement:/),
      before: null,
      after: { merchant_id: 1, orders: 1, net_points: 100, net_amount: 0.5 },
    },
  },
  'webhooks test': {
    args: () => [webhook],
    logged: { before: null, after: { delivery_id: expect.any(String) } },
  },
  'webhooks rotate': {
    args: () => [webhook],
    logged: { before: { secret: expect.stringMatching(/^\*{4}\w{4}$/) }, after: { secret_from: expect.any(String) } },
  },
  'deliveries replay': {
    args: () => [delivery],
    logged: { before: { state: 'failed' }, after: { state: 'due' } },
  },
  'clock set': {
    args: () => ['2040-01-01'],
    logged: {
      action: 'clock.set',
      object: 'deployment',
      before: { offset_s: 0 },
      after: { offset_s: expect.any(Number) },
    },
  },
  'clock advance': {
    args: () => ['2h'],
    logged: { action: 'clock.set', object: 'deployment', after: { offset_s: expect.any(Number) } },
  },
  'clock reset': {
    args: () => [],
    logged: { action: 'clock.set', object: 'deployment', after: { offset_s: 0 } },
  },
  'customers erase': {
    args: () => [phone],
    logged: { object: expect.stringMatching(/^customer:/), before: null, after: { orders: 1 } },
  },
}

/** Recorded commands that have their own tests. */
const elsewhere = { 'secrets rotate': 'below', reconcile: 'test/cli/reconcile.test.ts', demo: 'test/cli/demo.test.ts' }

test('every command that changes something is in the table', async () => {
  const changing = leavesOf(await buildProgram()).filter(({ command }) =>
    command.options.some(({ long }) => long === '--as'),
  )
  const names = changing.map(({ path }) => path.join(' '))
  expect(names.sort()).toEqual([...Object.keys(changes), ...Object.keys(elsewhere)].sort())
})

test.each(Object.entries(changes))('%s is recorded', async (name, { args, logged }) => {
  const ended = await run(...name.split(' '), ...args(), '--as', `Sara, ${name}`)
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  const [newest] = await audited('--limit', '1')
  expect(newest).toMatchObject({ by: `Sara, ${name}`, action: name.replace(' ', '.'), ...logged })
})

describe('audit list', () => {
  test('gives the fields that scripts rely on, the newest first, in pages', async () => {
    const all = await audited('--limit', '100')
    expect(Object.keys(all[0] ?? {})).toEqual([
      ...['at', 'by', 'action', 'object', 'before', 'after'],
      ...['program_id', 'audit_id'],
    ])
    const times = all.map(({ at }) => String(at))
    expect(times).toEqual(times.toSorted().reverse())
    const first = await run('audit', 'list', '--limit', '5', '--json')
    const [, after = ''] = /^There are more: --after (\S+)\n$/.exec(first.stderr) ?? []
    expect([...first.json, ...(await audited('--limit', '5', '--after', after))]).toEqual(all.slice(0, 10))
  })

  test('finds the changes of one object, and those since an instant', async () => {
    const ofShop = await audited('--of', 'merchant:2')
    expect(ofShop.map(({ object }) => object)).toEqual(ofShop.map(() => 'merchant:2'))
    expect(ofShop).toHaveLength(8)
    expect((await audited('--of', webhook)).map(({ action }) => action)).toEqual(['webhooks.rotate', 'webhooks.test'])
    expect(await audited('--of', 'deployment', '--limit', '1')).toEqual([expect.objectContaining({ program_id: null })])
    const since = String(ofShop[1]?.['at'])
    expect(await audited('--of', 'merchant:2', '--since', since)).toEqual(ofShop.slice(0, 2))
    expect(await run('audit', 'list', '--of', 'shop')).toMatchObject({ code: 1, stdout: '' })
  })

  test('holds no secret and no phone', async () => {
    const { stdout } = await run('audit', 'list', '--limit', '1000', '--json')
    // The digits of an id can look like a phone number.
    const text = stdout.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'an id')
    expect(text).not.toMatch(/sk_(test|live)|whsec_|chsec_|5\d{8}\b|nor-this-one/)
  })

  test('names the user and the host if no person is named', async () => {
    await run('merchant', 'set', '1', '--verified', 'off')
    const [newest] = await audited('--limit', '1')
    expect(newest).toMatchObject({ by: `${userInfo().username}@${hostname()}`, after: { verified: false } })
    const { stdout } = await run('audit', 'list', '--limit', '1')
    expect(stdout).toMatch(/^\S+ {2}\S+@\S+ {2}merchant\.set {2}merchant:1 {2}verified true → false\n$/)
    expect(await run('merchant', 'set', '1', '--verified', 'on', '--as', ' ')).toMatchObject({ code: 2 })
  })

  test('is about objects that its guide lists', () => {
    const guide = readFileSync(`${root}docs/audit.md`, 'utf8')
    expect(auditUuidKinds.filter((kind) => !guide.includes(`\`${kind}:UUID\``))).toEqual([])
  })

  test('has no row of a command that was refused', async () => {
    const before = await audited('--limit', '1')
    const refused = ['wallet', 'adjust', '0512345678', '5', '--reason', 'nobody', '--as', 'Sara']
    expect(await run(...refused)).toMatchObject({ code: 1 })
    expect(await audited('--limit', '1')).toEqual(before)
  })
})

test('secrets rotate is recorded', async () => {
  const { env } = service
  const keys = {
    NUQTA_SECRET_KEY: 'the next secret key, of 32 and more',
    NUQTA_SECRET_KEY_OLD: env['NUQTA_SECRET_KEY'] ?? '',
  }
  const rotated = await nuqta(['secrets', 'rotate', '--yes', '--json'], { cwd, env: { ...env, ...keys } })
  expect(rotated).toMatchObject({ code: 0, json: [{ resealed: 4 }] })
  const after = { resealed: 4, unreadable: {} }
  expect(await audited('--limit', '1')).toEqual([
    expect.objectContaining({ action: 'secrets.rotate', object: 'deployment', before: null, after }),
  ])
})
