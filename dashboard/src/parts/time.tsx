import { Tooltip } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'

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
