import { afterAll, expect, test } from 'vitest'
import { call, earn, runningService } from '../cli/command.ts'

// `nuqta clock` ended before the running service had looked at the new time. A script that moved the clock behind the refund
// window and asked for a refund at once got one, about one time in two.

const { client, run } = runningService()
afterAll(() => run('clock', 'reset'))

test.each(['31d', '31d', '31d'])(
  'a request right after the clock was moved by %s meets the new time',
  async (ahead) => {
    const uuid = String((await earn(client())).body.data?.['uuid'])
    expect((await run('clock', 'advance', ahead)).code).toBe(0)
    const path = `/api/v1/orders/${uuid}/refund`
    const refused = await call(client(), { path, key: client().NUQTA_PRIVATE_KEY, body: {} })
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/refund window/)])
  },
)
