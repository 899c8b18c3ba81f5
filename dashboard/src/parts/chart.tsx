import { Button, Skeleton, Table } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './chart.module.css'

export interface Series {
  readonly name: string
  readonly values: readonly number[]
  /** Of the tokens: the first line is the brand's. */
  readonly colour: 'accent' | 'note' | 'warn' | 'soft'
  readonly kind?: 'line' | 'bars'
}

export interface ChartData {
  /** The first instant of each day, in order. */
  readonly days: readonly string[]
  readonly series: readonly Series[]
}

/** Drawn by a package that is loaded when the first chart is shown. */
const Plot = lazy(() => import('./plot.tsx').then(({ Plot }) => ({ default: Plot })))

/**
 * Values over days: a drawing with a sentence that says what it shows, and the numbers as a table for whoever reads those
 * better, or has no eyes for a drawing.
 */
export function Chart({
  title,
  summary,
  data,
  write,
}: {
  title: string
  /** What the drawing shows, in a sentence: its direction and its highest point. */
  summary: ReactNode
  /** Undefined while it is loaded. */
  data: ChartData | undefined
  /** How a value is written; by default as a number. */
  write?: (value: number) => string
}) {
  const { t, format } = useTexts()
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  const say = write ?? format.number
  return (
    <figure className={classes.chart} aria-labelledby={id}>
      <figcaption className={classes.head}>
        <div>
          <h2 id={id} className={classes.title}>
            {title}
          </h2>
          <p className={classes.summary}>{summary}</p>
        </div>
        <Button variant="subtle" size="compact-sm" onClick={() => setAsTable(!asTable)}>
          {asTable ? t('common.as_chart') : t('common.as_table')}
        </Button>
      </figcaption>
      {data === undefined ? (
        <Skeleton height={240} />
      ) : asTable ? (
        <Numbers data={data} title={title} write={say} />
      ) : (
        <>
          <Legend series={data.series} />
          <div className={classes.plot} dir="ltr" aria-hidden="true">
            <Suspense fallback={<Skeleton height={240} />}>
              <Plot data={data} write={say} />
            </Suspense>
          </div>
        </>
      )}
    </figure>
  )
}

function Legend({ series }: { series: readonly Series[] }) {
  if (series.length < 2) return null
  return (
    <ul className={classes.legend}>
      {series.map(({ name, colour }) => (
        <li key={name} data-colour={colour}>
          {name}
        </li>
      ))}
    </ul>
  )
}

function Numbers({ data, title, write }: { data: ChartData; title: string; write: (value: number) => string }) {
  const { t, format } = useTexts()
  return (
    // The focus lets the keyboard scroll.
    <Table.ScrollContainer minWidth={280} maxHeight={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={title} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('common.day')}</Table.Th>
            {data.series.map(({ name }) => (
              <Table.Th key={name} ta="end">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.days.map((day, index) => (
            <Table.Tr key={day}>
              <Table.Th scope="row">{format.date(day)}</Table.Th>
              {data.series.map(({ name, values }) => (
                <Table.Td key={name} ta="end" className="figure">
                  {write(values[index] ?? 0)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
