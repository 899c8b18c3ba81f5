import { describe, expect, onTestFinished, test } from 'vitest'
import { Database } from '../../src/db/pool.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { createErasureRequests } from '../../src/features/erasure/requests.ts'
import { waitFor } from '../support/wait.ts'
import { call, earn, runningService } from './command.ts'

// The commands for customers, webhooks and orders, beside a running service.

const service = runningService({ leaves: ['due deliveries'] })
const { client, run } = service
const phone = '0561234567'

const json = async (...args: string[]) => {
  const { code, json: rows, stderr } = await run(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return rows
}

describe('customers', () => {
  test('are listed in pages and shown', async () => {
    await earn(client(), client().NUQTA_PRIVATE_KEY, phone)
    await run('program', 'create', 'Mall')
    const [shown] = await json('customers', 'show', '+966 56 123 4567')
    expect(shown).toEqual({
      customer_id: expect.any(String),
      program_id: 1,
      phone: '561234567',
      name: null,
      customer_status: 'active',
      posted: 100,
      held: 0,
      available: 100,
      created_at: expect.any(String),
      activated_at: expect.any(String),
      erased_at: null,
    })
    const all = await json('customers', 'list')
    expect(all).toHaveLength(7)
    expect(await json('customers', 'list', '--program', 'Default', '--limit', '4')).toContainEqual(shown)
    const first = await run('customers', 'list', '--limit', '5', '--json')
    const [, after = ''] = /--after (\S+)\n$/.exec(first.stderr) ?? []
    expect([...first.json, ...(await json('customers', 'list', '--after', after))]).toEqual(all)
  })

  test('are adjusted by hand, with a reason', async () => {
    const [wallet] = await json('wallet', 'adjust', phone, '-130', '--reason', 'Given twice')
    expect(wallet).toEqual({ phone: '561234567', customer_status: 'active', posted: -30, held: 0, available: -30 })
    expect((await json('ledger', 'verify'))[0]).toMatchObject({ differences: [] })
    const wrong = [
      ['adjust', phone, '5'],
      ['adjust', phone, '0', '--reason', 'x'],
      ['adjust', phone, '1.5', '--reason', 'x'],
    ]
    for (const args of [...wrong, ['adjust', phone, '5', '--reason', ' ']])
      expect(await run('wallet', ...args)).toMatchObject({ code: 2, stdout: '' })
  })

  test('are erased: nobody finds the phone any more, and the ledger is whole', async () => {
    const [before] = await json('customers', 'show', phone)
    const [erased] = await json('customers', 'erase', phone)
    const gone = { phone: null, name: null, customer_status: 'erased', erased_at: expect.any(String) }
    expect(erased).toEqual({ ...before, ...gone })
    expect(await run('customers', 'show', phone)).toMatchObject({ code: 1, stdout: '' })
    expect(await run('customers', 'erase', phone)).toMatchObject({ code: 1, stdout: '' })
    expect((await json('ledger', 'verify'))[0]).toMatchObject({ differences: [] })
    expect((await earn(client(), client().NUQTA_PRIVATE_KEY, phone)).status).toBe(200)
    expect((await json('customers', 'show', phone))[0]).toMatchObject({ customer_status: 'active', posted: 100 })
    expect((await run('customers', 'list')).stdout).toContain('  -  -  (erased, -30 points)')
  })

  test('are erased in the background for an operator, by a service that has the rights, and says so', async () => {
    const db = new Database(service.env['DATABASE_URL'] ?? '', { size: 1 })
    onTestFinished(() => db.close())
    const [shown] = await json('customers', 'show', phone)
    const of = { program_id: 1, customer_id: shown?.['customer_id'] as Uuid }
    const requests = createErasureRequests(db)
    await waitFor('the process to say so', async () => !(await requests.needCommand()))
    const by = { source: 'dashboard', name: 'sara@mall.example' } as const
    await requests.ask(of, { phone: '561234567' as Phone, reason: 'They asked for it', by })
    await waitFor('the erasure', async () => (await requests.read(of))?.state === 'done')
    expect(await run('customers', 'show', phone)).toMatchObject({ code: 1, stdout: '' })
    expect(await run('customers', 'erase', '--requested')).toMatchObject({ code: 0, stderr: 'No erasure waits.\n' })
  })
})

test('webhooks are listed, with masked secrets', async () => {
  const body = { name: 'Events', url: 'http://127.0.0.1:9/' }
  const made = await call(client(), { path: '/api/v1/webhooks', key: client().NUQTA_PRIVATE_KEY, body })
  const { uuid, secret } = made.body.data ?? {}
  const expected = {
    ...{
      uuid,
      program_id: 1,
      merchant_id: 1,
      ...body,
      secret: `****${String(secret).slice(-4)}`,
      next_secret_from: null,
    },
    ...{ created_at: expect.any(String), updated_at: expect.any(String) },
  }
  expect(await json('webhooks', 'list')).toEqual([expected])
  expect(await json('webhooks', 'list', '--merchant', 'Demo Store')).toEqual([expected])
  await run('webhooks', 'rotate', String(uuid), '--at', '2099-01-01')
  const [waiting] = await json('webhooks', 'list')
  expect(waiting).toMatchObject({ secret: expected.secret, next_secret_from: '2099-01-01T00:00:00.000Z' })
})

test('an order is shown by its reference number, as it is read over the phone', async () => {
  const order = (await earn(client())).body.data ?? {}
  const [shown] = await json('orders', 'show', String(order['reference_number']).toLowerCase())
  expect(shown).toMatchObject({ uuid: order['uuid'] })
  expect(await run('orders', 'show', 'ABC')).toMatchObject({ code: 1, stderr: 'There is no order ABC.\n' })
})
