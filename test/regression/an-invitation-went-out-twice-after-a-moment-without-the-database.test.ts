import { expect, it, onTestFinished } from 'vitest'
import { Database } from '../../src/db/pool.ts'
import { createSendInvitations } from '../../src/features/customers/invitations.ts'
import { createEarn } from '../../src/features/earning/service.ts'
import { sandboxSms } from '../../src/providers/sms/sandbox.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, inProgram, TestClock } from '../support/earnings.ts'
import { budgetOn } from '../support/messages.ts'
import { startProxy } from '../support/proxy.ts'

// The outcome of a message was written once. Where the database was away at that moment, as while it is restarted, the message
// was sent again when the lease was over, though a phone gets one invitation a day at most. docs/spec/customers.md#invitations

const database = testDatabase()

it('a message that was sent is recorded when the database is back', async () => {
  const [shop] = await earningMerchants(database.db, 1)
  if (shop === undefined) throw new Error('no merchant was made')
  const clock = new TestClock('2026-02-01T09:00:00.000Z')
  await createEarn({ db: database.db, clock, lock_window_s: 10 })(
    earningOf(inProgram(shop, { activation: 'required' })),
  )
  const proxy = await startProxy(database.url)
  const db = new Database(proxy.url)
  onTestFinished(async () => {
    await db.close()
    await proxy.close()
  })
  const failed: unknown[] = []
  const one: Database['one'] = db.one.bind(db)
  db.one = (statement) =>
    one(statement).catch(async (error: unknown) => {
      failed.push(error)
      if (failed.length === 1) await proxy.up()
      throw error
    })
  let sent = 0
  const send = createSendInvitations({
    db,
    budget: budgetOn(database.db),
    public_url: 'https://points.example',
    sms: {
      ...sandboxSms,
      async send() {
        sent += 1
        await proxy.down()
        return { kind: 'sent', reference: '1' }
      },
    },
  })
  expect(await send()).toBe(1)
  expect([sent, failed.length]).toEqual([1, 1])
  const rows = await database.owner.run({ text: 'select state, attempts from sms_queue', values: [] })
  expect(rows).toEqual([{ state: 'sent', attempts: 1 }])
})
