import { Button, Table } from '@mantine/core'
import { useState } from 'react'
import { riyadh_ms } from '../../../../src/domain/day.ts'
import { day_ms, hour_ms } from '../../../../src/domain/spans.ts'
import { Card } from '../../parts/card.tsx'
import legend from '../../parts/legend.module.css'
import { useTexts } from '../../texts/texts.tsx'
import classes from './messages.module.css'
import type { Messages } from './messages.ts'

type Spans = Messages['hours']
const kinds = ['code', 'invitation', 'mail'] as const

interface Bar {
  readonly at: number
  readonly counts: readonly number[]
  readonly failed: number
  readonly total: number
}

/** Every hour of a day, or every day of thirty, also those without a message. */
function barsOf(span: 'hour' | 'day', now: string, spans: Spans): Bar[] {
  const [step, number, shift] = span === 'hour' ? [hour_ms, 24, 0] : [day_ms, 30, riyadh_ms]
  const last = Math.floor((Date.parse(now) + shift) / step) * step - shift
  return Array.from({ length: number }, (_, index) => {
    const at = last - (number - 1 - index) * step
    const own = spans.filter((one) => Date.parse(one.at) === at)
    const sum = (of: Spans) => of.reduce((all, { sent, unknown }) => all + sent + unknown, 0)
    const counts = kinds.map((kind) => sum(own.filter((one) => one.kind === kind)))
    const failed = own.reduce((all, one) => all + one.failed, 0)
    return { at, counts, failed, total: counts.reduce((all, one) => all + one, 0) }
  })
}

/** Messages by hour or by day: bars, or the numbers behind them. */
export function BarCard({ title, span, at, spans }: { title: string; span: 'hour' | 'day'; at: string; spans: Spans }) {
  const { t, format } = useTexts()
  const [asTable, setAsTable] = useState(false)
  const bars = barsOf(span, at, spans)
  const total = bars.reduce((sum, bar) => sum + bar.total, 0)
  return (
    <Card
      title={title}
      lead={t('messages.total', { count: total, number: format.number(total) })}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={() => setAsTable(!asTable)}>
          {t(asTable ? 'common.as_chart' : 'common.as_table')}
        </Button>
      }
    >
      {asTable ? <Numbers title={title} span={span} bars={bars} /> : <Bars title={title} span={span} bars={bars} />}
    </Card>
  )
}

interface Shown {
  readonly title: string
  readonly span: 'hour' | 'day'
  readonly bars: readonly Bar[]
}

/** Time runs from left to right in both languages, as in every chart. */
function Bars({ title, span, bars }: Shown) {
  const { t } = useTexts()
  const name = useName(span)
  const most = Math.max(1, ...bars.map(({ total, failed }) => total + failed))
  const [first, last] = [bars[0], bars.at(-1)]
  return (
    <>
      <ul className={`${legend.legend} ${classes.kinds}`}>
        {kinds.map((kind) => (
          <li key={kind} data-kind={kind}>
            {t(`messages.kind_${kind}`)}
          </li>
        ))}
        <li data-kind="failed">{t('messages.failed')}</li>
      </ul>
      <div className={classes.bars} dir="ltr" role="img" aria-label={title}>
        {bars.map(({ at, counts, failed, total }) => (
          <div key={at} className={classes.bar} title={`${name(at)}: ${total}`}>
            {[...kinds, 'failed'].map((kind, index) => (
              <span key={kind} data-kind={kind} style={{ blockSize: `${((counts[index] ?? failed) / most) * 100}%` }} />
            ))}
          </div>
        ))}
      </div>
      <div className={classes.ends} dir="ltr">
        <bdi>{first === undefined ? '' : name(first.at)}</bdi>
        <bdi>{last === undefined ? '' : name(last.at)}</bdi>
      </div>
    </>
  )
}

/** The name of an hour or a day. */
function useName(span: 'hour' | 'day'): (at: number) => string {
  const { format } = useTexts()
  return (at) => format[span === 'hour' ? 'moment' : 'day'](new Date(at))
}

function Numbers({ title, span, bars }: Shown) {
  const { t, format } = useTexts()
  const name = useName(span)
  return (
    // The focus lets the keyboard scroll.
    <Table.ScrollContainer minWidth={320} maxHeight={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table stickyHeader aria-label={title} className={classes.numbers}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t(`messages.${span}`)}</Table.Th>
            {kinds.map((kind) => (
              <Table.Th key={kind} scope="col">
                {t(`messages.kind_${kind}`)}
              </Table.Th>
            ))}
            <Table.Th scope="col">{t('messages.failed')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...bars].reverse().map(({ at, counts, failed }) => (
            <Table.Tr key={at}>
              <Table.Th scope="row">{name(at)}</Table.Th>
              {[...counts, failed].map((count, index) => (
                <Table.Td key={kinds[index] ?? 'failed'}>
                  <bdi dir="ltr">{format.number(count)}</bdi>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
