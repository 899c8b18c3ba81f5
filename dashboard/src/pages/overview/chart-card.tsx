import { Button, Skeleton, Table } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Card } from '../../parts/card.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './chart.module.css'
import { type DayOfOverview, type FigureName, isByWeek, startOf, weeksOf } from './figures.ts'

export interface Series {
  readonly name: FigureName
  readonly label: string
  readonly money?: boolean
}

/** Charts are loaded when the first one is shown. */
const Chart = lazy(() => import('./chart.tsx').then((module) => ({ default: module.Chart })))

/** Figures by day: a chart, by week in a long period, or the numbers behind it. */
export function ChartCard({
  title,
  days,
  series,
}: {
  title: string
  days: readonly DayOfOverview[] | undefined
  series: readonly Series[]
}) {
  const { t } = useTexts()
  const [asTable, setAsTable] = useState(false)
  const waiting = <Skeleton className={classes.chart} />
  return (
    <Card
      title={title}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={() => setAsTable(!asTable)}>
          {t(asTable ? 'common.as_chart' : 'common.as_table')}
        </Button>
      }
    >
      {days === undefined ? (
        waiting
      ) : asTable ? (
        <Numbers title={title} days={days} series={series} />
      ) : (
        <Suspense fallback={waiting}>
          {isByWeek(days) ? <p className={classes.unit}>{t('overview.by_week')}</p> : null}
          <Chart title={title} days={isByWeek(days) ? weeksOf(days) : days} series={series} />
        </Suspense>
      )}
    </Card>
  )
}

function Numbers({
  title,
  days,
  series,
}: {
  title: string
  days: readonly DayOfOverview[]
  series: readonly Series[]
}) {
  const { t, format } = useTexts()
  return (
    // The focus lets the keyboard scroll.
    <Table.ScrollContainer
      minWidth={280}
      maxHeight={320}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      className={classes.numbers}
    >
      <Table stickyHeader aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('common.day')}</Table.Th>
            {series.map(({ name, label }) => (
              <Table.Th key={name} scope="col" className={classes.number}>
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...days].reverse().map((day) => (
            <Table.Tr key={day.day}>
              <Table.Th scope="row">{format.date(startOf(day.day))}</Table.Th>
              {series.map(({ name, money }) => (
                <Table.Td key={name} className={classes.number}>
                  <bdi dir="ltr">{money === true ? format.sar(day[name]) : format.number(day[name])}</bdi>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
