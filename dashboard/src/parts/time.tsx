import { Tooltip } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'
import { beginsDay, lastMomentBefore } from './whole-days.ts'

/** An instant in Riyadh; the exact one, with the name of the zone, is shown on hover and focus. */
export function Time({ at, style = 'moment' }: { at: string; style?: 'moment' | 'date' | 'ago' }) {
  const { format } = useTexts()
  const shown = style === 'ago' ? format.ago(at, new Date()) : format[style](at)
  return (
    <Tooltip label={<bdi>{format.exact(at)}</bdi>} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at} className="time">
        {shown}
      </time>
    </Tooltip>
  )
}

/** The end of a time, which is not part of it: of whole days the last one, as people say it. */
export function EndTime({ at }: { at: string }) {
  return beginsDay(at) ? <Time at={lastMomentBefore(at)} style="date" /> : <Time at={at} />
}
