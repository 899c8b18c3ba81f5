import { SegmentedControl } from '@mantine/core'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'

const lengths = ['7', '30', '90', '365'] as const

/** The days that an overview covers, as the URL says, and the control that chooses them. */
export function usePeriod() {
  const { t } = useTexts()
  const filters = useUrlFilters(['days'])
  const days = lengths.find((one) => one === filters.values.days) ?? '30'
  const choice = (
    <SegmentedControl
      aria-label={t('overview.period')}
      value={days}
      onChange={(value) => filters.set({ days: value === '30' ? undefined : value })}
      data={lengths.map((value) => ({ value, label: t(`overview.days_${value}`) }))}
      style={{ alignSelf: 'flex-start' }}
    />
  )
  return { days, choice }
}
