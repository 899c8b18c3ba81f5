import type { Clock } from '../../src/clock.ts'
import type { Database } from '../../src/db/pool.ts'
import { type MessageBounds, standard_bounds } from '../../src/domain/message-limits.ts'
import { createLimits } from '../../src/features/limits/story.ts'
import { type BudgetParts, createMessageBudget, type MessageBudget } from '../../src/features/messages/story.ts'
import { createSecretBox } from '../../src/secrets.ts'
import { defaults } from './api.ts'

export interface BudgetOptions {
  readonly bounds?: Partial<MessageBounds>
  readonly now?: () => Date
  readonly clock?: Clock
  readonly onUsed?: BudgetParts['onUsed']
}

/** What one process counts messages by: with the standard numbers, except those that a test names. */
export function budgetOn(db: Database, { bounds = {}, onUsed, ...clocks }: BudgetOptions = {}): MessageBudget {
  const limits = createLimits({ db, secrets: createSecretBox(defaults.secret_key), ...clocks })
  const numbers = { ...standard_bounds, ...bounds }
  return createMessageBudget({ limits, bounds: numbers, ...(onUsed === undefined ? {} : { onUsed }) })
}
