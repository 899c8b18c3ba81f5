import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddedConnection } from '../db/embedded.ts'
import { type Connection, Database } from '../db/pool.ts'
import { createCount } from '../features/activity/count.ts'
import { medianOf } from './pairs.ts'

/** Events of one step, as the job of the service takes them. */
const part = 1_000
const most_steps = 20
const most_tries = 200
const pause_ms = 100
/** The job leaves the last minute to transactions that still run; the bench has ended them. */
const ahead_ms = 120_000
const retention_days = 90

/** Runs the job of the daily figures, as the service does in the background, until everything older than a minute is in them. */
export async function makeDailyFigures(connection: Connection): Promise<void> {
  const db = new Database(connection, { size: 1, plans: 'by_key' })
  try {
    const count = createCount({ db, retention_days })
    for (const program_id of await count.programs()) while (await count.step(program_id));
  } finally {
    await db.close()
  }
}

export interface DailyFiguresResult {
  /** Orders of full steps. */
  readonly orders: number
  /** Time of one connection an order: the service's and the database's together. */
  readonly us_per_order: number
}

/** Measures what the daily figures cost an order, in the background: steps of the job over orders that were just made. */
export async function measureDailyFigures(
  connection: EmbeddedConnection,
  program_id: number,
): Promise<DailyFiguresResult> {
  // With the plans of the service: others read whole tables while statistics are old.
  const db = new Database(connection, { size: 1, plans: 'by_key' })
  return measureSteps(db, program_id).finally(() => db.close())
}

async function measureSteps(db: Database, program_id: number): Promise<DailyFiguresResult> {
  const count = createCount({ db, part, retention_days, machine_ms: () => Date.now() + ahead_ms })
  await count.programs()
  // Each earning of the bench leaves one event, so a full step has this many orders.
  const took_ms: number[] = []
  for (let tries = 0; tries < most_tries && took_ms.length < most_steps; tries += 1) {
    const started_ms = performance.now()
    if (await count.step(program_id)) took_ms.push(performance.now() - started_ms)
    // The last step of a program is not full; before the first, the service's own worker may have its turn.
    else if (took_ms.length > 0) break
    else await sleep(pause_ms)
  }
  // The median leaves out steps that only begin or end the first figures of a program.
  return { orders: took_ms.length * part, us_per_order: (medianOf(took_ms) * 1_000) / part }
}
