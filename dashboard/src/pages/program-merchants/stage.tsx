import type { RowOf } from '../../api/client.ts'
import { Badge } from '../../parts/status-badge.tsx'
import { useTexts } from '../../texts/texts.tsx'

export type StageName = RowOf<'/programs/{programId}/merchants'>['stage']

export const stages = ['live', 'unverified', 'unpublished', 'suspended'] as const satisfies readonly StageName[]

const tones = { live: 'good', unverified: 'warn', unpublished: 'quiet', suspended: 'bad' } as const

/** Where a merchant stands. */
export function Stage({ stage }: { stage: StageName }) {
  const { t } = useTexts()
  return <Badge tone={tones[stage]}>{t(`program.stage_${stage}`)}</Badge>
}
