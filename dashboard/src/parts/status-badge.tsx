import type { TextKey } from '../texts/catalogue.ts'
import { useTexts } from '../texts/texts.tsx'
import classes from './status-badge.module.css'

type Tone = 'good' | 'note' | 'warn' | 'bad' | 'quiet'

/** States of orders, payments, deliveries and webhooks, each with its text and tone. */
const statuses: Readonly<Record<string, readonly [text: TextKey, tone: Tone]>> = {
  new: ['common.status_new', 'note'],
  approved: ['common.status_approved', 'good'],
  authorized: ['common.status_authorized', 'warn'],
  captured: ['common.status_captured', 'good'],
  completed: ['common.status_completed', 'good'],
  cancelled: ['common.status_cancelled', 'quiet'],
  refunded: ['common.status_refunded', 'quiet'],
  partially_refunded: ['common.status_partially_refunded', 'warn'],
  pending: ['common.status_pending', 'warn'],
  delivered: ['common.status_delivered', 'good'],
  failed: ['common.status_failed', 'bad'],
  retrying: ['common.status_retrying', 'warn'],
  active: ['common.status_active', 'good'],
  off: ['common.status_off', 'quiet'],
  proposal_open: ['proposals.state_open', 'warn'],
  proposal_confirmed: ['proposals.state_confirmed', 'good'],
  proposal_rejected: ['proposals.state_rejected', 'quiet'],
  proposal_expired: ['proposals.state_expired', 'quiet'],
}

/** A state as the API names it. A state without a text is shown by its name. */
export function StatusBadge({ status }: { status: string }) {
  const { t } = useTexts()
  const [text, tone] = statuses[status] ?? [undefined, 'quiet']
  return <Badge tone={tone}>{text === undefined ? status : t(text)}</Badge>
}

/** A short word about a row, in a tone. The dot repeats the tone for eyes that tell no colours apart; the word says it. */
export function Badge({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  )
}
