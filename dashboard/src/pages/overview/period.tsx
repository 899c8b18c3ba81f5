import { Group, NativeSelect, SegmentedControl } from '@mantine/core'
import { type Day, dayOf, daysOf, monthsUntil, parseDay } from '../../../../src/domain/day.ts'
import { startOf } from '../../parts/chart-figures.ts'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'

const lengths = ['7', '30', '90', '365'] as const

/** This month and those of a year before it: books are kept by the month. */
const most_months = 13

/**
 * The days that an overview covers, as the URL says and as the API's query takes them, and the control that chooses them. The
 * service says what day it is: the clock of a sandbox may have been moved.
 */
export function usePeriod() {
  const { t, format } = useTexts()
  const filters = useUrlFilters(['days', 'month'])
  const month = parseDay(`${filters.values.month}-01`)
  const days = lengths.find((one) => one === filters.values.days) ?? '30'
  const choiceAt = (today: string = dayOf(new Date())) => {
    const months = monthsUntil(today as Day, most_months).map(({ from }) => from)
    const shown = month === null || months.includes(month) ? months : [...months, month]
    return (
      <Group gap="sm">
        <SegmentedControl
          aria-label={t('overview.period')}
          value={month === null ? days : ''}
          onChange={(value) => filters.set({ days: value === '30' ? undefined : value, month: undefined })}
          data={lengths.map((value) => ({ value, label: t(`overview.days_${value}`) }))}
        />
        <NativeSelect
          aria-label={t('overview.month')}
          value={month?.slice(0, 7) ?? ''}
          onChange={({ currentTarget: { value } }) => filters.set({ month: value, days: undefined })}
          data={[
            { value: '', label: t('overview.month') },
            ...shown.map((one) => ({ value: one.slice(0, 7), label: format.month(startOf(one)) })),
          ]}
        />
      </Group>
    )
  }
  return { query: month === null ? { days } : { ...daysOf(month) }, choiceAt }
}
