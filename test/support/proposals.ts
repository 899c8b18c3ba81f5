import type { Merchant } from '../../src/domain/merchant.ts'
import type { TwoPersonRule } from '../../src/domain/proposal.ts'
import { changeProgram } from '../../src/features/merchants/program-settings.ts'
import { type App, startApp } from './api.ts'
import { oneShop } from './app.ts'
import type { TestDatabase } from './database.ts'
import type { TestClock } from './earnings.ts'
import { makePerson, type Person } from './staff.ts'

export interface TwoPersonShop {
  readonly app: App<TestClock>
  readonly merchant: Merchant
  readonly proposer: Person
  /** An operator, who decides. */
  readonly decider: Person
}

/** Starts the service with a shop whose program has rules of two people. Stop `app` after the tests. */
export async function startTwoPersonShop(
  database: TestDatabase,
  {
    clock,
    changes,
    proposes = 'operator',
  }: {
    readonly clock: TestClock
    readonly changes: Partial<TwoPersonRule>
    readonly proposes?: 'operator' | 'owner'
  },
): Promise<TwoPersonShop> {
  const app = await startApp(database, {}, clock)
  const { merchant } = await oneShop(database.db)
  const proposer = await makePerson(app, proposes === 'owner' ? { ...merchant, role: 'owner' } : 'operator')
  const decider = await makePerson(app, 'operator')
  await changeProgram(database.db, merchant.program_id, { changes, now: clock.now() })
  return { app, merchant, proposer, decider }
}
