import { useMemo } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { type DayOfOverview, isByWeek, weeksOf } from './figures.ts'

/** What a chart of these days shows: the days, or in a long period its weeks. */
export function useCharted(days: readonly DayOfOverview[] | undefined) {
  const { t } = useTexts()
  const byWeek = useMemo(() => (days !== undefined && isByWeek(days) ? weeksOf(days) : undefined), [days])
  return { days, drawn: byWeek ?? days, note: byWeek === undefined ? undefined : t('overview.by_week') }
}
