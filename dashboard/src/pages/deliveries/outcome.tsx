import { Badge } from '../../parts/status-badge.tsx'
import { useTexts } from '../../texts/texts.tsx'

const tones = { due: 'warn', delivered: 'good', failed: 'bad' } as const

/** How far a delivery has come, with the last answer of its receiver. */
export function Outcome({
  state,
  last_status = null,
  last_error = null,
}: {
  state: keyof typeof tones
  last_status?: number | null
  last_error?: string | null
}) {
  const { t } = useTexts()
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', gap: 'var(--space-2)' }}>
      <Badge tone={tones[state]}>{t(`deliveries.state_${state}`)}</Badge>
      {last_status === null ? null : <code dir="ltr">{last_status}</code>}
      {last_status === null && last_error !== null ? (
        <small style={{ color: 'var(--soft)' }}>{t('deliveries.no_answer')}</small>
      ) : null}
    </span>
  )
}
