import { Money } from '../../parts/money.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './due.module.css'

/** An amount due, with who owes it: a sign would leave that open. */
export function Due({ sar, of }: { sar: number; of: 'merchant' | 'program' | 'all' }) {
  const { t } = useTexts()
  if (sar === 0) return <Money sar={0} />
  return (
    <span className={classes.due}>
      <Money sar={Math.abs(sar)} />
      <span className={classes.side}>{t(sar > 0 ? `settlements.owed_${of}` : `settlements.owing_${of}`)}</span>
    </span>
  )
}
