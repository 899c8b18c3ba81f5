import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '../../api/client.ts'
import { ask, askForList } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { BackLink, PageButton } from '../../parts/page-link.tsx'
import { usePaging } from '../../parts/paging.ts'
import { Time } from '../../parts/time.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { OrNone } from '../../parts/value.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EventName } from './event-name.tsx'
import { Outcome } from './outcome.tsx'

const path = '/merchants/{merchantId}/deliveries'
type Delivery = RowOf<typeof path>

const states = ['due', 'delivered', 'failed'] as const

/** What was sent to webhooks, and what came of it. */
export function Page() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const filters = useUrlFilters(['webhook', 'state'])
  const paging = usePaging()
  const webhooks = useQuery(ask('/merchants/{merchantId}/webhooks', { params: { path: { merchantId } } }))
  const { webhook, state } = filters.values
  const list = useQuery(
    askForList(path, {
      params: {
        path: { merchantId },
        query: {
          ...paging.query,
          ...(webhook === undefined ? {} : { webhook }),
          ...(isState(state) ? { state } : {}),
        },
      },
    }),
  )
  const columns: readonly Column<Delivery>[] = [
    { name: 'event', header: t('deliveries.event'), title: true, cell: ({ event }) => <EventName name={event} /> },
    { name: 'state', header: t('deliveries.state'), cell: (delivery) => <Outcome {...delivery} /> },
    {
      name: 'webhook',
      header: t('webhooks.one'),
      cell: ({ webhook_name }) => <OrNone>{webhook_name === null ? null : <bdi>{webhook_name}</bdi>}</OrNone>,
    },
    {
      name: 'attempts',
      header: t('deliveries.attempts'),
      numeric: true,
      wideOnly: true,
      cell: ({ attempts }) => <span className="figure">{attempts}</span>,
    },
    { name: 'at', header: t('deliveries.at'), cell: ({ created_at }) => <Time at={created_at} /> },
  ]
  const choices = (webhooks.data ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))
  return (
    <>
      <PageHeader
        title={t('deliveries.name')}
        lead={t('deliveries.lead')}
        above={<BackLink to="webhooks">{t('webhooks.name')}</BackLink>}
      />
      <FilterBar
        of={filters}
        filters={[
          { name: 'webhook', label: t('webhooks.one'), kind: 'choice', options: choices },
          {
            name: 'state',
            label: t('deliveries.state'),
            kind: 'choice',
            options: states.map((value) => ({ value, label: t(`deliveries.state_${value}`) })),
          },
        ]}
      />
      <DataTable
        label={t('deliveries.name')}
        query={list}
        columns={columns}
        rowKey={({ delivery_id }) => delivery_id}
        rowTo={({ delivery_id }) => `deliveries/${delivery_id}`}
        paging={paging}
        filters={filters}
        empty={
          <EmptyState
            icon="deliveries"
            title={t('deliveries.empty')}
            lesson={t('deliveries.empty_lesson')}
            action={<PageButton to="webhooks">{t('webhooks.name')}</PageButton>}
          />
        }
      />
    </>
  )
}

function isState(text: string | undefined): text is (typeof states)[number] {
  return states.some((state) => state === text)
}
