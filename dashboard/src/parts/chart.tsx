import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTexts } from '../texts/texts.tsx'
import classes from './chart.module.css'
import { type Dated, dayText, inOrder, labelled, type Series, startOf, type Unit } from './chart-figures.ts'
import legend from './legend.module.css'

/** The colours of the first and second line, and how each is dashed, for those who see no colours. */
const strokes = [
  { colour: '--accent', dash: [] },
  { colour: '--warn', dash: [6, 4] },
] as const
/** How the way to a day that has not ended is dashed: it may still become as high as the others. */
const unended = [2, 4]
const height = 256
/** Room for the labels of values, before the lines, and for half of the last day's label, behind them. */
const [size_y, padding_end] = [64, 36]
const label_width = 72

interface Part {
  readonly from: number
  readonly to: number
  readonly dash?: readonly number[]
}

/** The parts of each line: a last day that goes on has its own, from the day before. */
function partsOf(end: number, goes_on: boolean): readonly Part[] {
  const last = { from: end - 1, to: end, dash: unended }
  return goes_on ? [{ from: 0, to: end - 1 }, last] : [{ from: 0, to: end }]
}

/** Lines over days or months. Time runs from left to right in both languages, as in every chart. */
export function Chart({
  title,
  days,
  series,
  unit,
  goes_on,
}: {
  title: string
  days: readonly Dated[]
  series: readonly Series[]
  unit: Unit
  goes_on: boolean
}) {
  const { format, dir } = useTexts()
  const scheme = useComputedColorScheme()
  const place = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    element.dataset['scheme'] = scheme // the colours below follow it
    const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim()
    const font = `12px ${getComputedStyle(element).fontFamily}`
    const labelOf = (s: number) => inOrder(dir, format[unit === 'month' ? 'month' : 'day'](new Date(s * 1000)))
    const axis = { stroke: colour('--soft'), font, ticks: { show: false } }
    const parts = partsOf(days.length - 1, goes_on)
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
        padding: [null, padding_end, null, null],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
        hooks: { setCursor: [({ cursor }) => setAt(cursor.idx ?? null)] },
        scales: { y: { range: (_plot, least, most) => [Math.min(0, least) * 1.08, Math.max(1, most) * 1.08] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 32,
            splits: ({ data: [starts], width }) => labelled([...starts], width - size_y - padding_end, label_width),
            values: (_plot, all) => all.map((s) => labelOf(s)),
          },
          {
            ...{ ...axis, size: size_y, space: 48 },
            grid: { stroke: colour('--line'), width: 1 },
            values: (_plot, all) => all.map((value) => inOrder(dir, format.short(value))),
          },
        ],
        series: [
          {},
          ...series.flatMap(({ label }, index) => {
            const stroke = colour(strokes[index]?.colour ?? '--accent')
            const fill = index === 0 ? { fill: `color-mix(in srgb, ${stroke} 10%, transparent)` } : {}
            const line = { label, stroke, width: 2, points: { show: false }, ...fill }
            return parts.map(({ dash = strokes[index]?.dash ?? [] }) => ({ ...line, dash: [...dash] }))
          }),
        ],
      },
      [
        days.map(({ day }) => startOf(day).getTime() / 1000),
        ...series.flatMap(({ name }) =>
          parts.map(({ from, to }) => days.map((day, at) => (at < from || at > to ? null : (day[name] ?? 0)))),
        ),
      ],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [days, series, unit, goes_on, scheme, format, dir])
  return (
    <>
      <Legend day={at === null ? undefined : days[at]} series={series} unit={unit} />
      <div ref={place} className={classes.chart} dir="ltr" role="img" aria-label={title} />
    </>
  )
}

/** Names the lines, with their values on the day under the pointer. */
function Legend({ day, series, unit }: { day: Dated | undefined; series: readonly Series[]; unit: Unit }) {
  const { format } = useTexts()
  return (
    <ul className={`${legend.legend} ${classes.lines}`}>
      {series.map(({ name, label, money }, index) => (
        <li key={name}>
          <svg width="22" height="4" aria-hidden="true" focusable="false">
            <line
              x2="22"
              y1="2"
              y2="2"
              stroke={`var(${strokes[index]?.colour ?? '--accent'})`}
              strokeWidth="3"
              strokeDasharray={strokes[index]?.dash.join(' ')}
            />
          </svg>
          {label}
          {day === undefined ? null : (
            <strong>
              <bdi dir="ltr">{money === true ? format.sar(day[name] ?? 0) : format.number(day[name] ?? 0)}</bdi>
            </strong>
          )}
        </li>
      ))}
      {day === undefined ? null : <li>{dayText(format, unit, day.day)}</li>}
    </ul>
  )
}
