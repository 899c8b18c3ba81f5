import { expect, test } from 'vitest'
import { takeTurns } from '../../src/db/leased-queue.ts'
import { messageQueue } from '../../src/features/customers/invitation-queries.ts'
import { taskQueue } from '../../src/features/orders/payment-task-queries.ts'
import { noticeQueue } from '../../src/features/settlement/notice-queries.ts'
import { runQueue } from '../../src/features/settlement/run-queries.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { makeMerchant } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

// A machine that started with a clock of next year queued refunds, messages and settlements for next year. When the clock
// was right again they waited for that, and nobody could ask for another settlement of the program. Deliveries alone were
// made due.

const database = testDatabase({ leaves: ['due messages'] })
const now = new Date()
const after = (days: number) => new Date(now.getTime() + days * 86_400_000)

test('messages that a wrong clock put far ahead are due, and what was leased by it too; others wait', async () => {
  const { program_id, merchant_id } = await makeMerchant(database.db)
  const rows = [
    { due_at: after(300), leased_until: null },
    { due_at: after(-1), leased_until: after(300) },
    { due_at: after(1), leased_until: null },
    { due_at: after(-1), leased_until: after(0.001) },
  ]
  await database.owner.run({
    text: `insert into sms_queue (program_id, sms_uuid, kind, customer_id, merchant_id, due_at, leased_until, created_at)
      select $1, id, 'invitation', id, $2, due_at, leased_until, $3
      from unnest($4::uuid[], $5::timestamptz[], $6::timestamptz[]) as n(id, due_at, leased_until)`,
    values: [
      ...[program_id, merchant_id, now, rows.map(() => newUuid())],
      ...[rows.map(({ due_at }) => due_at), rows.map(({ leased_until }) => leased_until)],
    ],
  })
  await takeTurns(database.db, messageQueue, now, async () => 0)
  const kept = await database.db.run({
    text: 'select due_at, leased_until from sms_queue where program_id = $1 order by sms_uuid',
    values: [program_id],
  })
  expect(kept).toEqual([
    { due_at: now, leased_until: null },
    { due_at: after(-1), leased_until: now },
    ...rows.slice(2),
  ])
})

test.each([
  ['payment tasks', taskQueue],
  ['notices', noticeQueue],
  ['settlements', runQueue],
])('%s have the same repair', async (_, queue) => {
  const { program_id } = await makeMerchant(database.db)
  const { programs, repair } = queue.ahead(now)
  expect(await database.db.run(programs)).toEqual([])
  expect(await database.db.run(repair(program_id))).toEqual([])
})
