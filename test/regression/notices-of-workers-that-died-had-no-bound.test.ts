import { beforeAll, expect, it } from 'vitest'
import { createSendNotices } from '../../src/features/settlement/notices.ts'
import { createSettlementPages } from '../../src/features/settlement/statement.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { PostRequest } from '../../src/net/post.ts'
import { defaults, testApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, type Person } from '../support/staff.ts'

// A notice of a settlement was sent again whenever a worker died before it wrote the outcome, a fifth time and more.

const database = testDatabase()
const app = testApp(database)
let sara: Person
beforeAll(async () => {
  sara = await makePerson(app(), 'operator')
})

const lease_over = new Date(Date.now() - 1_000)

/** A test notice after some attempts, and a worker a moment later. */
async function begin(attempts: number, leased_until: Date | null, error: string | null = null) {
  const { program_id } = (await oneShop(database.db)).merchant
  const path = `/programs/${program_id}/webhook`
  await sara.call('POST', path, { url: 'https://198.51.101.7/told' })
  expect((await sara.call('POST', `${path}/test`)).status).toBe(200)
  const text = 'update settlement_notice set attempts = $2, leased_until = $3, error = $4 where program_id = $1'
  await database.owner.run({ text, values: [program_id, attempts, leased_until, error] })
  const posted: PostRequest[] = []
  const send = createSendNotices({
    db: database.db,
    secrets: createSecretBox(defaults.secret_key),
    settlementPages: createSettlementPages(database.db),
    settings: { retry_delays_s: [10, 100, 1_000], timeout_s: 1 },
    now: () => Date.now() + 1_000,
    poster: {
      async post(request) {
        posted.push(request)
        return { status: 204, response: '', retry_after: null, error: null, error_code: null, silent: false }
      },
    },
  })
  const notice = async () => {
    const found = 'select state, attempts, error, leased_until from settlement_notice where program_id = $1'
    return database.owner.one({ text: found, values: [program_id] })
  }
  return { send, posted, notice, path }
}

it('a notice whose workers have died is sent four times, like any delivery', async () => {
  const { send, posted, notice } = await begin(4, lease_over, 'the answer was 500')
  await send()
  expect(posted).toEqual([])
  const error = 'interrupted: the worker ended before the result was known'
  expect(await notice()).toEqual({ state: 'failed', attempts: 4, error, leased_until: null })
})

it('an attempt whose worker has died counts', async () => {
  const { send, posted, notice } = await begin(3, lease_over)
  await send()
  expect(posted.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['4'])
  expect(await notice()).toMatchObject({ state: 'delivered', attempts: 4 })
})

it('a notice keeps its last failure when the setting allows no further attempt any more', async () => {
  const { send, posted, notice } = await begin(4, null, 'the answer was 500')
  await send()
  expect(posted).toEqual([])
  expect(await notice()).toMatchObject({ state: 'failed', attempts: 4, error: 'the answer was 500' })
})

it('a notice that has failed is sent anew when somebody asks for it', async () => {
  const { send, posted, path } = await begin(4, lease_over)
  await send()
  expect((await sara.call('POST', `${path}/test`)).status).toBe(200)
  await send()
  expect(posted.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1'])
})
