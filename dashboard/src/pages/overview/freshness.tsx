import { startOf } from '../../parts/chart-figures.ts'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Overview } from './figures.ts'

/** Until when the figures of an overview are complete, and with which days its period is compared. */
export function FreshnessOfPeriod({ of }: { of: Pick<Overview, 'as_of' | 'building' | 'before'> | undefined }) {
  const { t, format } = useTexts()
  if (of === undefined || of.as_of === null) return <Freshness of={of} />
  const days = format.days(startOf(of.before.from), startOf(of.before.to))
  return (
    <>
      <Freshness of={of} /> {t.rich('overview.compared', { days: <bdi>{days}</bdi> })}
    </>
  )
}

/** Until when the figures are complete. */
export function Freshness({ of }: { of: { readonly as_of: string | null; readonly building: boolean } | undefined }) {
  const { t } = useTexts()
  if (of === undefined) return null
  if (of.as_of === null) return t('overview.building')
  return t.rich(of.building ? 'overview.rebuilding' : 'overview.as_of', { time: <Time at={of.as_of} /> })
}
