import { Button, Skeleton, Table } from '@mantine/core'
import { Suspense, useState } from 'react'
import { later } from '../app/later.ts'
import { useTexts } from '../texts/texts.tsx'
import { Card } from './card.tsx'
import classes from './chart.module.css'
import { type Dated, dayText, type Series, type Unit } from './chart-figures.ts'

/** Charts are loaded when the first one is shown. */
const Chart = later(() => import('./chart.tsx'), 'Chart')

/**
 * Figures by day or month: a chart, or the numbers behind it. `drawn` is what the chart shows, if that is less. With `goes_on`
 * the last day has not ended.
 */
export function ChartCard<Name extends string>({
  title,
  days,
  drawn = days,
  note,
  series,
  unit = 'day',
  goes_on = false,
}: {
  title: string
  days: readonly Dated<Name>[] | undefined
  drawn?: readonly Dated<Name>[] | undefined
  note?: string | undefined
  series: readonly Series<Name>[]
  unit?: Unit
  goes_on?: boolean
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
      {days === undefined || drawn === undefined ? (
        waiting
      ) : asTable ? (
        <Numbers title={title} days={days} series={series} unit={unit} />
      ) : (
        <Suspense fallback={waiting}>
          {note === undefined ? null : <p className={classes.unit}>{note}</p>}
          <Chart title={title} days={drawn} series={series} unit={unit} goes_on={goes_on} />
        </Suspense>
      )}
    </Card>
  )
}

function Numbers<Name extends string>({
  title,
  days,
  series,
  unit,
}: {
  title: string
  days: readonly Dated<Name>[]
  series: readonly Series<Name>[]
  unit: Unit
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
            <Table.Th scope="col">{t(`common.${unit}`)}</Table.Th>
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
              <Table.Th scope="row">{dayText(format, unit, day.day)}</Table.Th>
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
