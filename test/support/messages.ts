import type { Database } from '../../src/db/pool.ts'
import { type MessageBounds, standard_bounds } from '../../src/domain/limit.ts'
import { type BudgetParts, createMessageBudget, type MessageBudget } from '../../src/features/limits/messages.ts'
import { createLimits } from '../../src/features/limits/service.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { SmsSender } from '../../src/providers/sms/port.ts'
import { secret_key } from './secret-key.ts'

export interface BudgetOptions {
  readonly bounds?: Partial<MessageBounds>
  readonly now?: () => Date
  readonly clock?: Clock
  readonly onUsed?: BudgetParts['onUsed']
}

/** The message limits of one process: the defaults, except those that a test names. */
export function budgetOn(db: Database, { bounds = {}, onUsed, ...clocks }: BudgetOptions = {}): MessageBudget {
  const limits = createLimits({ db, secrets: createSecretBox(secret_key), ...clocks })
  const numbers = { ...standard_bounds, ...bounds }
  return createMessageBudget({ limits, bounds: numbers, ...(onUsed === undefined ? {} : { onUsed }) })
}

/** A sender that reaches every phone, and the texts that it has sent. */
export function keptMessages(): { readonly sms: SmsSender; readonly messages: string[] } {
  const messages: string[] = []
  const sms: SmsSender = {
    name: 'taqnyat',
    reaches_phones: true,
    async send({ text }) {
      messages.push(text)
      return { kind: 'sent', reference: null }
    },
  }
  return { sms, messages }
}
