import { asHalalas } from '../../../../src/domain/money.ts'
import { parsePointsPerSar, pointsEarned } from '../../../../src/domain/points.ts'
import { Icon } from '../../parts/icon.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './example.module.css'

const sample_sar = 100

/** What the typed rate means, by the rule of the service itself. */
export function Example({ rate }: { rate: number }) {
  const { t, format } = useTexts()
  const parsed = parsePointsPerSar(rate)
  if (parsed === null) return null
  const count = pointsEarned(asHalalas(sample_sar * 100), parsed)
  return (
    <p className={classes.example} role="status">
      <Icon name="points" size={22} />
      <span>
        {t.rich('settings.example', {
          sar: <strong className="figure">{format.number(sample_sar)}</strong>,
          points: <strong className="figure">{t('common.points', { count, number: count })}</strong>,
        })}
      </span>
    </p>
  )
}
