import type { TextKey } from '../texts/catalogue.ts'
import { useTexts } from '../texts/texts.tsx'
import classes from './status-badge.module.css'

type Tone = 'good' | 'note' | 'warn' | 'bad' | 'quiet'

/** States of orders, payments, keys and proposals, each with its text and tone. */
const statuses = {
  new: ['common.status_new', 'note'],
  approved: ['common.status_approved', 'good'],
  authorized: ['common.status_authorized', 'warn'],
  captured: ['common.status_captured', 'good'],
  cancelled: ['common.status_cancelled', 'quiet'],
  partially_refunded: ['common.status_partially_refunded', 'warn'],
  fully_refunded: ['common.status_refunded', 'quiet'],
  active: ['common.status_active', 'good'],
  off: ['common.status_off', 'quiet'],
  payment_created: ['order.payment_created', 'note'],
  payment_authorized: ['common.status_authorized', 'warn'],
  payment_paid: ['order.payment_paid', 'good'],
  payment_voided: ['order.payment_voided', 'quiet'],
  payment_failed: ['order.payment_failed', 'bad'],
  payment_surplus: ['order.payment_surplus', 'warn'],
  payment_returned: ['order.payment_returned', 'quiet'],
  proposal_open: ['proposals.state_open', 'warn'],
  proposal_confirmed: ['proposals.state_confirmed', 'good'],
  proposal_rejected: ['proposals.state_rejected', 'quiet'],
  proposal_expired: ['proposals.state_expired', 'quiet'],
} as const satisfies Readonly<Record<string, readonly [text: TextKey, tone: Tone]>>

/** A state as the API names it: the compiler refuses one that has no text here. */
export function StatusBadge({ status }: { status: keyof typeof statuses }) {
  const { t } = useTexts()
  const [text, tone] = statuses[status]
  return <Badge tone={tone}>{t(text)}</Badge>
}

/** A short word about a row, in a tone. The dot repeats the tone for eyes that tell no colours apart; the word says it. */
export function Badge({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  )
}
