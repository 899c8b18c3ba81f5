import { expect, it, onTestFinished, vi } from 'vitest'
import { FairQueue } from '../../src/features/webhooks/fair-queue.ts'
import { newUuid } from '../../src/lib/ids.ts'

// A worker keeps what it knows of 20,000 webhooks. With more than that due at once, it looked through all of them for an idle one as each
// further one came: every 5,000 of them held up the process, and its API, for 2 to 3 s, and 100,000 for 49 s in all.

it('more due webhooks than a worker keeps are looked through once in a while, not for each', () => {
  const queue = new FairQueue({ slots: 512 })
  const looked = vi.spyOn(Set.prototype, 'has')
  onTestFinished(() => looked.mockRestore())
  queue.markDue(
    1,
    Array.from({ length: 20_050 }, () => newUuid()),
  )
  const looks = looked.mock.calls.length
  expect(looks).toBeLessThan(30_000)
  expect(queue.nextClaim(() => true)?.reservations).toHaveLength(256)
})
