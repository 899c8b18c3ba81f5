import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Figure, Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageButton } from '../../parts/page-link.tsx'
import { usePaging } from '../../parts/paging.ts'
import { staysIfRefused } from '../../parts/refused-filters.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { UnlistedDownload } from '../../parts/unlisted-download.tsx'
import { mayBePhone, useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Translate } from '../../texts/translate.ts'
import { type OrderState, orderStates, stateText } from './states.ts'

type Row = RowOf<'/merchants/{merchantId}/orders'>

const names = ['q', 'status', 'type', 'from', 'to'] as const

/** A value of the URL that is one of those that the service knows; a link may be wrong. */
function oneOf<Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined {
  return values.find((value) => value === text)
}

/** Browsers list URLs and downloads, also on a computer that a shop's people share. */
const isUnlisted = (q: string | undefined): boolean => q !== undefined && mayBePhone(q)

export function Page() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const filters = useUrlFilters(names, { unlisted: (value, name) => name === 'q' && isUnlisted(value) })
  const paging = usePaging()
  const { status, type, ...rest } = filters.values
  const asked = {
    ...rest,
    ...maybe('status', oneOf<OrderState>(orderStates, status)),
    ...maybe('type', oneOf(['1', '2'] as const, type)),
  }
  const query = useQuery({
    ...askForList('/merchants/{merchantId}/orders', {
      params: { path: { merchantId }, query: { ...asked, ...paging.query } },
    }),
    ...staysIfRefused,
  })
  const Download = isUnlisted(asked.q) ? UnlistedDownload : DownloadButton
  return (
    <>
      <PageHeader
        title={t('orders.name')}
        lead={t('orders.lead')}
        actions={<Download path={`/merchants/${merchantId}/orders.csv`} query={asked} />}
      />
      <FilterBar filters={fieldsOf(t)} of={filters} />
      <Unsearched until={query.data?.beside['searched_until']} />
      <DataTable
        label={t('orders.name')}
        query={query}
        columns={columnsOf(t)}
        rowKey={({ uuid }) => uuid}
        rowTo={({ uuid }) => `orders/${uuid}`}
        paging={paging}
        filters={filters}
        empty={
          <EmptyState
            icon="orders"
            title={t('orders.empty')}
            lesson={t('orders.empty_lesson')}
            action={<PageButton to="checklist">{t('orders.empty_action')}</PageButton>}
          />
        }
      />
    </>
  )
}

function maybe<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value }
}

/** Says that a list is not complete. */
function Unsearched({ until }: { until: unknown }) {
  const { t } = useTexts()
  if (typeof until !== 'string') return null
  return (
    <Alert variant="light" icon={<Icon name="clock" />} mb="md">
      {t.rich('orders.searched_until', { date: <Time at={until} style="date" /> })}
    </Alert>
  )
}

function fieldsOf(t: Translate) {
  return [
    { name: 'q', label: t('orders.search'), kind: 'search', placeholder: t('orders.search_hint') },
    {
      name: 'status',
      label: t('orders.status'),
      kind: 'choice',
      options: orderStates.map((value) => ({ value, label: stateText(t, value) })),
    },
    {
      name: 'type',
      label: t('orders.type'),
      kind: 'choice',
      options: [
        { value: '1', label: t('orders.type_earning') },
        { value: '2', label: t('orders.type_replacing') },
      ],
    },
    { name: 'from', label: t('orders.from'), kind: 'date' },
    { name: 'to', label: t('orders.to'), kind: 'date' },
  ] as const
}

function columnsOf(t: Translate): readonly Column<Row>[] {
  return [
    { name: 'number', header: t('orders.number'), title: true, cell: ({ order_number }) => <bdi>{order_number}</bdi> },
    { name: 'state', header: t('orders.status'), cell: ({ order_status }) => <StatusBadge status={order_status} /> },
    { name: 'kind', header: t('orders.type'), wideOnly: true, cell: ({ source }) => t(`orders.source_${source}`) },
    { name: 'customer', header: t('orders.customer'), cell: ({ customer }) => <Person customer={customer} /> },
    {
      name: 'total',
      header: t('orders.total'),
      numeric: true,
      cell: ({ total_price }) => <Money sar={total_price} />,
    },
    {
      name: 'points',
      header: t('orders.points'),
      numeric: true,
      cell: ({ type, total_points }) => <Figure value={type === 2 ? -total_points : total_points} signed />,
    },
    { name: 'created', header: t('orders.created'), cell: ({ created_at }) => <Time at={created_at} /> },
    {
      name: 'reference',
      header: t('orders.reference'),
      wideOnly: true,
      cell: ({ reference_number }) => (
        <code dir="ltr" className="figure">
          {reference_number}
        </code>
      ),
    },
  ]
}

function Person({ customer }: { customer: Row['customer'] }) {
  const { t } = useTexts()
  if (customer === null) return <span className="dimmed">{t('orders.nobody')}</span>
  return <bdi>{customer.name ?? customer.phone ?? customer.phone_masked ?? '—'}</bdi>
}
