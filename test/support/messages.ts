import type { Database } from '../../src/db/pool.ts'
import { type MessageBounds, standard_bounds } from '../../src/domain/limit.ts'
import { type BudgetParts, createMessageBudget, type MessageBudget } from '../../src/features/limits/message-budget.ts'
import { createLimits } from '../../src/features/limits/service.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { Sms, SmsOutcome, SmsSender } from '../../src/providers/sms/port.ts'
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

export interface KeptMessages {
  readonly sms: SmsSender
  readonly sent: Sms[]
  /** The texts of what was sent. */
  readonly messages: string[]
}

/** A sender that reaches every phone, and keeps its messages. It gives these outcomes in turn, and repeats the last one. */
export function keptMessages(...outcomes: readonly SmsOutcome[]): KeptMessages {
  const sent: Sms[] = []
  const messages: string[] = []
  const sms: SmsSender = {
    name: 'taqnyat',
    reaches_phones: true,
    async send(message) {
      sent.push(message)
      messages.push(message.text)
      return outcomes[Math.min(sent.length, outcomes.length) - 1] ?? { kind: 'sent', reference: '1' }
    },
  }
  return { sms, sent, messages }
}
