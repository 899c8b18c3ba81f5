import { useTexts } from '../texts/texts.tsx'
import classes from './money.module.css'

/** An amount in SAR, left to right in both languages. The central bank requires the symbol before the number. */
export function Money({ sar, signed = false }: { sar: number; signed?: boolean }) {
  const { t, format } = useTexts()
  const sign = sar < 0 ? '−' : signed && sar > 0 ? '+' : ''
  return (
    <span className={classes.money} dir="ltr">
      {sign === '' ? null : <span className={classes.sign}>{sign}</span>}
      <svg className={classes.riyal} role="img" aria-label={t('common.riyal')} viewBox="0 0 20 20" focusable="false">
        <path d="M7.2 2.1 9.9 0v10.2l2.2-.4V3.2l2.6-2.1v8.1L20 8.1l-.6 2.7-4.7 1v1.1l5.3-1.1-.6 2.7-7.3 1.6v-3.7l-2.2.4v2.5c0 .3-.1.5-.3.7l-.8.7c-.3.2-.6.4-.9.5L0 18.6l.6-2.7 6.6-1.4v-1.1L.6 14.8l.6-2.7 6-1.3zM12.7 17l7.3-1.5-.6 2.7-7.3 1.6z" />
      </svg>
      <span>{format.sar(Math.abs(sar))}</span>
    </span>
  )
}

/** A number of points with its word; the plural form follows the language. */
export function Points({ count, signed = false }: { count: number; signed?: boolean }) {
  const { t, format } = useTexts()
  const sign = count < 0 ? '−' : signed && count > 0 ? '+' : ''
  const number = (
    <bdi dir="ltr" className="figure">
      {sign}
      {format.number(Math.abs(count))}
    </bdi>
  )
  // Arabic says one and two by the word alone, where a sign would have nothing to stand before.
  if (sign !== '')
    return (
      <span>
        {number} {t('common.points_word', { count: Math.abs(count) })}
      </span>
    )
  return <span>{t.rich('common.points', { count, number })}</span>
}

/** The number alone, under a heading that says what it counts. */
export function Figure({ value, signed = false }: { value: number; signed?: boolean }) {
  const { format } = useTexts()
  const sign = value < 0 ? '−' : signed && value > 0 ? '+' : ''
  return (
    <bdi dir="ltr" className="figure">
      {sign}
      {format.number(Math.abs(value))}
    </bdi>
  )
}
