import { Card } from '../../parts/card.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { ProgramOverview } from './overview.ts'
import classes from './waiting.module.css'

/** What an operator should look at, each with the way there; nothing while nothing waits. */
export function Waiting({ of }: { of: ProgramOverview | undefined }) {
  const { t } = useTexts()
  if (of === undefined) return null
  const stages = (['unverified', 'unpublished', 'suspended'] as const).map((stage) => ({
    ...{ name: stage, to: 'merchants', search: { stage }, count: of.merchants[stage] },
  }))
  const rows = [
    { name: 'proposals', to: 'proposals', search: { state: 'open' }, count: of.open_proposals } as const,
    { name: 'findings', to: 'findings', search: {}, count: of.open_findings } as const,
    ...stages,
  ].filter(({ count }) => count > 0)
  if (rows.length === 0) return null
  return (
    <Card title={t('program.waiting')}>
      <ul className={classes.list}>
        {rows.map(({ name, to, search, count }) => (
          <li key={name}>
            <PageLink to={to} search={search}>
              {t(`program.waiting_${name}`, { count })}
            </PageLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}
