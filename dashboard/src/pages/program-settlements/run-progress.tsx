import { Progress } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import classes from './open-period.module.css'
import type { Run } from './run.ts'

const steps = { closing: 'settling.closing', 'adding up': 'settling.adding_up', settling: 'settling.settling' } as const

/** How far a preview or a close is, merchant by merchant. */
export function RunProgress({ run: { kind, state, step, done, of, asked_by, proposed_by } }: { run: Run }) {
  const { t } = useTexts()
  const known = state === 'running' && step !== null && of > 0
  const who = proposed_by ?? asked_by
  return (
    <div className={classes.run}>
      <Progress
        value={known ? (done / of) * 100 : 100}
        striped={!known}
        animated={!known}
        size="lg"
        aria-label={t(kind === 'preview' ? 'settling.preview' : 'settling.close')}
      />
      <p className={classes.line} role="status">
        <span>
          {t(kind === 'preview' ? 'settling.preview' : 'settling.close')}
          {': '}
          {known ? t(steps[step], { done, of }) : t('settling.waiting')}
        </span>
        <bdi>{who}</bdi>
      </p>
    </div>
  )
}
