import { Progress } from '@mantine/core'
import { Card } from '../../parts/card.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './messages.module.css'
import type { Messages } from './messages.ts'

const parts = ['all', 'strangers', 'invitations'] as const

/** How much of the hour's messages is used, and of the parts that have a limit of their own. */
export function Budget({ of: { budget } }: { of: Messages }) {
  const { t, format } = useTexts()
  return (
    <Card title={t('messages.budget')} lead={t('messages.budget_lead')}>
      <div className={classes.budget}>
        {parts.map((part) => {
          const { used, most } = budget[part]
          const share = most === 0 ? 1 : used / most
          return (
            <div key={part} className={classes.part}>
              <span>{t(`messages.budget_${part}`)}</span>
              <strong>
                {t('messages.left', { count: most - used, number: format.number(Math.max(0, most - used)) })}
              </strong>
              <Progress
                value={Math.min(100, share * 100)}
                color={share >= 0.9 ? 'red' : share >= 0.5 ? 'yellow' : 'brand'}
                aria-label={t(`messages.budget_${part}`)}
              />
              <span className={classes.soft}>
                {t('messages.used', { used: format.number(used), most: format.number(most) })}
              </span>
            </div>
          )
        })}
      </div>
    </Card>
  )
}
