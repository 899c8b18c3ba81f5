import { Group, NativeSelect, SegmentedControl } from '@mantine/core'
import { dayOf, monthsUntil } from '../../../../src/domain/day.ts'
import { startOf } from '../../parts/chart-figures.ts'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'

const lengths = ['7', '30', '90', '365'] as const

/** This month and those of a year before it: books are kept by the month. */
const most_months = 13

/** The days that an overview covers, as the URL says and as the API's query takes them, and the control that chooses them. */
export function usePeriod() {
  const { t, format } = useTexts()
  const filters = useUrlFilters(['days', 'month'])
  const months = monthsUntil(dayOf(new Date()), most_months)
  const month = months.find(({ from }) => from.slice(0, 7) === filters.values.month)
  const days = lengths.find((one) => one === filters.values.days) ?? '30'
  const choice = (
    <Group gap="sm">
      <SegmentedControl
        aria-label={t('overview.period')}
        value={month === undefined ? days : ''}
        onChange={(value) => filters.set({ days: value === '30' ? undefined : value, month: undefined })}
        data={lengths.map((value) => ({ value, label: t(`overview.days_${value}`) }))}
      />
      <NativeSelect
        aria-label={t('overview.month')}
        value={month?.from.slice(0, 7) ?? ''}
        onChange={({ currentTarget: { value } }) => filters.set({ month: value, days: undefined })}
        data={[
          { value: '', label: t('overview.month') },
          ...months.map(({ from }) => ({ value: from.slice(0, 7), label: format.month(startOf(from)) })),
        ]}
      />
    </Group>
  )
  return { query: month === undefined ? { days } : { ...month }, choice }
}
