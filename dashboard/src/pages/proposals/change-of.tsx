import { Text } from '@mantine/core'
import { Arrow } from '../../parts/arrow.tsx'
import { Figure, Points } from '../../parts/money.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { PointValue } from '../../parts/point-value.tsx'
import { EndTime } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Proposal } from './proposal.ts'
import classes from './proposals.module.css'

/** Micro-SAR in a SAR. */
const micro = 1_000_000

/** What a proposal would change, with what was so when it was made. */
export function ChangeOf({ of }: { of: Proposal }) {
  const { t } = useTexts()
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <strong>{t(`proposals.kind_${of.kind.replace('.', '_') as 'wallet_adjust'}`)}</strong>
      <div>
        <Details of={of} />
      </div>
      {of.reason === null ? null : (
        <Text size="sm" c="dimmed">
          <bdi>{of.reason}</bdi>
        </Text>
      )}
    </div>
  )
}

function Details({ of: { kind, change, facts, customer_id } }: { of: Proposal }) {
  const { t, format } = useTexts()
  if (kind === 'wallet.adjust')
    return (
      <>
        <Points count={Number(change['points'])} signed />{' '}
        {customer_id === null ? null : <PageLink to={`customers/${customer_id}`}>{t('proposals.customer')}</PageLink>} ·{' '}
        {t('proposals.balance')} <Figure value={Number(facts['posted'])} />
      </>
    )
  if (kind === 'program.rate')
    return (
      <>
        <PointValue sar={Number(facts['micro_sar_per_point']) / micro} /> <Arrow />{' '}
        <PointValue sar={Number(change['micro_sar_per_point']) / micro} /> {t('proposals.from')}{' '}
        <span className={classes.day}>{format.date(String(change['begins_on']))}</span>
      </>
    )
  if (kind === 'settlement.close')
    return (
      <>
        <Periods of={change['merchant_id']} /> <EndTime at={String(change['until'])} />
      </>
    )
  return (
    <>
      {Object.entries(change).map(([name, value]) => (
        <div key={name}>
          <Name of={name} />: <bdi dir="ltr">{shown(facts[name])}</bdi> <Arrow /> <bdi dir="ltr">{shown(value)}</bdi>
        </div>
      ))}
    </>
  )
}

/** Whose periods a close ends: those of all merchants, or of one. */
function Periods({ of: merchant_id }: { of: unknown }) {
  const { t } = useTexts()
  if (merchant_id === undefined) return <>{t('proposals.up_to')}</>
  const merchant = String(merchant_id)
  return (
    <>
      {t.rich('proposals.one_up_to', {
        merchant: <PageLink to={`merchants/${merchant}`}>{t('proposals.merchant', { merchant })}</PageLink>,
      })}
    </>
  )
}

/** The parts of the rule of two people have names; others are shown as the service names them. */
function Name({ of }: { of: string }) {
  const { t } = useTexts()
  if (of === 'two_person_rates') return t('program-settings.two_person_rates')
  if (of === 'two_person_settlements') return t('program-settings.two_person_settlements')
  if (of === 'two_person_adjustments_over') return t('program-settings.two_person_over')
  return <code dir="ltr">{of}</code>
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'boolean' ? (value ? '✓' : '✗') : String(value)
}
