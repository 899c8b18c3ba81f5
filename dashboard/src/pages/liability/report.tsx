import { Alert, Button, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { ChartCard } from '../../parts/chart-card.tsx'
import { startOf } from '../../parts/chart-figures.ts'
import { Icon } from '../../parts/icon.tsx'
import { Figure, Money, Points } from '../../parts/money.tsx'
import { StatTile, StatTiles } from '../../parts/stat-tile.tsx'
import { Time } from '../../parts/time.tsx'
import type { Submit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './liability.module.css'
import type { Report } from './liability.ts'
import { AgeTable, MovementsTable } from './tables.tsx'

/** A complete report: what is owed, how it moved, and how old it is. */
export function ReportBody({ report, make }: { report: Report; make: Submit<string> }) {
  const { t } = useTexts()
  const months = useMemo(
    () =>
      report.months.map(({ month, ...one }) => ({ ...one, left_share: one.left_share ?? 0, day: `${month ?? ''}-01` })),
    [report],
  )
  return (
    <Stack gap="lg">
      <Standing report={report} make={make} />
      <Tiles report={report} />
      <ChartCard
        title={t('liability.by_month')}
        days={months}
        unit="month"
        series={[
          { name: 'issued_points', label: t('liability.issued') },
          { name: 'redeemed_points', label: t('liability.redeemed') },
        ]}
      />
      <ChartCard
        title={t('liability.outstanding_by_month')}
        days={months}
        unit="month"
        series={[{ name: 'outstanding_points', label: t('liability.at_end') }]}
      />
      <AgeTable report={report} />
      <MovementsTable report={report} />
    </Stack>
  )
}

/** Whether the numbers can be booked. */
function Standing({ report: { state, day, until, is_final }, make }: { report: Report; make: Submit<string> }) {
  const { t, format } = useTexts()
  const again = (
    <Button variant="default" size="compact-sm" onClick={() => make.submit(day)} loading={make.pending}>
      {t('liability.again')}
    </Button>
  )
  if (state === 'differs')
    return (
      <Alert color="red" variant="light" icon={<Icon name="alert" />} title={t('liability.differs')}>
        <Stack gap="sm" align="flex-start">
          {t('liability.differs_lesson')}
          {again}
        </Stack>
      </Alert>
    )
  if (is_final)
    return (
      <p className={classes.final}>
        <Icon name="check" size={18} />
        {t('liability.as_of', { day: format.date(startOf(day)) })}
      </p>
    )
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="clock" />}>
      <Stack gap="sm" align="flex-start">
        <span>{t.rich('liability.running', { time: <Time at={until} /> })}</span>
        {again}
      </Stack>
    </Alert>
  )
}

function Tiles({ report }: { report: Report }) {
  const { t } = useTexts()
  const count = report.wallets_below_zero
  return (
    <StatTiles>
      <StatTile
        label={t('liability.owed')}
        value={<Figure value={report.owed_points} />}
        hint={t('liability.owed_hint')}
      />
      <StatTile
        label={t('liability.value')}
        value={<Money sar={report.owed_value} />}
        hint={t.rich('liability.value_hint', {
          rate: (
            <bdi key="rate" dir="ltr">
              {report.sar_per_point}
            </bdi>
          ),
          recorded: <Money key="recorded" sar={report.owed_value_recorded} />,
        })}
      />
      <StatTile
        label={t('liability.outstanding')}
        value={<Figure value={report.outstanding_points} />}
        hint={t('liability.outstanding_hint')}
      />
      <StatTile
        label={t('liability.receivable')}
        value={<Figure value={report.receivable_points} />}
        hint={count === 0 ? t('liability.receivable_none') : t('liability.receivable_hint', { count, number: count })}
      />
      <StatTile
        label={t('liability.held')}
        value={<Figure value={report.held_points} />}
        hint={t('liability.held_hint')}
      />
      <Breakage of={report.breakage} />
    </StatTiles>
  )
}

function Breakage({ of: { age_months, until_month, left_points, left_share } }: { of: Report['breakage'] }) {
  const { t, format } = useTexts()
  const hint =
    until_month === null
      ? t('liability.breakage_none', { months: age_months })
      : t.rich('liability.breakage_hint', {
          month: format.month(startOf(`${until_month}-01`)),
          points: <Points key="points" count={left_points} />,
        })
  return (
    <StatTile
      label={t('liability.breakage')}
      value={<bdi>{left_share === null ? '–' : format.percent(left_share)}</bdi>}
      hint={hint}
    />
  )
}
