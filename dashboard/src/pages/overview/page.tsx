import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ask } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { DownloadButton } from '../../parts/download-button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Charts } from './charts.tsx'
import type { Overview } from './figures.ts'
import { FreshnessOfPeriod } from './freshness.tsx'
import { usePeriod } from './period.tsx'
import { Tiles } from './tiles.tsx'

/** What the merchant's points did in a period, against an earlier one. */
export function Page() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const { query, choiceAt } = usePeriod()
  const path = { merchantId }
  const { data } = useQuery({
    ...ask('/merchants/{merchantId}/overview', { params: { path, query } }),
    refetchInterval: ({ state }) => (state.data?.building === true ? 5_000 : 60_000),
  })
  return (
    <>
      <PageHeader
        title={t('overview.name')}
        lead={<FreshnessOfPeriod of={data} />}
        actions={<DownloadButton path={`/merchants/${merchantId}/overview.csv`} query={query} />}
      />
      <Stack gap="lg">
        {choiceAt(data?.today)}
        {data !== undefined && isUntouched(data) ? <Untouched building={data.building} /> : <Figures of={data} />}
      </Stack>
    </>
  )
}

function Figures({ of }: { of: Overview | undefined }) {
  return (
    <>
      <Tiles of={of} />
      <Charts of={of} />
    </>
  )
}

/** True before anything has happened at the merchant, in this period or any other. */
function isUntouched({ totals, totals_before, balance_points }: Overview): boolean {
  const sums = [totals, totals_before].flatMap((one) => [one.purchases, one.ratings, one.checkouts, one.refunds])
  return balance_points === 0 && sums.every((sum) => sum === 0)
}

function Untouched({ building }: { building: boolean }) {
  const { t } = useTexts()
  return (
    <EmptyState
      panel
      icon="chart"
      title={t(building ? 'overview.building' : 'overview.empty')}
      lesson={t('overview.empty_lesson')}
      action={<PageLink to="checklist">{t('overview.to_checklist')}</PageLink>}
    />
  )
}
