import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { useTexts } from '../texts/texts.tsx'
import type { ChartData, Series } from './chart.tsx'
import classes from './plot.module.css'

const height = 240

/** The drawing of a chart. Time runs from left to right in both languages, as Arabic newspapers print it too. */
export function Plot({ data, write }: { data: ChartData; write: (value: number) => string }) {
  const { format, locale } = useTexts()
  const place = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  const scheme = useComputedColorScheme()
  useEffect(() => {
    const target = place.current
    if (target === null) return
    const days = data.days.map((day) => new Date(day).getTime() / 1000)
    const options = optionsFor(data.series, {
      width: target.clientWidth,
      day: format.day,
      short: format.short,
      onMove: setAt,
    })
    const plot = new uPlot(options, [days, ...data.series.map(({ values }) => [...values])], target)
    const observer = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height }))
    observer.observe(target)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [data, format, scheme])
  const day = at === null ? undefined : data.days[at]
  return (
    <div ref={place} className={classes.plot}>
      {at === null || day === undefined ? null : (
        <div className={classes.tip} dir={locale === 'ar' ? 'rtl' : 'ltr'}>
          <span>{format.date(day)}</span>
          {data.series.map(({ name, values, colour }) => (
            <span key={name} data-colour={colour}>
              {name}: <b className="figure">{write(values[at] ?? 0)}</b>
            </span>
          ))}
        </div>
      )}
    </div>
  )
}

interface Look {
  readonly width: number
  readonly day: (at: Date) => string
  readonly short: (value: number) => string
  readonly onMove: (index: number | null) => void
}

function optionsFor(series: readonly Series[], { width, day, short, onMove }: Look): uPlot.Options {
  const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
  const axis = { stroke: token('soft'), font: '12px Plex, sans-serif', ticks: { show: false } }
  const grid = { stroke: token('line'), width: 1 }
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { x: { time: true }, y: { range: (_plot, _low, high) => [0, Math.max(high * 1.08, 1)] } },
    hooks: { setCursor: [({ cursor }) => onMove(cursor.idx ?? null)] },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 70,
        values: (_plot, splits) => splits.map((at) => day(new Date(at * 1000))),
      },
      { ...axis, grid, size: 52, values: (_plot, splits) => splits.map(short) },
    ],
    series: [
      {},
      ...series.map(({ name, colour, kind = 'line' }) => ({
        label: name,
        stroke: token(colour),
        width: 2,
        points: { show: false },
        fill: `color-mix(in srgb, ${token(colour)} ${kind === 'bars' ? 70 : 9}%, transparent)`,
        ...(kind === 'bars' && uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.7, 32], radius: 0.15 }) } : {}),
      })),
    ],
  }
}
