import { expect, it, vi } from 'vitest'
import { type Claim, emptyResult, FairQueue } from '../../src/features/webhooks/fair-queue.ts'
import { newUuid } from '../../src/lib/ids.ts'

// An outage makes the webhooks of all merchants due at once.

const due = 20_050
const all = () => true

/** Counts the members of maps and sets that are looked at meanwhile. */
function countLooks(work: () => void): number {
  const steps = [new Map().values(), new Set().values()].map((each) => vi.spyOn(Object.getPrototypeOf(each), 'next'))
  try {
    work()
    return steps.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  } finally {
    for (const step of steps) step.mockRestore()
  }
}

function queueOf(programs: number): FairQueue {
  const queue = new FairQueue({ slots: 512 })
  for (let id = 1; id <= programs; id += 1) queue.markDue(id, Array.from({ length: due / programs }, newUuid))
  return queue
}

/** One attempt for each reservation. */
function begin(queue: FairQueue, { reservations }: Claim) {
  for (const reservation of reservations) queue.settle(reservation, { ...emptyResult, count: 1 })
  return reservations.map((reservation) => reservation.queue)
}

// A worker keeps what it knows of 20,000 webhooks. With more than that due, it looked through all of them for an idle one as each
// further one came: every 5,000 of them held up the process, and its API, for 2 to 3 s, and 100,000 for 49 s in all.
it('more due webhooks than a worker keeps are looked through once in a while, not for each', () => {
  expect(countLooks(() => queueOf(1))).toBeLessThan(30_000)
  expect(queueOf(1).nextClaim(all)?.reservations).toHaveLength(256)
})

// Each attempt that ended looked through all that were due, twice: 3 ms for each of 100,000 deliveries.
it.each([1, 50])('attempts that end do not look at everything that is due in %i programs', (programs) => {
  const queue = queueOf(programs)
  const running: ReturnType<typeof begin> = []
  const claimAll = () => {
    for (let claim = queue.nextClaim(all); claim !== undefined; claim = queue.nextClaim(all))
      running.push(...begin(queue, claim))
  }
  // Nobody has answered yet, so all are slow: half of the slots are theirs.
  claimAll()
  expect(running).toHaveLength(256)
  const looks = countLooks(() => {
    for (const ended of running.splice(0, 100)) {
      queue.attemptEnded(ended, false)
      queue.resultWritten(ended)
      claimAll()
    }
  })
  expect(running).toHaveLength(256)
  expect(looks).toBeLessThan(100 * 600)
})

it('a program that claims enough already does not have others look through what it has due', () => {
  const queue = queueOf(1)
  const looks = countLooks(() => expect(queue.nextClaim((program_id) => program_id !== 1)).toBeUndefined())
  expect(looks).toBeLessThan(20)
})
