import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { askForList } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { useProgram } from '../../app/program.ts'
import { DownloadButton } from '../../parts/download-button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageButton } from '../../parts/page-link.tsx'
import { usePaging } from '../../parts/paging.ts'
import { staysIfRefused } from '../../parts/refused-filters.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import { SettlementList } from '../settlements/list.tsx'
import { OpenPeriod } from './open-period.tsx'

const WebhookCard = later(() => import('./webhook-card.tsx'), 'WebhookCard')

/** The open period of all merchants, what is settled, and the webhook that receives it. */
export function Page() {
  const { t } = useTexts()
  const { programId } = useProgram()
  const filters = useUrlFilters(['merchant'])
  const paging = usePaging()
  const query = useQuery({
    ...askForList('/programs/{programId}/settlements', {
      params: { path: { programId }, query: { ...filters.values, ...paging.query } },
    }),
    ...staysIfRefused,
  })
  return (
    <>
      <PageHeader
        title={t('settlements.name')}
        lead={t('settlements.program_lead')}
        actions={
          <>
            <DownloadButton path={`/programs/${programId}/settlements.csv`} query={filters.values} />
            <PageButton to="disputes" variant="default">
              {t('settling.to_disputes')}
            </PageButton>
          </>
        }
      />
      <Stack gap="lg">
        <OpenPeriod programId={programId} />
        <div>
          <FilterBar
            filters={[{ name: 'merchant', label: t('settlements.merchant'), kind: 'merchant' }]}
            of={filters}
          />
          <SettlementList query={query} paging={paging} filters={filters} named />
        </div>
        <Suspense fallback={<Skeleton height={320} />}>
          <WebhookCard programId={programId} />
        </Suspense>
      </Stack>
    </>
  )
}
