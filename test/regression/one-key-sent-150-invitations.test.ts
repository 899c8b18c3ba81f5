import { expect, test } from 'vitest'
import { createSendInvitations } from '../../src/features/customers/invitations.ts'
import { createEarn } from '../../src/features/earning/service.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, inProgram, TestClock } from '../support/earnings.ts'
import { budgetOn, keptMessages } from '../support/messages.ts'

const database = testDatabase()

// What went wrong: every earning of an unknown phone sends an invitation, and nothing counted them. One private key caused
// 150 messages within seconds. This test uses a limit of ten a minute; message-limits.test.ts has the default.
test('one limit a minute bounds the invitations of a merchant’s key in all processes; the rest come later, each once', async () => {
  const [shop] = await earningMerchants(database.db, 1)
  if (shop === undefined) throw new Error('no merchant was made')
  const merchant = inProgram(shop, { activation: 'required' })
  const clock = new TestClock('2026-02-01T09:00:00.000Z')
  const earn = createEarn({ db: database.db, clock, lock_window_s: 10 })
  const pending = []
  for (let count = 0; count < 25; count += 1) pending.push((await earn(earningOf(merchant))).kind)
  expect(new Set(pending)).toEqual(new Set(['pending']))

  const { sms, sent } = keptMessages()
  let now_ms = Date.now() + 1_000
  const now = () => new Date(now_ms)
  const processes = [database.connect({ size: 4 }), database.connect({ size: 4 })].map((db) =>
    createSendInvitations({
      db,
      sms,
      now,
      budget: budgetOn(db, { now, bounds: { invitations_per_minute: 10 } }),
      public_url: 'https://points.example',
    }),
  )
  const round = () => Promise.all(processes.map((send) => send()))
  await round()
  expect(sent).toHaveLength(10)
  now_ms += 59_000
  await round()
  expect(sent).toHaveLength(10)
  now_ms += 1_000
  await round()
  expect(sent).toHaveLength(20)
  now_ms += 60_000
  await round()
  expect(sent).toHaveLength(25)
  expect(new Set(sent.map(({ phone }) => phone)).size).toBe(25)
  const rows = await database.owner.run({ text: 'select distinct state, attempts from sms_queue', values: [] })
  expect(rows).toEqual([{ state: 'sent', attempts: 1 }])
})
