import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { addDays, type Day, monthBefore } from '../../../../src/domain/day.ts'
import { startOf } from '../../parts/chart-figures.ts'
import type { Submit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './liability.module.css'

/** A day to be shown: by date, one of those that books often close with, or one that was made before. */
export function ChooseDay({
  day,
  today,
  stored,
  choose,
  make,
}: {
  day: string | undefined
  today: Day
  stored: readonly string[]
  choose: (day: string) => void
  make: Submit<string>
}) {
  const { t, format } = useTexts()
  const quick = [
    { name: 'yesterday', on: addDays(today, -1) },
    { name: 'month_end', on: monthBefore(today).to },
    { name: 'today', on: today },
  ] as const
  return (
    <div className={classes.choose}>
      <TextInput
        type="date"
        label={t('liability.day')}
        description={t('liability.day_hint')}
        max={today}
        value={day ?? ''}
        onChange={({ currentTarget: { value } }) => value !== '' && choose(value)}
      />
      {stored.length < 2 ? null : (
        <NativeSelect
          label={t('liability.stored')}
          value={stored.find((one) => one === day) ?? ''}
          onChange={({ currentTarget: { value } }) => value !== '' && choose(value)}
          data={[{ value: '', label: '–' }, ...stored.map((one) => ({ value: one, label: format.date(startOf(one)) }))]}
        />
      )}
      <Group gap="xs" role="group" aria-label={t('liability.quick')}>
        {quick.map(({ name, on }) => (
          <Button
            key={name}
            variant="default"
            aria-pressed={on === day}
            loading={make.pending && on === day}
            onClick={() => (stored.includes(on) && on !== today ? choose(on) : make.submit(on))}
          >
            {t(`liability.${name}`)}
          </Button>
        ))}
      </Group>
    </div>
  )
}
