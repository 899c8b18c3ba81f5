import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scratch } from '../cli/command.ts'
import { dataOf, type Reply } from '../http/client.ts'
import { purchase } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { waitFor, waitForLocks } from '../support/wait.ts'
import {
  expectNearlyWholeWindow,
  lock_window_s,
  longLockWindow,
  type MadeMerchant,
  type Service,
  startService,
} from './service.ts'

const database = testDatabase()
const { path: home } = scratch()
const env = longLockWindow
let left: Service
let right: Service

beforeAll(async () => {
  const start = (name: string) => startService({ home, name, database, env })
  ;[left, right] = await Promise.all([start('left'), start('right')])
})
afterAll(async () => {
  await Promise.all([left.end('SIGTERM'), right.end('SIGTERM')])
})

interface HeldEarning {
  readonly reply: Promise<Reply>
  release(): Promise<void>
}

/** An earning that stays in flight until it is released: its customer's wallet is locked by another transaction. */
async function holdEarning(
  service: Service,
  merchant: MadeMerchant,
  body: Record<string, unknown>,
): Promise<HeldEarning> {
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = database.owner.transaction(async (tx) => {
    const phone = String(body['phone_number']).slice(1)
    const found = { text: 'select program_id, customer_id from customer where phone = $1', values: [phone] }
    const customer = await tx.one<{ program_id: number; customer_id: string }>(found)
    await tx.run({
      text: 'select from account where program_id = $1 and account_id = $2 for update',
      values: [customer?.program_id, customer?.customer_id],
    })
    locked.resolve()
    await released.promise
  })
  await Promise.race([locked.promise, holding])
  const reply = service.earn(merchant.private_key, body)
  await waitForLocks(database.owner)
  return {
    reply,
    async release() {
      released.resolve()
      await holding
    },
  }
}

const in_progress =
  'Another earning of this merchant is in progress. Send earnings one at a time and retry after a short wait.'

/** The answer comes while the first earning is still held. */
async function refusedAtOnce(service: Service, merchant: MadeMerchant, body: object): Promise<void> {
  const reply = await service.earn(merchant.private_key, body)
  expect([reply.status, reply.headers['retry-after'], reply.body.message]).toEqual([429, '1', in_progress])
  expect(reply.body.appended_data).toEqual({})
}

describe('while an earning of a merchant is in flight', () => {
  test('every other of that merchant is refused at once by both processes, and one of another merchant is not', async () => {
    const merchant = await left.merchant('Busy')
    const neighbour = await left.merchant('Neighbour')
    const body = purchase({ phone_number: '0520000001' })
    dataOf(await left.earn(merchant.private_key, purchase({ phone_number: '0520000001' })))
    const first = await holdEarning(left, merchant, body)
    try {
      for (const service of [left, right]) {
        // Its own order number and customer too, whose wallet the first is waiting for.
        for (const other of [purchase(), body]) await refusedAtOnce(service, merchant, other)
      }
      expect((await right.earn(neighbour.private_key, purchase())).status).toBe(200)
    } finally {
      await first.release()
    }
    const { uuid } = dataOf(await first.reply)
    const repeated = await right.earn(merchant.private_key, body)
    expect([repeated.status, repeated.body.appended_data]).toEqual([429, { order_uuid: uuid }])
  })

  test('the lock ends with the process that holds it, and its uncommitted rows are gone', async () => {
    const merchant = await left.merchant('Bereaved')
    const doomed = await startService({ home, name: 'doomed', database, env })
    const body = purchase({ phone_number: '0520000002' })
    dataOf(await left.earn(merchant.private_key, purchase({ phone_number: '0520000002' })))
    const first = await holdEarning(doomed, merchant, body)
    first.reply.catch(() => undefined)
    await doomed.end('SIGKILL')
    await first.release()
    await expect(first.reply).rejects.toThrow()
    await waitFor('the lock', async () => (await right.earn(merchant.private_key, purchase())).status === 200)
    const again = await right.earn(merchant.private_key, body)
    expect(again.status).toBe(200)
  })
})

describe('many at once through both', () => {
  test('of one merchant: each gets 200 or 429 with Retry-After, and the wallet has what got 200', async () => {
    const merchant = await left.merchant('Hasty')
    const bodies = Array.from({ length: 40 }, () => purchase({ phone_number: '0520000003' }))
    const replies = await Promise.all(
      bodies.map((body, index) => (index % 2 === 0 ? left : right).earn(merchant.private_key, body)),
    )
    const made = replies.filter(({ status }) => status === 200)
    const refused = replies.filter(({ status }) => status === 429)
    expect(made.length + refused.length).toBe(replies.length)
    expect(made.length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers, body } of refused) expect([headers['retry-after'], body.message]).toEqual(['1', in_progress])
    const [wallet] = (await left.command(['wallet', 'show', '0520000003', '--json'])).json
    expect(wallet).toMatchObject({ posted: 1_000 * made.length })
  })

  test('of one order number: one order, and all others are refused with its uuid or with 429', async () => {
    const merchant = await left.merchant('Stuttering')
    const body = purchase()
    const replies: Reply[] = []
    for (let round = 0; round < 5; round += 1) {
      const both = [left, right, left, right].map((service) => service.earn(merchant.private_key, body))
      replies.push(...(await Promise.all(both)))
    }
    const made = replies.filter(({ status }) => status === 200)
    expect(made).toHaveLength(1)
    const [only] = made.map(dataOf)
    for (const { status, body: told } of replies.filter((reply) => reply.status !== 200)) {
      expect([429, 422]).toContain(status)
      expect([{}, { order_uuid: only?.['uuid'] }]).toContainEqual(told.appended_data)
    }
  })

  test('of many merchants for one new customer: all are made, in one wallet', async () => {
    const made = await left.command([
      'merchant',
      'create',
      '--name',
      'Mall',
      '--count',
      '12',
      '--program',
      'Mall',
      '--verified',
      '--published',
      '--json',
    ])
    const bodies = made.json.map((merchant) => ({ merchant, body: purchase({ phone_number: '0520000004' }) }))
    const replies = await Promise.all(
      bodies.map(({ merchant, body }, index) =>
        (index % 2 === 0 ? left : right).earn(String(merchant['private_key']), body),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    const [wallet] = (await left.command(['wallet', 'show', '0520000004', '--program', 'Mall', '--json'])).json
    expect(wallet).toMatchObject({ posted: 12_000 })
  })
})

/** Lets an order look as if it had been made that long ago. */
async function age(uuid: unknown, by_s: number): Promise<void> {
  const text = 'update orders set created_at = $2 where order_uuid = $1 returning id'
  const values = [uuid, new Date(Date.now() - by_s * 1000)]
  expect(await database.owner.run({ text, values })).toHaveLength(1)
}

describe('a repeated order number', () => {
  test('is a 429 within the window and a 422 after it, by either process, and both name the order', async () => {
    const merchant = await left.merchant('Forgetful')
    const body = purchase()
    const { uuid } = dataOf(await left.earn(merchant.private_key, body))
    const appended_data = { order_uuid: uuid }
    const within = await right.earn(merchant.private_key, { ...body, phone_number: '0520000009' })
    expect([within.status, within.body.appended_data]).toEqual([429, appended_data])
    expectNearlyWholeWindow(within)
    await age(uuid, lock_window_s)
    for (const service of [left, right]) {
      const after = await service.earn(merchant.private_key, body)
      expect(after.status).toBe(422)
      expect(after.body).toEqual({
        status: false,
        message: 'The given data was invalid.',
        appended_data,
        errors: { order_number: ['The order number has already been taken.'] },
      })
      expect(after.headers).not.toHaveProperty('retry-after')
    }
    expect(dataOf(await right.getOrder(merchant.private_key, uuid))).toMatchObject({ uuid })
  })

  test('of a refused request is free', async () => {
    const { private_key } = await left.merchant('Clumsy')
    const body = purchase()
    expect((await left.earn(private_key, { ...body, total_price: -1 })).status).toBe(422)
    expect((await right.earn(private_key, body)).status).toBe(200)
  })
})

describe('a key', () => {
  test('that is regenerated is refused by both processes at once, and the new one is taken by both', async () => {
    const merchant = await left.merchant('Renewing')
    for (const service of [left, right]) dataOf(await service.earn(merchant.private_key, purchase()))
    const [renewed] = (await left.command(['keys', 'regenerate', 'Renewing', '--json'])).json
    for (const service of [right, left]) {
      const old = await service.earn(merchant.private_key, purchase())
      expect([old.status, old.body.message]).toEqual([400, 'Invalid or inactive API key'])
      dataOf(await service.earn(String(renewed?.['private_key']), purchase()))
    }
  })

  test('switching a key off and on, and unpublishing a merchant, apply to the next request of both', async () => {
    const { private_key } = await left.merchant('Switched')
    const statuses = async () => {
      const replies = [await left.earn(private_key, purchase()), await right.earn(private_key, purchase())]
      return replies.map(({ status }) => status)
    }
    const set = (...flags: string[]) => right.command(['merchant', 'set', 'Switched', ...flags])
    expect(await statuses()).toEqual([200, 200])
    await set('--key-status', 'off')
    expect(await statuses()).toEqual([400, 400])
    await set('--key-status', 'on', '--published', 'off')
    expect(await statuses()).toEqual([403, 403])
    await set('--published', 'on')
    expect(await statuses()).toEqual([200, 200])
  })
})

test('the ledger balances after all of it', async () => {
  const { code, json } = await left.command(['ledger', 'verify', '--json'])
  expect([code, json[0]]).toEqual([0, expect.objectContaining({ differences: [] })])
})
