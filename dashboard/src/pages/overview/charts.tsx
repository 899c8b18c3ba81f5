import { useMemo } from 'react'
import { ChartCard } from '../../parts/chart-card.tsx'
import { isGoingOn } from '../../parts/chart-figures.ts'
import { useTexts } from '../../texts/texts.tsx'
import { isByWeek, type Overview, weeksOf } from './figures.ts'

/** Points and sales by day, or by week in a long period. */
export function Charts({ of }: { of: Pick<Overview, 'days' | 'as_of'> | undefined }) {
  const { t } = useTexts()
  const days = of?.days
  const byWeek = useMemo(() => (days !== undefined && isByWeek(days) ? weeksOf(days) : undefined), [days])
  const note = byWeek === undefined ? undefined : t('overview.by_week')
  const charted = { days, drawn: byWeek ?? days, note, goes_on: of !== undefined && isGoingOn(of.days, of.as_of) }
  return (
    <>
      <ChartCard
        title={t('overview.points')}
        {...charted}
        series={[
          { name: 'issued_points', label: t('overview.issued') },
          { name: 'redeemed_points', label: t('overview.redeemed') },
        ]}
      />
      <ChartCard
        title={t('overview.sales')}
        {...charted}
        series={[{ name: 'sales', label: t('overview.sales_sar'), money: true }]}
      />
    </>
  )
}
