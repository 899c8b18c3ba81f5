import { Badge } from '../../parts/status-badge.tsx'
import { useTexts } from '../../texts/texts.tsx'

/** Whether somebody has joined the programme. */
export function CustomerStatus({ status }: { status: 'active' | 'invited' | 'erased' | 'merged' }) {
  const { t } = useTexts()
  const tones = { active: 'good', invited: 'note', erased: 'quiet', merged: 'quiet' } as const
  return <Badge tone={tones[status]}>{t(`customers.status_${status}`)}</Badge>
}
