import { afterEach, expect, it, vi } from 'vitest'
import { createBeginOnce } from '../../src/features/idempotency/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { testDatabase } from '../support/database.ts'
import { oneMerchant, TestClock } from '../support/earnings.ts'
import { secret_key } from '../support/secret-key.ts'

// A request that was told to try again released its key at the time of its server. To a server whose clock is behind, that lies
// ahead: the repeated request was refused as under way for as long as the clocks differ.

const database = testDatabase()
afterEach(() => void vi.useRealTimers())

it('a released key is free on a server whose clock is behind', async () => {
  const owner = await oneMerchant(database.db)
  const clock = new TestClock('2026-02-01T09:00:00.000Z')
  const begin = createBeginOnce({ db: database.db, clock, secrets: createSecretBox(secret_key) })
  const asked = { owner, route: '/v1/webhooks', path: '/v1/webhooks', key: 'once', body: {} }
  const first = await begin(asked)
  if (first.kind === 'started') await first.execution.release()
  vi.setSystemTime(Date.now() - 30_000)
  expect([first.kind, (await begin(asked)).kind]).toEqual(['started', 'started'])
})
