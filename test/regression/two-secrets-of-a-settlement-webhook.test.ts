import { beforeAll, expect, it } from 'vitest'
import { createSendNotices } from '../../src/features/settlement/notices.ts'
import { createSettlementPages } from '../../src/features/settlement/statement.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { PostRequest } from '../../src/net/post.ts'
import { defaults, testApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, type Person } from '../support/staff.ts'
import { waitForLocks } from '../support/wait.ts'

// Two operators set the settlement webhook of a program for the first time at the same moment. Each made a secret for a row
// of their own; the row kept the id of the first with the secret of the second, which nobody could open, so no notice was
// ever sent.

const database = testDatabase()
const app = testApp(database)
let sara: Person
let omar: Person
beforeAll(async () => {
  sara = await makePerson(app(), 'operator')
  omar = await makePerson(app(), 'operator')
})

type Data = Readonly<Record<string, unknown>>

it('of two first settings of a webhook one makes the secret that notices carry', async () => {
  const { program_id } = (await oneShop(database.db)).merchant
  const path = `/programs/${program_id}/webhook`
  const [first, second] = ['https://198.51.101.7/first', 'https://198.51.101.7/second']
  const made = await database.owner.transaction(async (tx) => {
    // Nobody writes a webhook before both have asked.
    await tx.script('lock table program_webhook in share mode')
    const one = sara.call('POST', path, { url: first })
    await waitForLocks(database.owner)
    const other = omar.call('POST', path, { url: second })
    await waitForLocks(database.owner, 2)
    return { replies: [one, other] }
  })
  const replies = await Promise.all(made.replies)
  const secrets = replies.map(({ body }) => (body.data as Data)['secret'])
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(secrets).toEqual([expect.stringMatching(/^whsec_/), `****${String(secrets[0]).slice(-4)}`])
  const posted: PostRequest[] = []
  const send = createSendNotices({
    db: database.db,
    secrets: createSecretBox(defaults.secret_key),
    settlementPages: createSettlementPages(database.db),
    settings: { retry_delays_s: [], timeout_s: 1 },
    poster: {
      async post(request) {
        posted.push(request)
        return { status: 204, response: '', retry_after: null, error: null, error_code: null, silent: false }
      },
    },
  })
  expect((await sara.call('POST', `${path}/test`)).status).toBe(200)
  await send()
  expect(posted.map(({ url, headers }) => [url, headers['x-webhook-secret']])).toEqual([[second, secrets[0]]])
})
