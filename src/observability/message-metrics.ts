import { Gauge, type Registry } from 'prom-client'
import type { BudgetParts, MessageBudget } from '../features/limits/messages.ts'
import { askedOnce } from './delivery-metrics.ts'
import type { Log } from './log.ts'

/** Makes the metrics of text messages, of all processes; `use` is asked at each collection. */
export function createMessageMetrics(registry: Registry, use: MessageBudget['use']): void {
  const registers = [registry]
  const nothing = { used: Number.NaN, most: Number.NaN }
  // A database that is away must not take the other metrics with it: these are not known then.
  const ask = askedOnce(() => use().catch(() => ({ all: nothing, invitations: nothing, strangers: nothing })))
  const parts = { all: 'all', invitations: 'invitations', strangers: 'codes of strangers' } as const
  const gauge = (name: string, help: string, field: 'used' | 'most') =>
    new Gauge({
      name,
      help,
      labelNames: ['part'],
      registers,
      async collect() {
        const found = await ask()
        for (const part of ['all', 'invitations', 'strangers'] as const)
          this.set({ part: parts[part] }, found[part][field])
      },
    })
  gauge(
    'nuqta_sms_last_hour',
    'Text messages of the last hour: all, and the parts that have a bound of their own.',
    'used',
  )
  gauge(
    'nuqta_sms_per_hour',
    'How many text messages an hour may have (NUQTA_SMS_PER_HOUR), and these parts of it.',
    'most',
  )
}

/** Tells the operator's log that messages are running out. */
export function logMessagesUsed(log: Log): NonNullable<BudgetParts['onUsed']> {
  return (level, { used, most }) => {
    const text = level === 'half' ? 'half' : 'nine tenths'
    log.warn(
      { used, most },
      `${text} of the text messages that an hour may have are sent: NUQTA_SMS_PER_HOUR sets how many`,
    )
  }
}
