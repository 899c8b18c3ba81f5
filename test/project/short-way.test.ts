import { readFileSync } from 'node:fs'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { announceEvents, clearQueue, register, startWorker } from '../support/deliveries.ts'
import { freshPhone } from '../support/earnings.ts'
import { filesExecutedBy } from '../support/executed.ts'
import { answers, testReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait.ts'

// ARCHITECTURE.md tells a newcomer which files to read for a request. V8 tells which files ran.

const database = testDatabase({ leaves: ['due messages', 'ledger differences', 'open holds'] })
const stage = checkoutStage(database)
afterEach(() => clearQueue(database.owner))

interface Way {
  readonly read: readonly string[]
  readonly also: readonly string[]
}

const page = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
const ways = new Map(
  rows
    .filter(([, request = '']) => /^(An?|Every) /.test(request))
    .map(([, request = '', read = '', also = '']): [string, Way] => [
      request,
      { read: pathsIn(read), also: pathsIn(also) },
    ]),
)
const everywhere = wayOf('Every request').also
/** The route table is data: it runs no function of its own. */
const data = ['src/routes.ts']

function pathsIn(cell: string): string[] {
  return [...cell.matchAll(/`(src\/[^`]+)`/g)].map(([, path = '']) => path)
}

function wayOf(request: string): Way {
  const way = ways.get(request)
  if (way === undefined) throw new Error(`ARCHITECTURE.md has no row "${request}"`)
  return way
}

async function expectWay(request: string, work: () => Promise<unknown>): Promise<void> {
  const ran = await filesExecutedBy(work)
  const isShared = (path: string) => everywhere.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one))
  const { read, also } = wayOf(request)
  const told = [...read, ...also].filter((path) => !data.includes(path))
  expect(ran.filter((path) => !isShared(path) && !told.includes(path))).toEqual([])
  expect(told.filter((path) => !ran.includes(path))).toEqual([])
}

let orders = 0

async function earn(): Promise<string> {
  orders += 1
  const products = [{ product_name: 'Coffee', product_price: 100, quantity: 1 }]
  const json = { phone_number: `0${freshPhone()}`, total_price: 100, order_number: `A-${orders}`, products }
  const reply = await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json })
  expect(reply.status).toBe(200)
  return (reply.body.data as { uuid: string }).uuid
}

async function refund(order: string): Promise<void> {
  const reply = await stage.app.act(order, 'refund', { key: stage.shop.private_key, json: { amount: 10 } })
  expect(reply.status).toBe(200)
}

// Work that runs once in a process is not part of a request.
beforeAll(async () => refund(await earn()))

it('an earning', () => expectWay('An earning', earn))

it('a refund', async () => {
  const order = await earn()
  await expectWay('A refund', () => refund(order))
})

it('a confirmed checkout', async () => {
  const { me, page: choice } = await stage.choosing(500)
  await expectWay('A confirmed checkout', () => me.submit(choice, 'confirm', { use: 'part', amount: '100' }))
})

it('a delivery', async () => {
  // A connection that is kept is reused only within four seconds.
  const receiver = await testReceiver({ answer: answers.status(200, { connection: 'close' }) })
  await register(database.db, stage.shop.merchant, receiver.url)
  startWorker(database.db)
  const deliver = async (count: number) => {
    await announceEvents(database.db, stage.shop.merchant, [{}])
    await receiver.waitFor(count)
    // The attempt is over when its result is written.
    const ended = { text: 'select from delivery', values: [] }
    await waitFor('the result', async () => (await database.owner.run(ended)).length === count)
  }
  await deliver(1)
  await expectWay('A delivery', () => deliver(2))
})
