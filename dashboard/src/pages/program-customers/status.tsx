import { Badge } from '../../parts/status-badge.tsx'
import { useTexts } from '../../texts/texts.tsx'

interface Standing {
  readonly status: 'active' | 'invited' | 'erased' | 'merged'
  readonly blocked: boolean
}

const tones = { active: 'good', invited: 'note', erased: 'quiet', merged: 'quiet' } as const

/** How a customer stands in the program. A block comes before everything else. */
export function PersonStatus({ status, blocked }: Standing) {
  const { t } = useTexts()
  if (blocked) return <Badge tone="bad">{t('people.status_blocked')}</Badge>
  return <Badge tone={tones[status]}>{t(`people.status_${status}`)}</Badge>
}
