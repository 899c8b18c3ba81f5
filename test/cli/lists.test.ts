import { beforeAll, describe, expect, test } from 'vitest'
import { earn, runningService } from './command.ts'

// Every list prints the newest rows, 50 unless --limit is given, and says on stderr how to get the next page.

const { client, run } = runningService()
const uuids: string[] = []
const numbers: string[] = []

beforeAll(async () => {
  await run('merchant', 'create', '--name', 'Other', '--program', 'Mall', '--verified', '--published', '--json')
  const made = await run(
    'merchant',
    'create',
    '--name',
    'Shop',
    '--count',
    '60',
    '--program',
    'Mall',
    '--verified',
    '--published',
    '--json',
  )
  const keys = made.json.map(({ private_key }) => String(private_key))
  // Alternate between two programs, so that a page merges both.
  for (let n = 0; n < 6; n += 1) {
    const { status, body } = await earn(client(), n % 2 === 0 ? client().NUQTA_PRIVATE_KEY : keys[0], '0512345670')
    expect(status).toBe(200)
    uuids.unshift(String(body.data?.['uuid']))
    numbers.unshift(String(body.data?.['order_number']))
  }
})

const ids = (rows: readonly Record<string, unknown>[], name: string) => rows.map((row) => row[name])

/** All pages of a list, each with the cursor that the page before it printed. */
async function pages(...args: string[]): Promise<Record<string, unknown>[][]> {
  const all: Record<string, unknown>[][] = []
  for (let after: string[] = []; ; ) {
    const { json, stderr, code } = await run(...args, ...after, '--json')
    expect(code).toBe(0)
    all.push(json)
    const more = /^There are more: --after (\S+)\n$/.exec(stderr)
    if (more === null) {
      expect(stderr).toBe('')
      return all
    }
    after = ['--after', more[1] ?? '']
  }
}

describe('orders list', () => {
  test('pages through the orders of all programs', async () => {
    const found = await pages('orders', 'list', '--limit', '4')
    expect(found.map((page) => ids(page, 'uuid'))).toEqual([uuids.slice(0, 4), uuids.slice(4)])
  })

  test('pages with each filter', async () => {
    const ofShop = uuids.filter((_, index) => index % 2 === 0)
    expect(
      (await pages('orders', 'list', '--merchant', 'Shop 1', '--limit', '2')).flatMap((page) => ids(page, 'uuid')),
    ).toEqual(ofShop)
    expect((await pages('orders', 'list', '--phone', '512345670', '--limit', '5')).map((page) => page.length)).toEqual([
      5, 1,
    ])
    expect((await pages('orders', 'list', '--status', 'approved', '--limit', '3')).map((page) => page.length)).toEqual([
      3, 3,
    ])
    expect(await pages('orders', 'list', '--status', 'cancelled')).toEqual([[]])
    const one = await pages('orders', 'list', '--number', numbers[2] ?? '')
    expect(one.map((page) => ids(page, 'uuid'))).toEqual([[uuids[2]]])
    expect(await pages('orders', 'list', '--number', numbers[2] ?? '', '--merchant', 'Other')).toEqual([[]])
  })

  test('a malformed cursor or a limit out of bounds is wrong use', async () => {
    expect(await run('orders', 'list', '--after', 'here')).toMatchObject({ code: 2, stdout: '' })
    expect(await run('orders', 'list', '--limit', '0')).toMatchObject({ code: 2, stdout: '' })
    expect(await run('merchant', 'list', '--after', 'here')).toMatchObject({ code: 2, stdout: '' })
  })
})

test('merchants and programs are listed in pages too', async () => {
  const [first = [], second = []] = await pages('merchant', 'list')
  expect([first.length, second.length]).toEqual([50, 12])
  const found = [...first, ...second].map(({ merchant_id }) => Number(merchant_id))
  expect(found).toEqual(found.toSorted((a, b) => b - a))
  expect((await pages('program', 'list', '--limit', '1')).map((page) => ids(page, 'name'))).toEqual([
    ['Mall'],
    ['Default'],
  ])
  expect(await pages('deliveries', 'list', '--limit', '3')).toEqual([[]])
})
