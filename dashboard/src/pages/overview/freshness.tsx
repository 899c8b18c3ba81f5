import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'

/** Until when the figures are complete. */
export function Freshness({ of }: { of: { readonly as_of: string | null; readonly building: boolean } | undefined }) {
  const { t } = useTexts()
  if (of === undefined) return null
  if (of.as_of === null) return t('overview.building')
  return t.rich(of.building ? 'overview.rebuilding' : 'overview.as_of', { time: <Time at={of.as_of} /> })
}
