import { expect, it, onTestFinished } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { most_webhooks } from '../../src/features/webhooks/delivery-queries.ts'
import { startPolling } from '../../src/features/webhooks/polling.ts'
import { testDatabase } from '../support/database.ts'
import { oneMerchant } from '../support/earnings.ts'
import { waitFor } from '../support/wait.ts'

// Each turn of polling stepped through every webhook with deliveries in the queue: more than 3 s for 100,000 of them, again
// and again as long as they waited. With a few times as many it would have ended at its time limit, and nothing would have
// been found at all.

const database = testDatabase({ leaves: ['due deliveries'] })
const webhookOf = (n: number) => `00000000-0000-7000-8000-${n.toString().padStart(12, '0')}` as Uuid

it('a turn looks at so many webhooks, and the next one goes on behind them and begins anew', async () => {
  const { program_id } = await oneMerchant(database.db)
  // Two more than one turn looks at. Of the others only the last is due.
  await database.owner.run({
    text: `insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series, attempts, due_at,
        created_at)
      select $1, w.id, w.id, 1, w.id, w.id, 1, 0, now() + case when w.n < $2 then interval '1 hour' else '-1 hour' end, now()
      from (select n, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid as id from generate_series(1, $2::bigint + 2) as n) w`,
    values: [program_id, most_webhooks],
  })
  const turns: (readonly Uuid[])[] = []
  const stop = startPolling({
    ...{ db: database.db, poll_ms: 1, longest_lease_ms: 1_000, retry_delays_s: [60], now: Date.now },
    warn: (error) => {
      throw error
    },
    found: (_, due) => void turns.push(due),
  })
  onTestFinished(stop)
  await waitFor('four turns', () => turns.length >= 4)
  const [first, second] = [[webhookOf(most_webhooks)], [webhookOf(most_webhooks + 1), webhookOf(most_webhooks + 2)]]
  expect(turns.slice(0, 4)).toEqual([first, second, first, second])
})
