import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Figure } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { usePaging } from '../../parts/paging.ts'
import { Time } from '../../parts/time.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Translate } from '../../texts/translate.ts'
import { CustomerStatus } from './status.tsx'

type Row = RowOf<'/merchants/{merchantId}/customers'>

/** As the service does. */
const most_looked_at = 5_000

export function Page() {
  const { t, format } = useTexts()
  const { merchantId } = useMerchant()
  const filters = useUrlFilters(['q'] as const, { unlisted: () => true })
  const paging = usePaging()
  const query = useQuery(
    askForList('/merchants/{merchantId}/customers', {
      params: { path: { merchantId }, query: { ...filters.values, ...paging.query } },
    }),
  )
  return (
    <>
      <PageHeader
        title={t('customers.name')}
        lead={t('customers.lead', { most: format.number(most_looked_at) })}
        actions={<DownloadButton path={`/merchants/${merchantId}/customers.csv`} />}
      />
      <FilterBar
        filters={[{ name: 'q', label: t('customers.search'), kind: 'search', placeholder: t('customers.search_hint') }]}
        of={filters}
      />
      <DataTable
        label={t('customers.name')}
        query={query}
        columns={columnsOf(t)}
        rowKey={({ customer_id }) => customer_id}
        rowTo={({ customer_id }) => `customers/${customer_id}`}
        paging={paging}
        filters={filters}
        empty={<EmptyState icon="customers" title={t('customers.empty')} lesson={t('customers.empty_lesson')} />}
      />
    </>
  )
}

function columnsOf(t: Translate): readonly Column<Row>[] {
  return [
    {
      name: 'name',
      header: t('customers.customer_name'),
      title: true,
      cell: ({ name }) => (name === null ? t('customers.unnamed') : <bdi>{name}</bdi>),
    },
    {
      name: 'phone',
      header: t('customers.phone'),
      cell: ({ phone, phone_masked }) => <bdi dir="ltr">{phone ?? phone_masked ?? '—'}</bdi>,
    },
    { name: 'status', header: t('customers.status'), cell: ({ status }) => <CustomerStatus status={status} /> },
    {
      name: 'available',
      header: t('customers.available'),
      numeric: true,
      cell: ({ available }) => <Figure value={available} />,
    },
    {
      name: 'held',
      header: t('customers.held'),
      numeric: true,
      wideOnly: true,
      cell: ({ held }) => <Figure value={held} />,
    },
    {
      name: 'orders',
      header: t('customers.orders'),
      numeric: true,
      cell: ({ visits }) => (visits === null ? '—' : <Figure value={visits.orders} />),
    },
    {
      name: 'last',
      header: t('customers.last'),
      cell: ({ visits }) => (visits === null ? '—' : <Time at={visits.last_at} style="date" />),
    },
    {
      name: 'since',
      wideOnly: true,
      header: t('customers.since'),
      cell: ({ created_at }) => <Time at={created_at} style="date" />,
    },
  ]
}
