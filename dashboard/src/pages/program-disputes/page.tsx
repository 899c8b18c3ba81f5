import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { merchantNameIn } from '../../app/names.ts'
import { useProgram } from '../../app/program.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Figure, Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { BackLink, merchantPath } from '../../parts/page-link.tsx'
import { usePaging } from '../../parts/paging.ts'
import { staysIfRefused } from '../../parts/refused-filters.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { type Texts, useTexts } from '../../texts/texts.tsx'

type Row = RowOf<'/programs/{programId}/disputes'>

/** The orders that settlements leave out, at all merchants. */
export function Page() {
  const texts = useTexts()
  const { t } = texts
  const { programId } = useProgram()
  const filters = useUrlFilters(['merchant'])
  const paging = usePaging()
  const query = useQuery({
    ...askForList('/programs/{programId}/disputes', {
      params: { path: { programId }, query: { ...filters.values, ...paging.query } },
    }),
    ...staysIfRefused,
  })
  return (
    <>
      <PageHeader
        title={t('settling.disputes')}
        lead={t('settling.disputes_lead')}
        above={<BackLink to="settlements">{t('settlements.name')}</BackLink>}
      />
      <FilterBar filters={[{ name: 'merchant', label: t('settlements.merchant'), kind: 'merchant' }]} of={filters} />
      <DataTable
        label={t('settling.disputes')}
        query={query}
        columns={columnsOf(texts)}
        rowKey={({ order_uuid }) => order_uuid}
        paging={paging}
        filters={filters}
        empty={
          <EmptyState icon="orders" title={t('settling.disputes_none')} lesson={t('settling.disputes_none_lesson')} />
        }
      />
    </>
  )
}

function columnsOf({ t, locale }: Texts): readonly Column<Row>[] {
  return [
    {
      name: 'order',
      header: t('settlements.order'),
      title: true,
      cell: ({ merchant_id, order_uuid, order_number }) => (
        <Anchor component={Link} to={merchantPath(String(merchant_id), `orders/${order_uuid}`)} underline="always">
          <bdi>{order_number}</bdi>
        </Anchor>
      ),
    },
    { name: 'merchant', header: t('settlements.merchant'), cell: (row) => <bdi>{merchantNameIn(row, locale)}</bdi> },
    {
      name: 'state',
      header: t('people.status'),
      wideOnly: true,
      cell: ({ order_status }) => <StatusBadge status={order_status} />,
    },
    {
      name: 'price',
      header: t('settling.price'),
      numeric: true,
      cell: ({ total_price }) => <Money sar={total_price} />,
    },
    {
      name: 'points',
      header: t('settlements.points'),
      numeric: true,
      wideOnly: true,
      cell: ({ total_points }) => <Figure value={total_points} />,
    },
    { name: 'since', header: t('settling.since'), cell: ({ since }) => <Time at={since} /> },
    { name: 'reason', header: t('settling.reason'), cell: ({ reason }) => <bdi>{reason ?? '—'}</bdi> },
  ]
}
