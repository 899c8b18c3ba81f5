import { setTimeout as sleep } from 'node:timers/promises'
import { type CountParts, createCount } from './count.ts'

const busy_pause_ms = 100
const most_tries = 50

/**
 * Adds what programs have had up to this moment to their figures, for a caller who has just written much and knows that all of
 * it is committed. What others commit later with older ids is found when the windows are counted again. A program that another
 * worker is counting has its turn again soon; if that takes long, the rest is left to the job.
 */
export async function countNow(
  parts: Pick<CountParts, 'db' | 'retention_days'>,
  program_ids: readonly number[],
): Promise<void> {
  const count = createCount({ ...parts, grace_ms: 0 })
  for (let tries = 0; tries < most_tries; tries++) {
    if (tries > 0) await sleep(busy_pause_ms)
    const due = (await count.programs()).filter((program_id) => program_ids.includes(program_id))
    if (due.length === 0) return
    for (const program_id of due) while (await count.step(program_id));
  }
}
