import { useMemo } from 'react'
import { ChartCard } from '../../parts/chart-card.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { type DayOfOverview, isByWeek, weeksOf } from './figures.ts'

/** Points and sales by day, or by week in a long period. */
export function Charts({ days }: { days: readonly DayOfOverview[] | undefined }) {
  const { t } = useTexts()
  const byWeek = useMemo(() => (days !== undefined && isByWeek(days) ? weeksOf(days) : undefined), [days])
  const charted = { days, drawn: byWeek ?? days, note: byWeek === undefined ? undefined : t('overview.by_week') }
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
