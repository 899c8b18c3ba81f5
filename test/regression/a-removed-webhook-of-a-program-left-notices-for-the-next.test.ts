import { beforeAll, expect, it } from 'vitest'
import { createSendNotices } from '../../src/features/settlement/notices.ts'
import { createSettlementPages } from '../../src/features/settlement/statement.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { PostRequest } from '../../src/net/post.ts'
import { defaults, testApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { earningOrder } from '../support/orders.ts'
import { settleMerchant } from '../support/settlement.ts'
import { makePerson, type Person } from '../support/staff.ts'

// Removing the webhook of a program says that what waits is not sent. It was sent to the next URL, if that was set before the
// next attempt; and a test that waited stayed for ever.

const database = testDatabase()
const app = testApp(database)
let sara: Person
beforeAll(async () => {
  sara = await makePerson(app(), 'operator')
})

it('what waits for a webhook that is removed is not sent to the next one', async () => {
  const { merchant } = await oneShop(database.db)
  const { program_id } = merchant
  const path = `/programs/${program_id}/webhook`
  await sara.call('POST', path, { url: 'https://198.51.101.7/told' })
  expect((await sara.call('POST', `${path}/test`)).status).toBe(200)
  await earningOrder(database.db, merchant)
  const { settlement_id } = await settleMerchant(database.db, app().clock, merchant)
  expect((await sara.call('DELETE', path)).status).toBe(200)
  await sara.call('POST', path, { url: 'https://198.51.101.8/another' })

  const posted: PostRequest[] = []
  await createSendNotices({
    db: database.db,
    secrets: createSecretBox(defaults.secret_key),
    settlementPages: createSettlementPages(database.db),
    settings: { retry_delays_s: [10], timeout_s: 1 },
    now: () => Date.now() + 1_000,
    poster: {
      async post(request) {
        posted.push(request)
        return { status: 204, response: '', retry_after: null, error: null, error_code: null, silent: false }
      },
    },
  })()
  expect(posted).toEqual([])
  const { body } = await sara.call('GET', path)
  expect((body.data as { notices: unknown }).notices).toMatchObject([
    { settlement_id, state: 'failed', error: 'not sent: the webhook has been removed' },
  ])
})
