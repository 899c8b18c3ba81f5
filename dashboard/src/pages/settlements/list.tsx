import type { RowOf } from '../../api/client.ts'
import { merchantNameIn } from '../../app/names.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Figure } from '../../parts/money.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import type { usePaging } from '../../parts/paging.ts'
import { periodText } from '../../parts/whole-days.ts'
import type { Texts } from '../../texts/texts.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Due } from './due.tsx'

type Row = RowOf<'/merchants/{merchantId}/settlements'>

/** Closed settlements, the newest first. */
export function SettlementList({
  query,
  paging,
  filters,
  named,
}: {
  query: Parameters<typeof DataTable<Row>>[0]['query']
  paging: ReturnType<typeof usePaging>
  filters?: Parameters<typeof DataTable<Row>>[0]['filters']
  /** With the names of the merchants. */
  named: boolean
}) {
  const texts = useTexts()
  const { t } = texts
  return (
    <DataTable
      label={t('settlements.name')}
      query={query}
      columns={columnsOf(texts, named)}
      rowKey={({ settlement_id }) => settlement_id}
      paging={paging}
      {...(filters === undefined ? {} : { filters })}
      empty={<EmptyState icon="card" title={t('settlements.none')} lesson={t('settlements.none_lesson')} />}
    />
  )
}

function columnsOf(texts: Texts, named: boolean): readonly Column<Row>[] {
  const { t, locale } = texts
  const period: Column<Row> = {
    ...{ name: 'period', header: t('settlements.period'), title: true },
    cell: ({ settlement_id, from, until }) => (
      <PageLink to={`settlements/${settlement_id}`}>{periodText(texts, from, until)}</PageLink>
    ),
  }
  const merchant: Column<Row> = {
    ...{ name: 'merchant', header: t('settlements.merchant') },
    cell: (row) => <bdi>{merchantNameIn(row, locale)}</bdi>,
  }
  return [
    period,
    ...(named ? [merchant] : []),
    { name: 'orders', header: t('settlements.orders'), numeric: true, cell: ({ orders }) => <Figure value={orders} /> },
    {
      name: 'points',
      header: t('settlements.net_points'),
      numeric: true,
      cell: ({ net_points }) => <Figure value={net_points} signed />,
    },
    {
      name: 'due',
      header: t('settlements.due'),
      numeric: true,
      cell: ({ due_amount }) => <Due sar={due_amount} of={named ? 'program' : 'merchant'} />,
    },
  ]
}
