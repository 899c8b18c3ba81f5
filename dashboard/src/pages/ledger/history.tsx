import { Card } from '../../parts/card.tsx'
import { Figure } from '../../parts/money.tsx'
import { Badge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './ledger.module.css'
import type { Run } from './run.ts'

/** The runs before the last one. */
export function History({ runs }: { runs: readonly Run[] }) {
  const { t } = useTexts()
  return (
    <Card title={t('ledger.history')}>
      <ul className={classes.history}>
        {runs.map((run) => (
          <li key={run.run_uuid}>
            <Time at={run.asked_at} />
            <Outcome run={run} />
            <span>
              {t('ledger.entries_checked')}: <Figure value={run.entries} />
            </span>
            <bdi className={classes.by}>{run.asked_by}</bdi>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Outcome({ run: { state, differences } }: { run: Run }) {
  const { t } = useTexts()
  if (state !== 'done') return <Badge tone={state === 'failed' ? 'bad' : 'quiet'}>{t(`ledger.state_${state}`)}</Badge>
  if (differences === 0) return <Badge tone="good">{t('ledger.no_differences')}</Badge>
  const count = differences ?? 0
  return <Badge tone="bad">{t('ledger.differences', { count, number: count })}</Badge>
}
