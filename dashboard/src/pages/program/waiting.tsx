import { Card } from '../../parts/card.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { ProgramOverview } from './overview.ts'
import classes from './waiting.module.css'

/** What an operator should look at, each with the way there; nothing while nothing waits. */
export function Waiting({ of }: { of: ProgramOverview | undefined }) {
  const { t } = useTexts()
  if (of === undefined) return null
  const rows = (['unverified', 'unpublished', 'suspended'] as const)
    .map((stage) => ({ stage, count: of.merchants[stage] }))
    .filter(({ count }) => count > 0)
  if (rows.length === 0) return null
  return (
    <Card title={t('program.waiting')}>
      <ul className={classes.list}>
        {rows.map(({ stage, count }) => (
          <li key={stage}>
            <PageLink to="merchants" search={{ stage }}>
              {t(`program.waiting_${stage}`, { count })}
            </PageLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}
